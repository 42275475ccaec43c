package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every contender moves every bit from NumPy into a {@code float[]} and back, as {@code bench}
 * checks it before any clock runs. Then both ends leave the processors to others.
 */
@Tag("newest")
@Tag("contenders")
class PythonPairIT {
  /** Within one message of each, several whole ones, and no multiple of any buffer. */
  private static final List<Integer> COUNTS = List.of(1, 16, 512 << 10, 600_001);

  /** On a machine that is busy with other tests. */
  private static final Duration TO_REST = Duration.ofMinutes(1);

  static List<String> names() {
    return PythonContenders.all().stream().map(Participant::name).toList();
  }

  @Test
  void thoseOfOtherLibrariesAreThereIfTheyWereBuilt() {
    assertThat(names()).startsWith("socket", "nio");
    if (!Contenders.ofPeers().isEmpty()) {
      assertThat(names()).containsExactly("socket", "nio", "grpc", "arrow-flight", "pyzmq", "py4j");
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void arraysArriveAndComeBackAndNobodyIsDisturbedAfterwards(String name) throws Exception {
    PythonContender contender = PythonContenders.named(name);
    Python.require(contender);
    List<Workload> workloads = COUNTS.stream().map(Workload::roundTrip).toList();
    BenchSettings settings =
        BenchSettings.of(List.of(contender), workloads)
            .burst(Duration.ofMillis(10))
            .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
            .build();
    try (Pair pair = contender.start(settings, System.err)) {
      for (Workload each : workloads) {
        pair.verify(each);
        Burst burst = pair.burst(each, settings.burst());
        assertThat(burst.arrays()).isPositive().isEqualTo(burst.times().getTotalCount());
        assertThat(burst.sent()).isGreaterThanOrEqualTo(burst.arrays());
        assertThat(burst.expense().cpuNanos()).isPositive();
        // Nothing is left over of what came before.
        pair.verify(each);
      }
      Rest.await(List.of(contender), List.of(pair), TO_REST);
    }
  }
}
