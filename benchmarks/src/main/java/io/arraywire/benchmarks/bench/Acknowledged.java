package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts acknowledgements that another thread reads. One thread counts, one waits: it polls for as
 * long as a wake-up costs and sleeps then.
 */
final class Acknowledged {
  /** Less than a wake-up costs. */
  private static final long SPIN_NANOS = 50_000;

  private volatile long arrays;
  private volatile @Nullable Thread waiting;
  private volatile @Nullable Throwable failure;

  /** Some more were acknowledged. */
  // Written by one thread only.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void add(int more) {
    arrays += more;
    wake();
  }

  /** There will be no more. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    wake();
  }

  /** What the other thread waits for may have come. */
  void wake() {
    LockSupport.unpark(waiting);
  }

  /**
   * Waits until so many are acknowledged.
   *
   * @param total of all that were ever sent
   */
  void await(long total) throws IOException {
    await(() -> arrays >= total);
  }

  /** Waits until something else is the case, after which the other thread calls {@link #wake}. */
  void await(BooleanSupplier condition) throws IOException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      Throwable failed = failure;
      if (failed != null) {
        throw new IOException("the connection failed", failed);
      }
      if (System.nanoTime() - start < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        waiting = Thread.currentThread();
        if (!condition.getAsBoolean() && failure == null) {
          LockSupport.park(this);
        }
        waiting = null;
      }
    }
  }
}
