package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLoad;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What was accepted on one channel of a session and is kept until the far side has acknowledged it,
 * in the order of the calls. Each connection that comes to carry the session sends all of it again.
 *
 * <p>Any thread.
 */
final class RetainedSends implements WaitNotes {
  private final Session session;
  private final int channel;

  /** The session's. */
  private final ReentrantLock lock;

  @GuardedBy("lock")
  private final ArrayDeque<SessionSend> retained = new ArrayDeque<>(1);

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long lastSequence;

  RetainedSends(Session session, int channel) {
    this.session = session;
    this.channel = channel;
    lock = session.state.lock;
  }

  private EngineRuntime runtime() {
    return session.context.runtime();
  }

  /**
   * Accepts an array for the session.
   *
   * @param bounded whether it is refused where too much is retained: no thread waits for it
   */
  SessionSend accept(ArraySource source, SendOptions options, boolean bounded)
      throws ArraywireException {
    lock.lock();
    try {
      session.state.latest().sender.checkSendable(source, options);
      session.state.checkOpen();
      SessionSend send = new SessionSend(source, options, lastSequence + 1, !bounded);
      long limit = session.context.options().sendQueueBytes();
      if (bounded && bytes > 0 && bytes + send.bytes() > limit) {
        throw new NoRoomException(
            ErrorCode.SEND_QUEUE_FULL,
            "too much waits to be sent or acknowledged; wait for some of it, or use send, which waits",
            "bytes",
            source.bytes(),
            "queuedBytes",
            bytes,
            "sendQueueBytes",
            limit,
            "channel",
            channel);
      }
      HeldArrays held = session.held;
      if (bounded && held != null) {
        held.take(source.bytes(), channel);
      }
      lastSequence = send.sequence;
      retained.add(send);
      bytes += send.bytes();
      ConnectionCore present = session.state.current();
      if (present != null) {
        submit(send, present);
      }
      return send;
    } finally {
      lock.unlock();
      session.flushEvents();
    }
  }

