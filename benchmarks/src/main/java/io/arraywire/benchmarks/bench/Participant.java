package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A contender in {@link Rounds}. */
interface Participant {

  /** What it is called on the command line, such as {@code raw-spin}. */
  String name();

  /** What it does, in half a line. */
  String summary();

  /** What its arrays lose on the way, in words; null if every bit arrives. */
  default @Nullable String loss() {
    return null;
  }

  /** What tables call it: its name, and whether it loses bits. */
  default String label() {
    return loss() == null ? name() : name() + " (lossy)";
  }

  /** Whether its two ends may be on two hosts. */
  default boolean acrossHosts() {
    return true;
  }

  /**
   * What its own JVMs need beside the options that all have; every JDK since 17 has to know them.
   */
  default List<String> jvmOptions() {
    return List.of();
  }

  /**
   * How much larger the heap of each of its JVMs is than that of all others, for what it allocates
   * with each array. Contenders that allocate nothing would make no use of it.
   *
   * @return bytes
   */
  default long garbageBytes() {
    return 0;
  }

  /**
   * Starts its two JVMs and connects them.
   *
   * @param log where their standard error goes, or null for nowhere
   */
  Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException;
}
