package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Receipt;
import io.arraywire.SendTimeoutException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

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

  /** Waits for the outcome no longer than the caller wants to; then takes the array back. */
  private static void awaitWithin(
      Outbound outbound, OutboundArray array, Duration timeout, long nanos)
      throws ArraywireException, InterruptedException {
    try {
      var unused = array.done.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      OutboundArray.Progress progress = takeBack(outbound, array);
      // In plain mode it is the withdrawal that ends the connection, and with it the array.
      if (progress != OutboundArray.Progress.PARTLY_FRAMED && array.done.isDone()) {
        return;
      }
      SocketAddress peer = outbound.scope.remoteAddress();
      if (progress == OutboundArray.Progress.FRAMED) {
        throw Failures.notAcknowledged(timeout, array.channel.id, peer);
      }
      throw new SendTimeoutException(
              "the array could not leave whole in time, and is withdrawn: the peer takes too little, or"
                  + " others are before it",
              "timeout",
              timeout,
              "begun",
              progress != OutboundArray.Progress.NOT_BEGUN,
              "channel",
              array.channel.id,
              "peer",
              peer)
          .describing(outbound.scope.describe());
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      interrupted(outbound, array, e);
    }
  }

  private static void interrupted(Outbound outbound, OutboundArray array, InterruptedException e)
      throws InterruptedException {
    if (takeBack(outbound, array) != OutboundArray.Progress.FRAMED || !array.done.isDone()) {
      throw e;
    }
    Thread.currentThread().interrupt();
  }

  /**
   * Waits until the first byte is about to leave, for no longer than {@code sendTimeout}, and then
   * until the last one is, for as long as something moves within {@code sendTimeout}.
   */
  private static void awaitFramed(Outbound outbound, OutboundArray array)
      throws ArraywireException, InterruptedException {
    Duration limit = outbound.scope.context().options().sendTimeout();
    long nanos = SystemDeadlines.nanos(limit);
    try {
      if (!array.done.await(array.hasBegun, nanos)) {
        SendStall stall = stall(outbound, array.channel);
        if (outbound.withdrawUnlessBegun(array)) {
          outbound.scope.link().wakeWriter();
          throw notBegun(outbound, array, stall, limit);
        }
      }
      while (!array.done.isDone() && !array.hasFramed()) {
        long left = nanos - stillNanos(outbound, array);
        if (left <= 0) {
          SendStall stall = stall(outbound, array.channel);
          if (takeBack(outbound, array) != OutboundArray.Progress.FRAMED) {
            throw noProgress(outbound, array, stall, limit);
          }
          return;
        }
        if (array.done.await(null, left)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      interrupted(outbound, array, e);
    }
  }

  /** How long nothing has moved of an array that has begun to leave. */
  private static long stillNanos(Outbound outbound, OutboundArray array) {
    ReentrantLock lock = outbound.scope.lock();
    lock.lock();
    try {
      return outbound.scope.context().runtime().nanoTime() - array.movedAt;
    } finally {
      lock.unlock();
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

  private static ArraywireException notBegun(
      Outbound outbound, OutboundArray array, SendStall stall, Duration limit) {
    return new SendTimeoutException(
            "the array could not begin to leave in time; it waited for "
                + stall.awaited
                + ": "
                + stall.cause,
            "sendTimeout",
            limit,
            "channel",
            array.channel.id,
            "peer",
            outbound.scope.remoteAddress())
        .describing(outbound.scope.describe());
  }

  /** The failure of an array that was taken back because nothing moved. */
  static ArraywireException noProgress(
      Outbound outbound, OutboundArray array, SendStall stall, Duration limit) {
    return new SendTimeoutException(
            "the array made no progress for sendTimeout and is withdrawn; it waited for "
                + stall.awaited
                + ": "
                + stall.cause,
            "sendTimeout",
            limit,
            "begun",
            array.sequence != 0,
            "channel",
            array.channel.id,
            "peer",
            outbound.scope.remoteAddress())
        .describing(outbound.scope.describe());
  }

  /** Takes an array back for a caller that no longer waits; returns how far it had got. */
  static OutboundArray.Progress takeBack(Outbound outbound, OutboundArray array) {
    OutboundArray.Progress progress = outbound.withdraw(array);
    if (progress == OutboundArray.Progress.PARTLY_FRAMED && !outbound.arrays().isFramed()) {
      outbound.scope.fail(
          new ConnectionClosedException(
              "the connection was closed here: a sender gave up inside an array, which plain mode"
                  + " cannot withdraw"),
          false);
    } else if (progress != OutboundArray.Progress.FRAMED) {
      // Others may have their turn, or the goodbye.
      outbound.scope.link().wakeWriter();
    }
    return progress;
  }
}
