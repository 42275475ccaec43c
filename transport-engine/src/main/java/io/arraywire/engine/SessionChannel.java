package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.LeasedArray;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a session, over whatever connection carries that: what was accepted on it and is not
 * done, and what has come of it. Any thread.
 */
final class SessionChannel implements Channel {
  private final Session session;
  private final int id;
  final RetainedSends sends;
  final SessionInbox inbox;

  SessionChannel(Session session, int id) {
    this.session = session;
    this.id = id;
    sends = new RetainedSends(session, id);
    inbox = new SessionInbox(session, id);
  }

  /** A connection has come to carry the session. Under the session's lock. */
  void attach(ConnectionCore connection) {
    sends.resubmit(connection);
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
  public Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    return options.delivery() == Delivery.SESSION
        ? sends.send(source, options)
        : sendOnce(source, options);
  }

  /** Sends over the present connection, or the next one, what does not outlive it. */
  private Receipt sendOnce(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    Duration timeout = options.timeout();
    if (timeout == null || session.state.current() != null) {
      return session
          .state
          .awaitPresent("sendTimeout", session.context.options().sendTimeout())
          .channel(id)
          .send(source, options);
    }
    EngineRuntime runtime = session.context.runtime();
    long end = runtime.nanoTime() + SystemDeadlines.nanos(timeout);
    ConnectionCore next = session.state.awaitPresent("timeout", timeout);
    Duration left = Duration.ofNanos(Math.max(1, end - runtime.nanoTime()));
    return next.channel(id).send(source, options.timeout(left));
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options) {
    SendChecks.checkNoTimeout(options);
    CompletableFuture<Receipt> result = NotedStage.of(sends, "for the stage of sendAsync");
    try {
      if (options.delivery() != Delivery.SESSION) {
        return session.state.present().channel(id).sendAsync(source, options);
      }
      var unused =
          sends
              .accept(source, options, true)
              .done
              .whenComplete(
                  (receipt, thrown) -> session.context.completions().add(result, receipt, thrown));
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  @Override
  public OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    SendChecks.checkNoTimeout(options);
    ConnectionCore over = session.state.current();
    OfferStatus status =
        over == null ? OfferStatus.CLOSED : over.channel(id).offer(source, options);
    // The connection's end is not the session's.
    return status == OfferStatus.CLOSED && session.state.isOpen()
        ? OfferStatus.BACK_PRESSURED
        : status;
  }

  /** A request belongs to one connection: its reply would not find it over another. */
  @Override
  public CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options) {
    try {
      return session.state.present().channel(id).request(source, options);
    } catch (ArraywireException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  // Receiving: over whatever connection brings an array.

  @Override
  public @Nullable ReceivedArray receive(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (ReceivedArray) take(PendingReceive.Kind.FRESH, timeout);
  }

  @Override
  public @Nullable LeasedArray receiveLeased(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (LeasedArray) take(PendingReceive.Kind.LEASE, timeout);
  }

  private @Nullable Object take(PendingReceive.Kind kind, Duration timeout)
      throws ArraywireException, InterruptedException {
    long end = end(timeout);
    ConnectionCore over = session.state.awaitSource(null, left(end));
    while (over != null) {
      try {
        return ReceiveCalls.take(queue(over), kind, left(end));
      } catch (ArraywireException e) {
        over = after(over, e, end);
      }
    }
    return null;
  }

  /** Not by a lambda that the others could use, too: nothing is allocated. */
  @Override
  public boolean receiveInto(ArraySlice target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    long end = end(timeout);
    ConnectionCore over = session.state.awaitSource(null, left(end));
    while (over != null) {
      try {
        return ReceiveCalls.takeInto(queue(over), target, info, left(end));
      } catch (ArraywireException e) {
        over = after(over, e, end);
      }
    }
    return false;
  }

  private ReceiveQueue queue(ConnectionCore over) {
    return over.channels.checked(id).inbox.toReceiveFrom();
  }

  /** The connection that follows one that broke; fails with what was no break. */
  private @Nullable ConnectionCore after(ConnectionCore over, ArraywireException e, long end)
      throws ArraywireException, InterruptedException {
    if (!over.failedWith(e) || e instanceof ConnectionClosedException) {
      throw e;
    }
    return session.state.awaitSource(over, left(end));
  }

  private long end(Duration timeout) {
    return session.context.runtime().nanoTime() + SystemDeadlines.nanosOf(timeout);
  }

  private long left(long end) {
    return end - session.context.runtime().nanoTime();
  }

  @Override
  public String toString() {
    return "channel " + id + " of " + session.userConnection;
  }
}
