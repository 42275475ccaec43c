package io.arraywire.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread sleep until another one wakes it. A call of {@link #signal()} is never lost, also
 * if it comes before the sleep; several are as good as one.
 */
final class Wakeup {
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  /** Never blocks; any thread. */
  void signal() {
    if (!signalled.getAndSet(true)) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Forgets a signal, before anybody sleeps. */
  void clear() {
    signalled.set(false);
  }

  boolean isSignalled() {
    return signalled.get();
  }

  /** Always by the same thread. */
  void await() {
    sleeper = Thread.currentThread();
    // A signalling thread sets the flag before it looks for the sleeper, and here it is the other
    // way round. So one of the two sees the other.
    while (!signalled.getAndSet(false)) {
      LockSupport.park(this);
      // Nobody should interrupt this thread; if somebody does, park would no longer sleep.
      Thread.interrupted();
    }
  }

  /**
   * The same for some time at most; perhaps less. The thread then looks at all that it could have
   * been woken for.
   */
  void await(long nanos) {
    sleeper = Thread.currentThread();
    if (!signalled.get()) {
      LockSupport.parkNanos(this, nanos);
      Thread.interrupted();
    }
    signalled.set(false);
  }
}
