package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.TimedOutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How callers wait for arrays that they have handed in, and take them back when it takes too long.
 * Any thread, without the lock.
 */
final class SendWait {
  private SendWait() {}

  /**
   * Waits for the outcome.
   *
   * @param start when the caller began, by {@link System#nanoTime()}, if its options have a timeout
   */
  static Receipt await(Outbound outbound, OutboundArray array, long start)
      throws ArraywireException, InterruptedException {
    Duration timeout = array.options.timeout();
    if (timeout != null) {
      long left = SystemDeadlines.nanos(timeout) - (System.nanoTime() - start);
      awaitWithin(outbound, array, timeout, left);
    } else if (!array.done.isDone()) {
      awaitFramed(outbound, array);
    }
    try {
      boolean unused = await(outbound, array, null, Long.MAX_VALUE);
      return array.done.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (takeBack(outbound, array) != OutboundArray.Progress.FRAMED || !array.done.isDone()) {
        throw e;
      }
      return Interruptible.afterInterrupt(array.done);
    }
  }

  /**
   * Waits for an array, or for something else, as {@link ReusableFuture#await} does. A handler that
   * waits for longer than a moment is noted.
   */
  private static boolean await(
      Outbound outbound, OutboundArray array, @Nullable BooleanSupplier other, long nanos)
      throws InterruptedException {
    long brief = Math.min(nanos, HandlerWait.PATIENCE_NANOS);
    if (array.done.await(other, brief)) {
      return true;
    }
    if (brief == nanos) {
      return false;
    }
    HandlerWait handler = outbound.scope.callerWaits(HandlerWait.IN_SEND);
    try {
      return array.done.await(other, nanos - brief);
    } finally {
      HandlerWait.ended(handler);
    }
  }

  /** Waits for the outcome no longer than the caller wants to; then takes the array back. */
  private static void awaitWithin(
      Outbound outbound, OutboundArray array, Duration timeout, long nanos)
      throws ArraywireException, InterruptedException {
    try {
      if (await(outbound, array, null, nanos)) {
        return;
      }
    } catch (InterruptedException e) {
      interrupted(outbound, array, e);
      return;
    }
    SendStall stall = stall(outbound, array.channel);
    OutboundArray.Progress progress = takeBack(outbound, array);
    // In plain mode it is the withdrawal that ends the connection, and with it the array.
    if (progress != OutboundArray.Progress.PARTLY_FRAMED && array.done.isDone()) {
      return;
    }
    if (progress == OutboundArray.Progress.FRAMED) {
      HandlerWait handler = outbound.scope.callerWaits(HandlerWait.IN_SEND);
      try {
        throw Failures.notAcknowledged(
            timeout, array.channel.id, outbound.scope.remoteAddress(), handler);
      } finally {
        HandlerWait.ended(handler);
      }
    }
    throw stalled(
        outbound,
        array,
        "the array could not leave whole in time, and is withdrawn",
        stall,
        "timeout",
        timeout,
        "begun",
        progress != OutboundArray.Progress.NOT_BEGUN);
  }

  private static void interrupted(Outbound outbound, OutboundArray array, InterruptedException e)
      throws InterruptedException {
    if (takeBack(outbound, array) != OutboundArray.Progress.FRAMED || !array.done.isDone()) {
      throw e;
    }
    Thread.currentThread().interrupt();
  }

