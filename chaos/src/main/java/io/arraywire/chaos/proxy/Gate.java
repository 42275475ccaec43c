package io.arraywire.chaos.proxy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Where the proxy's threads wait: it can be shut, for a time or until it is opened. Any thread may
 * call any method. Waiting threads look at their reason to give up when somebody calls {@link
 * #wake}.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private boolean shut;
  private boolean timed;
  private long openAt;

  /** Shuts it until it is opened. */
  void shut() {
    lock.lock();
    try {
      shut = true;
      timed = false;
    } finally {
      lock.unlock();
    }
  }

  /** Shuts it for some time; one that is shut for longer already stays so. */
  void shutFor(long nanos) {
    lock.lock();
    try {
      long until = System.nanoTime() + nanos;
      if (leftNanos() == 0) {
        shut = true;
        timed = true;
        openAt = until;
      } else if (timed && until - openAt > 0) {
        openAt = until;
      }
    } finally {
      lock.unlock();
    }
  }

  void open() {
    lock.lock();
    try {
      shut = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    lock.lock();
    try {
      return leftNanos() == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is open or there is a reason to give up. */
  void await(BooleanSupplier givenUp) {
    await(this::leftNanos, givenUp);
  }

  /** Waits for some time, open or not, or until there is a reason to give up. */
  void pause(long nanos, BooleanSupplier givenUp) {
    long start = System.nanoTime();
    await(() -> nanos - (System.nanoTime() - start), givenUp);
  }

  private void await(LongSupplier leftNanos, BooleanSupplier givenUp) {
    lock.lock();
    try {
      for (long left = leftNanos.getAsLong();
          left > 0 && !givenUp.getAsBoolean();
          left = leftNanos.getAsLong()) {
        var unused = changed.await(left, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a thread of the proxy", e);
    } finally {
      lock.unlock();
    }
  }

  private long leftNanos() {
    if (!shut) {
      return 0;
    }
    if (!timed) {
      return Long.MAX_VALUE;
    }
    long left = openAt - System.nanoTime();
    if (left <= 0) {
      shut = false;
      return 0;
    }
    return left;
  }
}
