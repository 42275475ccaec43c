package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The arrays that connections receive into, one each. Any thread. */
final class Targets {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long LOOK_NANOS = 100_000;

  private final float[][] arrays;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicLong arrived = new AtomicLong();

  /**
   * Makes arrays.
   *
   * @param connections how many
   * @param count elements in each
   */
  Targets(int connections, int count) {
    arrays = new float[connections][count];
  }

  int connections() {
    return arrays.length;
  }

  int count() {
    return arrays[0].length;
  }

  /** The array of a connection that has none yet. */
  float[] next() {
    return arrays[taken.getAndIncrement()];
  }

  /** One more array is there; after its last element was written. */
  void arrived() {
    arrived.incrementAndGet();
  }

  /**
   * Waits until that many have come in all. Senders know first: some receive calls acknowledge
   * before they return.
   *
   * @return how many have come
   * @throws TimeoutException if they do not
   */
  long await(long total) throws TimeoutException {
    long start = System.nanoTime();
    while (arrived.get() < total) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new TimeoutException(
            "arrays are missing (expected=" + total + ", received=" + arrived + ")");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return arrived.get();
  }

  /** Overwrites all. */
  void spoil() {
    for (float[] each : arrays) {
      Elements.spoil(each);
    }
  }

  /** Those of the first elements of each array, sorted. */
  String[] checksums(int count) {
    return Elements.checksums(arrays, count);
  }
}
