package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.time.Duration;

/**
 * The two JVMs of a participant, connected, and idle except during {@link #burst}. Not for use by
 * several threads.
 */
interface Pair extends AutoCloseable {

  /** Sends arrays and sees that every bit of them arrives. */
  void verify(Workload workload) throws IOException;

  /** Works for that long. */
  Burst burst(Workload workload, Duration duration) throws IOException;

  @Override
  void close();
}
