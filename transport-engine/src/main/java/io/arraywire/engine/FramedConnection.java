package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.ConnectionLoad;
import io.arraywire.Handlers;
import io.arraywire.PublishReceipt;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TargetHandler;
import io.arraywire.source.ArraySource;
import io.arraywire.wire.SubscribeBody;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What users hold of a connection that carries no session. Any thread. */
final class FramedConnection extends AbstractConnection {
  private final ConnectionCore core;

  FramedConnection(ConnectionCore core) {
    this.core = core;
  }

  @Override
  Channel main() {
    return core.channels.main();
  }

  @Override
  public Channel channel(int id) {
    return core.channel(id);
  }

  @Override
  public Subscription subscribe(String subject, SubscribeOptions options)
      throws ArraywireException, InterruptedException {
    return subscribeWith(subject, options, null);
  }

  @Override
  public Subscription subscribe(
      String subject,
      SubscribeOptions options,
      ArrayHandler handler,
      @Nullable TargetHandler targets)
      throws ArraywireException, InterruptedException {
    Handlers arrays = Handlers.ofArrays(handler);
    return subscribeWith(subject, options, targets == null ? arrays : arrays.withTargets(targets));
  }

  private Subscription subscribeWith(
      String subject, SubscribeOptions options, @Nullable Handlers handlers)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(options, "options");
    Exchanges.checkFramed(core.agreement());
    return core.exchanges().subscriptions().made.subscribe(subject, options, handlers);
  }

  @Override
  public PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    Exchanges.checkFramed(core.agreement());
    SendOptions options = Publication.checked(core.context, subject, source, attributes);
    core.lock.lock();
    try {
      core.checkCanSend();
    } finally {
      core.lock.unlock();
    }
    return Publication.publish(core.context, subscribersOf(subject), source, options);
  }

  @Override
  public int subscribers(String subject) {
    return subscribersOf(SubscribeBody.checked(subject)).size();
  }

  private List<Subscriber> subscribersOf(String subject) {
    return core.hasSubscribers() ? core.exchanges().subscriptions().taken.of(subject) : List.of();
  }

  @Override
  public SocketAddress localAddress() {
    return core.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return core.remoteAddress();
  }

  @Override
  public boolean isOpen() {
    return core.isOpen();
  }

  @Override
  public Agreement agreement() {
    return core.agreement();
  }

  @Override
  public ConnectionLoad load() {
    core.lock.lock();
    try {
      ConnectionLoad sum = OutboundReport.load(core.outbound);
      for (Inbox inbox : core.inboxes()) {
        sum = sum.plus(inbox.load());
      }
      return sum;
    } finally {
      core.lock.unlock();
    }
  }

  @Override
  public String describe() {
    core.lock.lock();
    try {
      Agreement agreed = core.agreed();
      String state = agreed == null && !core.hasFailed() ? "in handshake" : core.state();
      return core.context.transport()
          + " "
          + localAddress()
          + " -> "
          + remoteAddress()
          + " over "
          + Description.path(remoteAddress(), core.context.transport())
          + ", large arrays "
          + core.link.arrayPath()
          + ", "
          + state
          + (agreed == null ? "" : "; agreed: " + Description.of(agreed, core.codecs()))
          + "; out: "
          + OutboundReport.describe(core.outbound)
          + (core.outbound.openRequests == 0 ? "" : ", openRequests=" + core.outbound.openRequests)
          + "; in: bytesReceived="
          + core.inbound.bytesReceived()
          + core.inboxes().stream()
              .map(inbox -> ", " + inbox.describe())
              .collect(Collectors.joining())
          + core.heartbeats();
    } finally {
      core.lock.unlock();
    }
  }

  @Override
  public void close() throws ArraywireException {
    Drain.close(core);
  }

  @Override
  public void closeNow() {
    core.closeNow();
  }

  @Override
  public String toString() {
    return describe();
  }
}
