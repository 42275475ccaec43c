package io.arraywire.benchmarks.bench;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * The clock of loops that each send an array when the one before is acknowledged. It runs once.
 *
 * <p>A loop calls {@link #begins} before it sends, and {@link #acknowledged} after; from any
 * threads, as long as one call happens before the next. Different loops call at the same time.
 */
final class ClosedLoops {
  private final LongSupplier clock;
  private final long nanos;
  private final long begin;
  private final long[] begun;
  private final long[] served;
  private final Histogram times = Burst.emptyConcurrentTimes();
  private final LongAdder sent = new LongAdder();
  private final AtomicLong counted = new AtomicLong();

  /** 0 until all loops are to end. */
  private final AtomicLong took = new AtomicLong();

  /**
   * Starts the clock.
   *
   * @param connections how many loops there are
   * @param clock tells nanoseconds
   * @param nanos how long to measure after the lead-in; longer if by then fewer arrays have come
   *     than there are loops
   */
  ClosedLoops(int connections, LongSupplier clock, long nanos) {
    this.clock = clock;
    this.nanos = nanos;
    begun = new long[connections];
    served = new long[connections];
    begin = clock.getAsLong() + nanos / SenderProcess.LEAD_IN;
  }

  /** An array is sent now. */
  void begins(int connection) {
    begun[connection] = clock.getAsLong();
  }

  /**
   * The array is acknowledged.
   *
   * @return whether to send another
   */
  boolean acknowledged(int connection) {
    final long now = clock.getAsLong();
    sent.increment();
    if (took.get() > 0) {
      return false;
    }
    long since = now - begin;
    if (since < 0) {
      return true;
    }
    times.recordValue(now - begun[connection]);
    served[connection]++;
    if (counted.incrementAndGet() < served.length || since < nanos) {
      return true;
    }
    took.compareAndSet(0, Math.max(1, since));
    return false;
  }

  /**
   * What was measured. All loops have ended.
   *
   * @param expense what this process took for all that was sent
   */
  Burst burst(Expense expense) {
    return new Burst(
        sent.sum(),
        counted.get(),
        took.get(),
        expense,
        times,
        Arrays.stream(served).boxed().toList());
  }
}
