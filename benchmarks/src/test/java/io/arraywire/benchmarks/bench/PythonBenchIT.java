package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small runs of {@code bench --python}; nothing is asserted of how long anything takes. */
@Tag("ci")
@Tag("newest")
class PythonBenchIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  @BeforeAll
  static void requirePython() {
    Python.require(PythonContenders.named("nio"));
  }

  private int run(Object... arguments) {
    return Bench.execute(console.console(), RecordedConsole.line("bench", arguments));
  }

  private int bench(Object... more) {
    return run(
        Stream.concat(
                Stream.of(
                    "--python",
                    "--contenders=nio",
                    "--burst=10",
                    "--jvm-option=-XX:TieredStopAtLevel=1"),
                Arrays.stream(more))
            .toArray());
  }

  @Test
  void aRunHasItsTablesJsonReportAndComparison() throws Exception {
    Path json = directory.resolve("python.json");
    Path report = directory.resolve("report");
    int status = bench("--sizes=64,8K", "--rounds=2", "--json=" + json, "--report=" + report);
    assertThat(console.err()).contains("bench: round 2 of 2").doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .containsPattern(
            "2 contenders, each with a process of CPython 3\\S+, numpy \\S+ that sends")
        .contains("float[] of 64 bytes there and back, Python at one end, medians of 2 rounds")
        .contains("float[] of 8 KiB there and back, Python at one end, medians of 2 rounds")
        .contains("x socket", "\nsocket ", "\nnio ");
    Run run = BenchFile.read(json).runs().get(0);
    assertThat(run.network()).isEqualTo("loopback, Python at one end");
    assertThat(run.python()).matches("CPython 3\\S+, numpy \\S+");
    assertThat(run.baseline()).isEqualTo("socket");
    assertThat(run.questions()).extracting(Question::bytes).containsExactly(64L, 8192L);
    for (Question question : run.questions()) {
      assertThat(question.rows()).extracting(Row::contender).containsExactly("socket", "nio");
      for (Row row : question.rows()) {
        assertThat(row.rounds()).hasSize(2);
        assertThat(row.times().getTotalCount()).isEqualTo(row.arrays());
        assertThat(row.bytes()).isEqualTo(2 * question.bytes());
        assertThat(row.cpuSecondsPerGigabyte()).isPositive();
      }
    }
    assertThat(report.resolve("report.html"))
        .content()
        .contains("Python at one end", run.python(), "64 bytes there and back");
    assertThat(run("compare", json, json)).isZero();
    assertThat(console.out()).containsPattern("nio .* within noise");
  }

  @Test
  void aPythonThatIsKilledIsToldInOneSentence() throws Exception {
    CompletableFuture<Integer> status =
        CompletableFuture.supplyAsync(() -> bench("--sizes=64", "--rounds=100000"));
    await().atMost(PATIENCE).until(() -> console.err().contains("round 2 of 100000"));
    // Two pairs, of which a JVM is started first.
    assertThat(ends()).hasSize(4);
    assertThat(ends().get(3).destroyForcibly()).isTrue();
    assertThat(status.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(console.err().lines().filter(line -> line.startsWith("arraywire bench: ")))
        .singleElement()
        .asString()
        .contains("the nio Python process ended by itself (status=137, said=");
    assertThat(console.err()).doesNotContain("Traceback");
    await().atMost(PATIENCE).until(() -> ends().isEmpty());
  }

  /** Python is at work and fails, too; but the JVM is why. */
  @ParameterizedTest
  @ValueSource(strings = {"socket", "nio"})
  void aJvmThatIsKilledIsNamed(String name) throws Exception {
    PythonContender contender = PythonContenders.named(name);
    Workload workload = Workload.roundTrip(16);
    BenchSettings settings =
        BenchSettings.of(List.of(contender), List.of(workload))
            .burst(PATIENCE)
            .budget(PATIENCE)
            .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
            .build();
    try (Pair pair = contender.start(settings, null)) {
      CompletableFuture<Burst> burst = new CompletableFuture<>();
      burst.completeAsync(() -> {
        try {
          return pair.burst(workload, settings.burst());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      ProcessHandle jvm = ends().get(0);
      // It starts slowly, and is at work when it goes on taking time.
      Duration idle = jvm.info().totalCpuDuration().orElseThrow();
      await()
          .atMost(PATIENCE)
          .until(() ->
              jvm.info().totalCpuDuration().orElseThrow().compareTo(idle.plusMillis(100)) > 0);
      assertThat(jvm.destroyForcibly()).isTrue();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> burst.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .havingRootCause()
          .withMessageStartingWith("the " + name + " JVM process ended by itself (status=137,");
    }
  }

  /** Children of this JVM, in the order in which they began. */
  private static List<ProcessHandle> ends() {
    return ProcessHandle.current()
        .children()
        .sorted(Comparator.comparing(each -> each.info().startInstant().orElseThrow()))
        .toList();
  }
}
