package io.arraywire.memory;

import java.util.Objects;

/**
 * How an {@link InMemoryTransport} moves bytes. Immutable.
 *
 * @param reads in what portions it reads
 * @param writes in what portions it writes
 * @param pipeBytes how many bytes are in flight at most, in each direction of a connection that it
 *     makes; at least 1. A small pipe makes short writes and back-pressure
 * @param threads threads for each end of a connection: 1, which reads and writes in turn as an
 *     event loop does, or 2, one for each direction
 */
public record MemoryOptions(Portions reads, Portions writes, int pipeBytes, int threads) {
  private static final MemoryOptions DEFAULTS =
      new MemoryOptions(Portions.everything(), Portions.everything(), 64 << 10, 1);

  /** Checks its parts. */
  public MemoryOptions {
    Objects.requireNonNull(reads, "reads");
    Objects.requireNonNull(writes, "writes");
    if (pipeBytes < 1 || threads < 1 || threads > 2) {
      throw new IllegalArgumentException(
          "pipeBytes must be 1 or more, and threads 1 or 2 (pipeBytes="
              + pipeBytes
              + ", threads="
              + threads
              + ")");
    }
  }

  /**
   * Everything at once, through pipes of 64 KiB, on one thread.
   *
   * @return the options
   */
  public static MemoryOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with other portions in both directions.
   *
   * @param portions in what portions it reads and writes
   * @return new options
   */
  public MemoryOptions portions(Portions portions) {
    return new MemoryOptions(portions, portions, pipeBytes, threads);
  }

  /**
   * The same with other pipes.
   *
   * @param bytes how many bytes are in flight at most
   * @return new options
   */
  public MemoryOptions pipeBytes(int bytes) {
    return new MemoryOptions(reads, writes, bytes, threads);
  }

  /**
   * The same with another number of threads.
   *
   * @param count 1 or 2
   * @return new options
   */
  public MemoryOptions threads(int count) {
    return new MemoryOptions(reads, writes, pipeBytes, count);
  }
}
