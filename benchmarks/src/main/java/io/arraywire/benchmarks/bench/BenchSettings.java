package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.List;

/**
 * What is measured, and how long.
 *
 * @param contenders who takes part, the baseline among them
 * @param workloads what they do
 * @param rounds how often each does it
 * @param burst how long each time
 * @param warmups how often before that, at most: those that are steady stop earlier
 * @param budget how long all of it may take; then there are fewer rounds
 * @param jvmOptions further options for the JVMs of all contenders
 */
record BenchSettings(
    List<Contender> contenders,
    List<Workload> workloads,
    int rounds,
    Duration burst,
    int warmups,
    Duration budget,
    List<String> jvmOptions) {
  private static final long MORE_HEAP = 96L << 20;

  int mostElements() {
    return workloads.stream().mapToInt(Workload::count).max().orElse(1);
  }

  /**
   * The heap of each JVM: room for the array twice, because a collector that divides the heap into
   * parts does not find place for it in one otherwise.
   */
  long heapBytes() {
    return 2L * mostElements() * Float.BYTES + MORE_HEAP;
  }

  /** The most steps that {@link Rounds} reports. */
  int steps() {
    return contenders.size() * (1 + workloads.size() * (warmups + rounds));
  }
}