  /**
   * Waits until the first byte is about to leave, for no longer than {@code sendTimeout}. Then it
   * waits until the last one is, for as long as something moves within {@code sendTimeout}.
   */
  private static void awaitFramed(Outbound outbound, OutboundArray array)
      throws ArraywireException, InterruptedException {
    Duration limit = outbound.scope.context().options().sendTimeout();
    try {
      if (!await(outbound, array, array.hasBegun, SystemDeadlines.nanos(limit))) {
        SendStall stall = stall(outbound, array.channel);
        if (outbound.withdrawUnlessBegun(array)) {
          outbound.scope.link().wakeWriter();
          throw stalled(
              outbound,
              array,
              "the array could not begin to leave in time",
              stall,
              "sendTimeout",
              limit);
        }
      }
      SendProgress progress = null;
      while (!array.done.isDone() && !array.hasFramed()) {
        if (progress == null) {
          progress = new SendProgress(outbound, array, limit);
        }
        long left = progress.nanosToLook();
        if (left <= 0) {
          SendStall stall = stall(outbound, array.channel);
          if (takeBack(outbound, array) != OutboundArray.Progress.FRAMED) {
            throw noProgress(outbound, array, stall, limit);
          }
          return;
        }
        if (await(outbound, array, null, left)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      interrupted(outbound, array, e);
    }
  }

  /** What holds up the arrays of a channel. */
  static SendStall stall(Outbound outbound, OutboundChannel channel) {
    ReentrantLock lock = outbound.scope.lock();
    lock.lock();
    try {
      return OutboundReport.stall(outbound, channel);
    } finally {
      lock.unlock();
    }
  }

  /** The failure of an array that its caller took back because nothing moved. */
  static ArraywireException noProgress(
      Outbound outbound, OutboundArray array, SendStall stall, Duration limit) {
    return stalled(
        outbound,
        array,
        "the array made no progress for sendTimeout and is withdrawn",
        stall,
        "sendTimeout",
        limit,
        "begun",
        array.sequence != 0);
  }

  private static ArraywireException stalled(
      Outbound outbound, OutboundArray array, String what, SendStall stall, Object... facts) {
    HandlerWait handler = outbound.scope.callerWaits(HandlerWait.IN_SEND);
    try {
      return timedOut(outbound, array, handler, what, why(stall), facts)
          .describing(outbound.scope.describe());
    } finally {
      HandlerWait.ended(handler);
    }
  }

  private static String why(SendStall stall) {
    return "; it waited for " + stall.awaited + ": " + stall.cause;
  }

  /**
   * The failure of a send.
   *
   * @param handler what waits itself; what waits for it in turn is said instead of the reason
   */
  private static TimedOutException timedOut(
      Outbound outbound,
      OutboundArray array,
      @Nullable HandlerWait handler,
      String what,
      String why,
      Object... facts) {
    String advice = handler == null ? null : handler.advice();
    Object[] all =
        Failures.withHandler(
            advice == null ? null : handler,
            facts,
            "channel",
            array.channel.id,
            "peer",
            outbound.scope.remoteAddress());
    return new TimedOutException(
        ErrorCode.SEND_TIMEOUT, advice == null ? what + why : what + "; " + advice, all);
  }

  // Taking back.

  /** Takes an array back for a caller that no longer waits; returns how far it had got. */
  static OutboundArray.Progress takeBack(Outbound outbound, OutboundArray array) {
    OutboundArray.Progress progress = outbound.withdraw(array);
    tookBack(outbound, progress);
    return progress;
  }

  private static void tookBack(Outbound outbound, OutboundArray.Progress progress) {
    if (progress == OutboundArray.Progress.PARTLY_FRAMED && !outbound.arrays().isFramed()) {
      outbound.scope.fail(
          new ConnectionClosedException(
              "the connection was closed here: a sender gave up inside an array, which plain mode"
                  + " cannot withdraw"),
          false);
    } else {
      // Others may have their turn, or the goodbye.
      outbound.scope.link().wakeWriter();
    }
  }

  /**
   * Gives up an array that stands still and that no thread waits for. It was withdrawn under the
   * lock before.
   *
   * @param handler a handler that waits itself while others wait for it, if one is known
   * @param description of the connection
   */
  static void giveUp(
      Outbound outbound,
      OutboundArray array,
      SendStall stall,
      @Nullable HandlerWait handler,
      String description) {
    // From the return of this on the array is its sender's.
    OutboundArray.Progress progress = outbound.withdraw(array);
    array.fail(
        outbound.scope.context().completions(),
        timedOut(
                outbound,
                array,
                handler,
                "the array made no progress for sendTimeout and is withdrawn",
                why(stall),
                "sendTimeout",
                outbound.scope.context().options().sendTimeout(),
                "begun",
                array.sequence != 0)
            .describing(description));
    tookBack(outbound, progress);
  }
}