  /** Sends everything again, over a connection that has come to carry the session. */
  void resubmit(ConnectionCore connection) {
    lock.lock();
    try {
      // A send whose source has failed meanwhile leaves the line.
      for (SessionSend send : List.copyOf(retained)) {
        submit(send, connection);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives up everything, at the end of the session; the caller completes what was given up. */
  List<SessionSend> drop() {
    lock.lock();
    try {
      List<SessionSend> lost = new ArrayList<>(retained);
      lost.forEach(this::unhold);
      retained.clear();
      bytes = 0;
      return lost;
    } finally {
      lock.unlock();
    }
  }

  ConnectionLoad load() {
    lock.lock();
    try {
      return new ConnectionLoad(retained.size(), bytes, 0, 0, 0, 0);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void submit(SessionSend send, ConnectionCore over) {
    try {
      // Before, or the answer might be there first.
      send.submittedAt = runtime().nanoTime();
      send.mayHaveArrived |= send.begun.isDone();
      OutboundArray transfer =
          over.sender.submit(
              over.channels.checked(channel).out,
              send.source,
              send.options,
              send.sequence,
              !send.awaited);
      send.transfer = transfer;
      send.over = over;
      var unusedBegun = transfer.begun().thenRun(() -> send.begun.complete(null));
      var unusedDone =
          transfer
              .done
              .stage()
              .whenComplete((receipt, thrown) -> completed(send, transfer, receipt, thrown));
    } catch (ArraywireException e) {
      // The connection has just failed; the array goes over the next one.
      send.transfer = null;
      if (ErrorCode.SOURCE_FAILED.isOf(e)) {
        forget(send);
        send.done.completeExceptionally(sourceFailed(send, e));
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very transfer that is meant.
  private void completed(
      SessionSend send,
      OutboundArray transfer,
      @Nullable Receipt receipt,
      @Nullable Throwable thrown) {
    lock.lock();
    try {
      ConnectionCore over = send.over;
      if (send.transfer != transfer || over == null) {
        return;
      }
      send.transfer = null;
      if (thrown != null && over.failedWith(thrown)) {
        return;
      }
      if (receipt == null) {
        session.progressed();
      } else {
        session.answered(runtime().nanoTime() - send.submittedAt);
      }
      forget(send);
    } finally {
      lock.unlock();
    }
    if (receipt != null) {
      send.done.complete(receipt);
    } else if (ErrorCode.SEND_TIMEOUT.isOf(thrown) && send.mayHaveArrived) {
      send.done.completeExceptionally(
          notAcknowledged(session.context.options().sendTimeout()).because(thrown));
    } else if (thrown != null) {
      send.done.completeExceptionally(
          ErrorCode.SOURCE_FAILED.isOf(thrown) ? sourceFailed(send, thrown) : thrown);
    }
  }

  /** A source that cannot be read again leaves open whether all of it had arrived before. */
  private Throwable sourceFailed(SessionSend send, Throwable failure) {
    return !send.mayHaveArrived
        ? failure
        : new DeliveryUnknownException(
                "the connection broke while the array was sent, and its source cannot be read"
                    + " again; it was delivered once or not at all",
                "channel",
                channel,
                "cause",
                String.valueOf(failure.getMessage()))
            .because(failure);
  }

  private ArraywireException notAcknowledged(Duration limit) {
    HandlerWait handler = callerWaits(HandlerWait.IN_SEND);
    try {
      return Failures.notAcknowledged(
          limit, channel, session.userConnection.remoteAddress(), handler);
    } finally {
      HandlerWait.ended(handler);
    }
  }

  /** Notes the caller if it is a handler of the connection that carries the session now. */
  @Override
  public @Nullable HandlerWait callerWaits(String call) {
    ConnectionCore present = session.state.current();
    return present == null ? null : present.callerWaits(call);
  }

  @GuardedBy("lock")
  private void forget(SessionSend send) {
    send.transfer = null;
    if (retained.remove(send)) {
      bytes -= send.bytes();
      unhold(send);
    }
    session.state.changed.signalAll();
  }

  private void unhold(SessionSend send) {
    HeldArrays held = session.held;
    if (held != null && !send.awaited) {
      held.giveBack(send.source.bytes());
    }
  }

  // Callers that wait.

  Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    LoopTurn.checkMayWait("send");
    long start = runtime().nanoTime();
    SessionSend send = accept(source, options, false);
    Duration timeout = options.timeout();
    try {
      if (timeout == null) {
        awaitProgress(send);
      } else if (!await(
          send.done, SystemDeadlines.nanos(timeout) - (runtime().nanoTime() - start))) {
        withdrawUnbegun(send, "timeout", timeout);
        // Perhaps over a connection that broke, so how far it got over this one says nothing.
        giveUp(send, timeout);
      }
    } catch (InterruptedException e) {
      if (takeBack(send)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
    return Interruptible.await(send.done, runtime(), () -> takeBack(send));
  }

  /**
   * Waits until something is done, in whatever way; returns whether it was in time. A handler that
   * waits for longer than a moment is noted.
   */
  private boolean await(CompletableFuture<?> done, long nanos) throws InterruptedException {
    long brief = Math.min(nanos, HandlerWait.PATIENCE_NANOS);
    if (awaitBriefly(done, brief)) {
      return true;
    }
    if (brief == nanos) {
      return false;
    }
    HandlerWait handler = callerWaits(HandlerWait.IN_SEND);
    try {
      return awaitBriefly(done, nanos - brief);
    } finally {
      HandlerWait.ended(handler);
    }
  }

  private boolean awaitBriefly(CompletableFuture<?> done, long nanos) throws InterruptedException {
    try {
      var unused = runtime().await(done, nanos);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /**
   * Waits until the first byte is about to leave, for no longer than a send may wait for that. Then
   * it waits until the array is done, for as long as something moves now and then. It may stand
   * still while the connection is replaced, and once it has left whole.
   */
  private void awaitProgress(SessionSend send) throws ArraywireException, InterruptedException {
    Duration limit = session.context.options().sendTimeout();
    long nanos = SystemDeadlines.nanos(limit);
    if (!await(CompletableFuture.anyOf(send.begun, send.done), nanos)) {
      withdrawUnbegun(send, "sendTimeout", limit);
    }
    SendProgress progress = null;
    while (true) {
      progress = progress(send, progress, limit);
      long left = progress == null ? SendProgress.nanosOfLook(nanos) : progress.nanosToLook();
      if (left <= 0) {
        giveUpStill(send, limit);
        left = SendProgress.nanosOfLook(nanos);
      }
      if (await(send.done, left)) {
        return;
      }
    }
  }

  /** What looks after an array in flight over the present connection; null if nothing has to. */
  private @Nullable SendProgress progress(
      SessionSend send, @Nullable SendProgress before, Duration limit) {
    lock.lock();
    try {
      OutboundArray transfer = send.transfer;
      ConnectionCore over = send.over;
      if (transfer == null || over == null || transfer.hasFramed()) {
        return null;
      }
      return before != null && before.isOf(transfer)
          ? before
          : new SendProgress(over.outbound, transfer, limit);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an array back that stands still, and fails; does nothing if it has left whole. */
  private void giveUpStill(SessionSend send, Duration limit) throws ArraywireException {
    ArraywireException failure;
    lock.lock();
    try {
      OutboundArray transfer = send.transfer;
      ConnectionCore over = send.over;
      if (transfer == null || over == null || !retained.contains(send)) {
        return;
      }
      SendStall stall = SendWait.stall(over.outbound, transfer.channel);
      if (SendWait.takeBack(over.outbound, transfer) == OutboundArray.Progress.FRAMED) {
        return;
      }
      forget(send);
      failure =
          send.mayHaveArrived
              ? notAcknowledged(limit)
              : SendWait.noProgress(over.outbound, transfer, stall, limit);
    } finally {
      lock.unlock();
    }
    throw failure;
  }

  /** Takes an array back of which nothing has left, and fails; does nothing if some has. */
  private void withdrawUnbegun(SessionSend send, String limit, Duration wanted)
      throws ArraywireException {
    lock.lock();
    try {
      OutboundArray transfer = send.transfer;
      ConnectionCore over = send.over;
      if (send.begun.isDone()
          || send.done.isDone()
          || (transfer != null && over != null && !over.sender.withdrawUnlessBegun(transfer))) {
        return;
      }
      forget(send);
    } finally {
      lock.unlock();
    }
    throw new TimedOutException(
            ErrorCode.SEND_TIMEOUT,
            "the array could not begin to leave in time: there is no connection, the peer takes nothing,"
                + " or others are before it",
            limit,
            wanted,
            "channel",
            channel,
            "peer",
            session.userConnection.remoteAddress())
        .describing(session.userConnection.describe());
  }

  /**
   * Takes an array back of which it is not known whether it arrives; does nothing if it is done.
   */
  private void giveUp(SessionSend send, Duration limit) throws ArraywireException {
    if (takeBack(send)) {
      throw notAcknowledged(limit);
    }
  }

  /** Takes an array back for a caller that no longer waits; returns whether it was not done. */
  private boolean takeBack(SessionSend send) {
    lock.lock();
    try {
      if (!retained.contains(send)) {
        return false;
      }
      OutboundArray transfer = send.transfer;
      ConnectionCore over = send.over;
      forget(send);
      if (transfer != null && over != null) {
        var unused = over.sender.withdraw(transfer);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
