package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the handshake does to its connection. Forgotten with the handshake. */
final class HandshakeOutcome implements Handshake.Owner {
  private final ConnectionCore core;

  /** Null until there is an agreement. The reading thread's. */
  private @Nullable KeepAliveLimits limits;

  HandshakeOutcome(ConnectionCore core) {
    this.core = core;
  }

  @Override
  public void fail(ArraywireException cause) {
    core.fail(cause, false);
  }

  @Override
  public void refuse(ArraywireException cause) {
    // Nothing moves yet, so this thread may do it. What the peer says is nobody's business now.
    core.inbound.ignoreFurther();
    boolean inPlainText = core.context().options().tls() == null;
    if (!inPlainText) {
      // A TLS handshake, only to say this, would cost what the limit is to save.
      core.link().refuse(cause);
    }
    core.fail(cause, inPlainText);
  }

  @Override
  public void reserved(int bytes) {
    core.reserved(bytes);
  }

  @Override
  public void trusts(boolean trusted) {
    core.inbound.peerTrusted = trusted;
    if (!trusted) {
      core.peerIsStranger();
    }
  }

  @Override
  public boolean agreed(
      Agreement agreed, SendCodecs codecs, @Nullable Offer peer, @Nullable SessionBinding binding) {
    core.bind(binding);
    if (core.hasFailed()) {
      return false;
    }
    FlowOffer peerFlow = peer == null ? SendCredit.UNLIMITED : peer.flow();
    long peerMaxFrameBytes = peer == null ? Long.MAX_VALUE : peer.maxFrameBytes();
    core.outbound.agreed(
        core.context.writer(codecs, agreed, peerMaxFrameBytes, choice(agreed, codecs)),
        core.context.shared(peerFlow));
    if (peer != null) {
      core.sender.agreed(peer.maxArrayBytes());
    }
    core.inbound.agreed(agreed.checksums());
    // Before anything that may fail, and before others are told; but after what readers without
    // the lock need.
    core.agree(core.context.shared(agreed));
    core.watch.opened(core.userConnection(), binding != null, core.isResumed());
    core.channels.keepCredit(agreed);
    KeepAliveLimits agreedLimits = core.context.livenessLimits(peerFlow.heartbeatMillis());
    limits = agreedLimits;
    KeepAliveLook look = new KeepAliveLook(core, agreedLimits);
    look.begin(core.context.keepAliveTimer());
    core.lookedAfter(look);
    return true;
  }

  /** What compresses by itself, if anything may. */
  private @Nullable BlockChoice choice(Agreement agreed, SendCodecs codecs) {
    List<Codec> compressions = agreed.plain() ? List.of() : codecs.compressions();
    if (compressions.isEmpty()) {
      return null;
    }
    boolean wanted =
        switch (core.context.options().adaptiveCompression()) {
          case WANTED -> true;
          case UNWANTED -> false;
          case ACROSS_HOSTS -> core.context.options().tls() == null && isAcrossHosts();
        };
    EngineContext context = core.context;
    return wanted
        ? new BlockChoice(compressions, context.runtime()::nanoTime, context.codecWarmUp())
        : null;
  }

  /** What has no address of the Internet does not leave the host. */
  private boolean isAcrossHosts() {
    SocketAddress remote = core.remoteAddress();
    return remote instanceof InetSocketAddress && !SameHost.joins(core.localAddress(), remote);
  }

  @Override
  public void opened() {
    if (limits != null) {
      core.context.tellOf(limits, core.remoteAddress());
    }
    core.handshakeOver();
  }
}
