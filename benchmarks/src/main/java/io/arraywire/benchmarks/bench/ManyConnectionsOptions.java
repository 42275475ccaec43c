package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of {@code arraywire bench} that is for many connections. */
final class ManyConnectionsOptions {
  private static final List<Long> SIZES = List.of(64L, 64L << 10);

  /** Each has a smaller part of the time than one connection alone. */
  private static final int BURST = 500;

  /** Linux has some 28,000 ports for connecting sides. */
  private static final int MOST = 20_000;

  @Option(
      names = "--connections",
      paramLabel = "N",
      split = ",",
      description =
          "How many connections work at the same time, numbers with commas between, such as"
              + " 1,10,100,1000. Not with --data, --pipeline-sizes, --window.")
  private @Nullable List<Integer> numbers;

  /** Whether the bench is about many connections. */
  boolean areGiven() {
    return numbers != null;
  }

  /**
   * What it says, for each number of connections.
   *
   * @param common the options beside it
   * @param leftOut told who is left out and why
   */
  List<BenchSettings> settings(BenchOptions common, BiConsumer<Participant, String> leftOut) {
    common.checkNoneWith("--connections", OneConnectionOptions.NAMES);
    Set<Integer> distinct = numbers(common);
    Set<ConnectionsContender> wanted =
        common.contenders(
            ConnectionsContenders::named,
            ConnectionsContenders.BASELINE,
            ConnectionsContenders.all());
    Duration duration = common.burst(BURST);
    List<BenchSettings> runs = new ArrayList<>();
    for (int each : distinct) {
      List<Workload> workloads =
          common.counts(SIZES).stream()
              .map(count -> Workload.concurrent(count, each))
              .distinct()
              .toList();
      runs.add(
          common.settings(available(wanted, each, leftOut), workloads, duration, distinct.size()));
    }
    return runs;
  }

  private Set<Integer> numbers(BenchOptions common) {
    Set<Integer> distinct = new LinkedHashSet<>(numbers == null ? List.of() : numbers);
    for (int each : distinct) {
      common.check(
          each >= 1 && each <= MOST, "--connections must be 1 to " + MOST, "connections", each);
      String shortage = FileDescriptors.shortage(each, FileDescriptors.limit());
      if (shortage != null) {
        throw common.usage(shortage);
      }
    }
    return distinct;
  }

  private static List<Participant> available(
      Set<ConnectionsContender> wanted, int number, BiConsumer<Participant, String> leftOut) {
    List<Participant> available = new ArrayList<>();
    for (ConnectionsContender each : wanted) {
      String unavailable = each.unavailable(number);
      if (unavailable == null) {
        available.add(each);
      } else {
        leftOut.accept(each, unavailable);
      }
    }
    return List.copyOf(available);
  }
}
