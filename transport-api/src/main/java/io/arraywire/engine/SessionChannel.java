package io.arraywire.engine;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.LeasedArray;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A channel of a session, over whatever connection carries that: what was accepted on it and is not
 * done, and what has come of it. Any thread.
 */
final class SessionChannel implements Channel {
  private final Session session;
  private final int id;
  final RetainedSends sends;
  final SessionInbox inbox;

  /** Whether this program has asked for it, so that no subscription may take it. */
  private volatile boolean askedFor;

  SessionChannel(Session session, int id) {
    this.session = session;
    this.id = id;
    sends = new RetainedSends(session, id);
    inbox = new SessionInbox(session);
  }

  /** A connection has come to carry the session. Under the session's lock. */
  void attach(ConnectionCore connection) {
    if (askedFor && id < connection.agreement().channels()) {
      // From here on it is in use on this connection, too.
      var unused = connection.channel(id);
    }
    sends.resubmit(connection);
  }

  /** This program uses the channel, on the present connection and on those to come. */
  SessionChannel askedFor() {
    askedFor = true;
    return this;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public Connection connection() {
    return session.userConnection;
  }

  @Override
  public Receipt send(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    return options.delivery() == Delivery.SESSION
        ? sends.send(slice, options)
        : sendOnce(slice, options);
  }

  /** Sends over the present connection, or the next one, what does not outlive it. */
  private Receipt sendOnce(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    Duration timeout = options.timeout();
    if (timeout == null || session.state.current() != null) {
      return session
          .state
          .awaitPresent("sendTimeout", session.context.options().sendTimeout())
          .channel(id)
          .send(slice, options);
    }
    EngineRuntime runtime = session.context.runtime();
    long end = runtime.nanoTime() + SystemDeadlines.nanos(timeout);
    ConnectionCore next = session.state.awaitPresent("timeout", timeout);
    Duration left = Duration.ofNanos(Math.max(1, end - runtime.nanoTime()));
    return next.channel(id).send(slice, options.timeout(left));
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice, SendOptions options) {
    SendChecks.checkNoTimeout(options);
    CompletableFuture<Receipt> result = new CompletableFuture<>();
    try {
      if (options.delivery() != Delivery.SESSION) {
        return session.state.present().channel(id).sendAsync(slice, options);
      }
      var unused =
          sends
              .accept(slice, options, true)
              .done
              .whenComplete(
                  (receipt, thrown) -> session.context.completions().add(result, receipt, thrown));
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice) {
    return sendAsync(slice, SendOptions.processed());
  }

  @Override
  public OfferStatus offer(ArraySlice slice, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    SendChecks.checkNoTimeout(options);
    ConnectionCore over = session.state.current();
    OfferStatus status = over == null ? OfferStatus.CLOSED : over.channel(id).offer(slice, options);
    // The connection's end is not the session's.
    return status == OfferStatus.CLOSED && session.state.isOpen()
        ? OfferStatus.BACK_PRESSURED
        : status;
  }

  /** A request belongs to one connection: its reply would not find it over another. */
  @Override
  public CompletionStage<ReceivedArray> request(ArraySlice slice, RequestOptions options) {
    try {
      return session.state.present().channel(id).request(slice, options);
    } catch (ArraywireException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public ReceivedArray receive() throws ArraywireException, InterruptedException {
    return receive(Channel::receive);
  }

  @Override
  public ReceivedArray receiveInto(ArraySlice target)
      throws ArraywireException, InterruptedException {
    return receive(channel -> channel.receiveInto(target));
  }

  @Override
  public LeasedArray receiveLeased() throws ArraywireException, InterruptedException {
    return receive(Channel::receiveLeased);
  }

  /** A way to receive on a channel of one connection. */
  private interface Receiver<T> {
    T receive(Channel channel) throws ArraywireException, InterruptedException;
  }

  /** Receives over whatever connection brings an array. */
  private <T> T receive(Receiver<T> receiver) throws ArraywireException, InterruptedException {
    ConnectionCore failed = null;
    while (true) {
      ConnectionCore over = session.state.awaitSource(failed);
      try {
        return receiver.receive(over.channel(id));
      } catch (ArraywireException e) {
        if (!over.failedWith(e) || e instanceof ConnectionClosedException) {
          throw e;
        }
        failed = over;
      }
    }
  }

  @Override
  public String toString() {
    return "channel " + id + " of " + session.userConnection;
  }
}
