package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every contender moves every bit between two JVMs, or those that it says it does, which have no
 * options but its own. As {@code bench} checks it before any clock runs. Then both leave the
 * processors to others.
 */
@Tag("newest")
@Tag("contenders")
class ContenderPairIT {
  /** The last is no multiple of any buffer. */
  private static final List<Integer> COUNTS = List.of(16, 16 << 10, 100_003);

  /** On a machine that is busy with other tests. */
  private static final Duration TO_REST = Duration.ofMinutes(1);

  private static final boolean THOROUGH = Boolean.getBoolean("arraywire.test.thorough");

  /** Each differs from another contender within one process only; ContendersTest has them all. */
  private static final Set<String> VARIANTS =
      Set.of(
          "raw-staged",
          "raw-staged-spin",
          "jdk-data-output-buffered",
          "jdk-object-stream",
          "jdk-deflater",
          "nio-busy",
          "netty-nio-busy",
          "netty-nio-messages",
          "grpc-packed",
          "grpc-gzip",
          "arrow-flight-lz4",
          "arrow-flight-zstd",
          "kryo-spin");

  static List<String> names() {
    return Contenders.all().stream()
        .filter(each -> each.unavailable() == null)
        .map(Contender::name)
        // All but those that differ from one that is here in what arrays need not care for.
        .filter(name -> !name.matches("(nio|stream)-.*") || name.matches("nio-(unix|busy|bf16)"))
        .filter(name -> THOROUGH || !VARIANTS.contains(name))
        .toList();
  }

  private static BenchSettings settings(Contender contender, List<Workload> workloads) {
    return BenchSettings.of(List.of(contender), workloads)
        .burst(Duration.ofMillis(10))
        .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
        .build();
  }

  @ParameterizedTest
  @MethodSource("names")
  void arraysArriveInAnotherJvmAndNobodyIsDisturbedAfterwards(String name) throws Exception {
    Contender contender = Contenders.named(name);
    List<Workload> workloads =
        Stream.concat(
                COUNTS.stream().map(Workload::oneByOne), Stream.of(Workload.pipelined(16, 64)))
            .toList();
    BenchSettings settings = settings(contender, workloads);
    try (Pair pair = contender.start(settings, System.err)) {
      for (Workload each : workloads) {
        pair.verify(each);
        pair.burst(each, settings.burst());
        // Nothing is left over of what came before.
        pair.verify(each);
      }
      Rest.await(List.of(contender), List.of(pair), TO_REST);
    }
  }
}
