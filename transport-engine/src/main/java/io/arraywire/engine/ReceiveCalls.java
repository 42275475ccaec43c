package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls that receive: they ask for the next array of a channel, and wait for it if they have
 * the time. Any thread, without the connection's lock.
 */
final class ReceiveCalls {
  private ReceiveCalls() {}

  /**
   * Puts the next array into a caller's own and describes it; returns whether one has come in time.
   */
  static boolean takeInto(ReceiveQueue queue, ArraySlice target, ArrayInfo info, long nanos)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(info, "info");
    checkMayWait(nanos);
    ReentrantLock lock = queue.scope.lock();
    InboxPool pool;
    PendingReceive receive;
    boolean asks;
    boolean came;
    boolean wasParked;
    lock.lock();
    try {
      pool = queue.pool();
      PendingReceive spare = pool.takeReceive();
      receive = spare == null ? new PendingReceive(PendingReceive.Kind.INTO) : spare;
      receive.target = target;
      receive.info = info;
      asks = ask(queue, receive, nanos > 0);
      // It was here already: nobody else ever knew the receive.
      came = receive.result.isSuccess();
      wasParked = queue.parked;
    } finally {
      lock.unlock();
    }
    begun(queue, wasParked);
    if (asks && !came) {
      came = await(queue, receive, nanos);
    }
    if (!pool.offer(receive)) {
      lock.lock();
      try {
        pool.giveBack(receive);
      } finally {
        lock.unlock();
      }
    }
    return came;
  }

  /** Takes the next array as a fresh one or as a lease; null if none has come in time. */
  static @Nullable Object take(ReceiveQueue queue, PendingReceive.Kind kind, long nanos)
      throws ArraywireException, InterruptedException {
    checkMayWait(nanos);
    PendingReceive receive = new PendingReceive(kind);
    ReentrantLock lock = queue.scope.lock();
    boolean asks;
    boolean wasParked;
    lock.lock();
    try {
      asks = ask(queue, receive, nanos > 0);
      wasParked = queue.parked;
    } finally {
      lock.unlock();
    }
    begun(queue, wasParked);
    if (!asks || !await(queue, receive, nanos)) {
      return null;
    }
    Object taken = receive.result.value();
    if (taken instanceof Lease lease) {
      lease.handedOver();
    }
    return taken;
  }

  private static void checkMayWait(long nanos) {
    if (nanos > 0) {
      LoopTurn.checkMayWait("receive");
    }
  }

  /**
   * Has a receive get in line, or have what is here. Under the lock.
   *
   * @return false if nothing is here, and the receive does not wait
   */
  private static boolean ask(ReceiveQueue queue, PendingReceive receive, boolean waits)
      throws ArraywireException {
    if (waits || !queue.isEmpty() || queue.end != null) {
      queue.add(receive);
      return true;
    }
    InboundArray current = queue.current;
    if (current != null && goesToNextCaller(queue, current) && !receive.fits(current)) {
      // A receive that waits would fail here, too, and not when the array is whole.
      return true;
    }
    // The caller will ask again: the array that is arriving, or the next one, may come, however
    // large.
    queue.polled = current == null;
    if (current != null && current.held && queue.credit().isLimited()) {
      queue.want(current);
    }
    return false;
  }

  /** Whether the next caller that asks gets an array that is arriving. */
  private static boolean goesToNextCaller(ReceiveQueue queue, InboundArray array) {
    PendingReceives line = queue.pending();
    return !array.outOfTurn && array.receive == null && (line == null || line.isEmpty());
  }

  /** A caller has asked: it is in line, or has what was there, or will ask again. */
  private static void begun(ReceiveQueue queue, boolean wasParked) {
    if (wasParked) {
      queue.scope.link().resumeReading();
    }
    queue.scope.events().flush();
  }

  /**
   * Waits for a receive; takes it back if its time is over or its caller is interrupted.
   *
   * @return whether it was served
   */
  private static boolean await(ReceiveQueue queue, PendingReceive receive, long nanos)
      throws ArraywireException, InterruptedException {
    try {
      if (!receive.await(queue.scope.link(), nanos) && withdraw(queue, receive)) {
        return false;
      }
      var unused = receive.result.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw(queue, receive)) {
        throw e;
      }
      var unused = Interruptible.afterInterrupt(receive.result);
    }
    return true;
  }

  /** Takes back a receive whose caller waits no longer; returns whether it was not served yet. */
  private static boolean withdraw(ReceiveQueue queue, PendingReceive receive) {
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      return queue.withdraw(receive);
    } finally {
      lock.unlock();
    }
  }
}
