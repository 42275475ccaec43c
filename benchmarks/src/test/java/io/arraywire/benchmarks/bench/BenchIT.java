package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.benchmarks.SaidLines;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole run, small; nothing is asserted of how long anything takes. */
@Tag("ci")
@Tag("newest")
class BenchIT {
  private static final String SHORT_LIVED = "--jvm-option=-XX:TieredStopAtLevel=1";

  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  /** In JVMs that start with less, since nobody reads the figures. */
  private int bench(String... arguments) {
    return run(Stream.concat(Stream.of(arguments), Stream.of(SHORT_LIVED)).toArray(String[]::new));
  }

  private int run(String... arguments) {
    return Bench.execute(console.console(), RecordedConsole.line("bench", (Object[]) arguments));
  }

  private int runShortly(String more) {
    return bench(
        "--contenders=nio", "--sizes=64", "--pipeline-sizes=0", "--rounds=2", "--burst=10", more);
  }

  @Test
  void aRunOverUnixDomainSocketsLeavesNoSocketsBehind() throws Exception {
    // Of its own, for others may run such processes at the same time.
    Path sockets = Files.createDirectory(directory.resolve("sockets"));
    int status =
        bench(
            "--contenders=raw-sleep-unix,nio-unix",
            "--sizes=64,8K",
            "--rounds=2",
            "--burst=10",
            "--jvm-option=-Djava.io.tmpdir=" + sockets);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out()).contains("\nraw-sleep-unix ", "\nnio-unix ");
    assertThat(sockets).isEmptyDirectory();
  }

  @Test
  void aRunThatFailsLeavesTheFiguresOfAnEarlierOne() throws Exception {
    Path json = Files.writeString(directory.resolve("bench.json"), "figures");
    int status = run("--contenders=nio", "--jvm-option=-XX:NoSuchOption", "--json=" + json);
    assertThat(status).isEqualTo(1);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(json).hasContent("figures");
  }

  @Test
  void aRunPrintsTablesAndWritesJson() throws Exception {
    Path json = directory.resolve("bench.json");
    int status =
        bench(
            "--contenders=nio",
            "--sizes=64,8K",
            "--window=4",
            "--rounds=2",
            "--burst=10",
            "--json=" + json);
    assertThat(console.err()).contains("bench: round 2 of 2").doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .contains("float[] of 64 bytes, medians of 2 rounds")
        .contains("float[] of 8 KiB, medians of 2 rounds")
        .contains("float[] of 64 bytes, 4 in flight, medians of 2 rounds")
        .contains("raw-sleep", "nio");
    BenchFile file = BenchFile.read(json);
    assertThat(file.environment().command()).startsWith("./arraywire", "bench", "--contenders=nio");
    assertThat(file.runs()).hasSize(1);
    Run run = file.runs().get(0);
    assertThat(run.baseline()).isEqualTo("raw-sleep");
    assertThat(run.rounds()).isEqualTo(2);
    assertThat(run.burstMillis()).isEqualTo(10);
    assertThat(run.jvmFlags()).contains("-XX:+AlwaysPreTouch");
    assertThat(run.questions())
        .extracting(Question::label)
        .containsExactly("64 bytes", "8 KiB", "64 bytes, 4 in flight");
    for (Question question : run.questions()) {
      assertThat(question.rows()).extracting(Row::contender).containsExactly("raw-sleep", "nio");
      for (Row row : question.rows()) {
        assertThat(row.rounds()).hasSize(2);
        assertThat(row.arrays()).isPositive();
        // Those that were not waited for have no times of their own.
        assertThat(row.times().getTotalCount()).isEqualTo(question.pipelined() ? 0 : row.arrays());
      }
      assertThat(question.rows().get(0).ratio()).isEqualTo(1);
      // That of two short rounds of the others may be too wide to be known.
      assertThat(question.rows().get(0).ratioInterval()).isEqualTo(new Interval(1, 1));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--pipeline-sizes=0 | no figures are kept",
        "--full | the same command goes on after the rounds that are done",
      })
  void anInterruptedRunSaysWhatIsLeft(String option, String left) throws Exception {
    Path json = directory.resolve("bench.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
    Collections.addAll(
        command,
        RecordedConsole.line(
            "bench",
            "--contenders=nio",
            "--sizes=64",
            "--rounds=1000",
            "--burst=10",
            option,
            "--json=" + json,
            SHORT_LIVED));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      BufferedReader lines = process.inputReader(UTF_8);
      SaidLines.await(lines, "bench: round 2 of 1000");
      // That of the process itself would close the streams, too.
      process.toHandle().destroy();
      String more = lines.lines().collect(Collectors.joining("\n"));
      assertThat(more).contains("bench: interrupted; " + left).doesNotContain("Exception");
      assertThat(process.waitFor()).isNotZero();
      assertThat(json).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Both JVMs of the one that loses bits read the file: what arrives is compared with it. */
  @Test
  void whatIsInAFileIsSentAndWhoLosesBitsSaysSo() throws Exception {
    Path json = directory.resolve("bench.json");
    Path data = NpyFiles.write(directory.resolve("real.npy"), SampleData.SENSORS.elements(1 << 16));
    int status =
        bench(
            "--contenders=nio,nio-bf16",
            "--data=" + data,
            "--sizes=512K",
            "--pipeline-sizes=0",
            "--rounds=2",
            "--burst=10",
            "--report=" + directory.resolve("report"),
            "--json=" + json);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .contains("-Darraywire.bench.data=" + data)
        .contains("float[] of 512 KiB, data real.npy, medians of 2 rounds")
        .contains("\nnio-bf16 (lossy) ", "\nnio  ")
        .contains("! nio-bf16 loses bits: relative error 2^-8");
    assertThat(json)
        .content()
        .contains("\"data\":\"real.npy\"", "\"dataElements\":65536", "\"loss\":\"relative error");
    Run run = BenchFile.read(json).runs().get(0);
    assertThat(run.network()).isEqualTo("loopback, data real.npy");
    assertThat(run.questions().get(0).rows())
        .extracting(Row::contender)
        .containsExactly("raw-sleep", "nio", "nio-bf16 (lossy)");
    assertThat(directory.resolve("report/report.html"))
        .content()
        .contains("data real.npy", "nio-bf16 (lossy)");
  }

  @Test
  void aRunCanBeComparedAndReported() throws Exception {
    Path json = directory.resolve("bench.json");
    assertThat(runShortly("--json=" + json)).isZero();
    assertThat(run("compare", json.toString(), json.toString())).isZero();
    assertThat(console.out()).containsPattern("nio .* within noise");
    assertThat(run("report", json.toString(), "--png", "--out=" + directory.resolve("report")))
        .isZero();
    assertThat(directory.resolve("report/report.html")).isNotEmptyFile();
    assertThat(directory.resolve("report/loopback-64B-percentiles.png")).isNotEmptyFile();
    assertThat(run("compare", "--help")).isZero();
    assertThat(run("compare", json.toString())).isEqualTo(2);
    assertThat(console.err()).contains("arraywire bench compare: ");
  }

  @Test
  void aRunCanMakeItsReport() throws Exception {
    Path report = directory.resolve("new/report");
    assertThat(runShortly("--report=" + report)).isZero();
    assertThat(console.out()).contains("Report: " + report.resolve("report.html"));
    assertThat(report.resolve("report.html")).content().contains("raw-sleep");
    assertThat(BenchFile.read(report.resolve("figures.json")).runs()).hasSize(1);
  }

  @Test
  void manyConnectionsHaveTheirTablesAndJson() throws Exception {
    Path json = directory.resolve("connections.json");
    int status =
        bench(
            "--connections=3,1",
            "--contenders=nio-2-loops,stream",
            "--sizes=8K",
            "--rounds=2",
            "--burst=10",
            "--json=" + json);
    assertThat(console.err())
        .contains("bench: 3 connections: round 2 of 2", "bench: 1 connection: round 2 of 2")
        .doesNotContain("Exception");
    assertThat(status).isZero();
    List<String> names = List.of("raw-selector", "nio-2-loops", "stream");
    assertThat(console.out())
        .contains("float[] of 8 KiB, 3 connections, medians of 2 rounds")
        .contains("float[] of 8 KiB, 1 connection, medians of 2 rounds")
        .contains("x raw-selector", "least/mean", "Jain")
        .contains("arrays/s, float[] of 8 KiB, by number of connections")
        .contains(names);
    BenchFile file = BenchFile.read(json);
    assertThat(file.runs()).hasSize(2);
    assertThat(file.runs())
        .flatExtracting(Run::questions)
        .extracting(Question::connections)
        .containsExactly(3, 1);
    for (Run run : file.runs()) {
      assertThat(run.baseline()).isEqualTo("raw-selector");
      List<Row> rows = run.questions().get(0).rows();
      assertThat(rows).extracting(Row::contender).containsExactlyElementsOf(names);
      assertThat(rows)
          .allSatisfy(row -> assertThat(row.jainIndex()).isGreaterThan(0).isLessThanOrEqualTo(1));
    }
  }

  @Test
  void requestsHaveTheirTablesAndJson() throws Exception {
    Path json = directory.resolve("requests.json");
    int status =
        bench(
            "--requests",
            "--clients=3/2,1",
            "--contenders=nio,stream",
            "--rounds=2",
            "--burst=10",
            "--json=" + json);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .contains("float[] of 512 bytes, 3 threads on 2 connections, medians of 2 rounds")
        .contains("float[] of 512 bytes, 1 thread on 1 connection, medians of 2 rounds")
        .contains("requests/s", "CPU us/request", "B/request", "p99.9")
        .contains("\njdk-threads ", "\nnio ", "\nstream ");
    Run run = BenchFile.read(json).runs().get(0);
    assertThat(run.questions()).extracting(Question::threads).containsExactly(3, 1);
    assertThat(run.questions()).extracting(Question::connections).containsExactly(2, 1);
    for (Question question : run.questions()) {
      assertThat(question.rows()).extracting(Row::contender).contains("jdk-threads", "nio");
      assertThat(question.rows())
          .allSatisfy(row -> assertThat(row.times().getTotalCount()).isEqualTo(row.arrays()));
    }
    assertThat(run("report", json.toString(), "--png", "--out=" + directory.resolve("report")))
        .isZero();
    assertThat(directory.resolve("report/loopback-512B-connections-2-threads-3-percentiles.png"))
        .isNotEmptyFile();
  }

  @Test
  void ratesHaveTheirTablesLogsAndCharts() throws Exception {
    Path json = directory.resolve("rates.json");
    Path report = directory.resolve("report");
    int status =
        bench(
            "--rate=1k,2k",
            "--at-once=2",
            "--contenders=nio,stream",
            "--rounds=2",
            "--burst=20",
            "--json=" + json);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .contains("float[] of 64 bytes, 1 connection, 1,000 requests/s, 2 at once, medians of 2")
        .contains("float[] of 64 bytes, 1 connection, 2,000 requests/s, 2 at once, medians of 2")
        .contains("\njdk-threads ", "\nnio ", "\nstream ");
    Run run = BenchFile.read(json).runs().get(0);
    assertThat(run.questions()).extracting(Question::rate).containsExactly(1_000, 2_000);
    for (Question question : run.questions()) {
      assertThat(question.atOnce()).isEqualTo(2);
      assertThat(question.rows())
          .hasSize(3)
          .allSatisfy(row -> {
            // All that fell due have a time, also where there was no time to send them.
            assertThat(row.times().getTotalCount()).isEqualTo(2 * question.rate() / 50);
            assertThat(row.arrays()).isPositive().isLessThanOrEqualTo(2 * question.rate() / 50);
            assertThat(row.reachedPerSecond()).isPositive();
          });
    }
    assertThat(Files.readString(json)).contains("hdrHistogramLog", "Tag=nio,");
    assertThat(run("report", json.toString(), "--png", "--out=" + report)).isZero();
    assertThat(report.resolve("report.html")).isNotEmptyFile();
    assertThat(report.resolve("loopback-64B-at-once-2-by-rate-p99.png")).isNotEmptyFile();
    assertThat(report.resolve("loopback-64B-at-once-2-by-rate-p99.9.png")).isNotEmptyFile();
  }

  @Test
  void slowAnswersAreAQuestionOfTheirOwn() throws Exception {
    Path json = directory.resolve("answers.json");
    int status =
        bench(
            "--slow-answers",
            "--answers=300",
            "--delay=20",
            "--contenders=nio,nio-later,stream",
            "--rounds=2",
            "--json=" + json);
    assertThat(console.err()).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(console.out())
        .contains(
            "float[] of 64 bytes, 100 connections, 300 requests, 1 of 10 answered after 20 ms")
        .contains("\njdk-threads ", "\nnio ", "\nnio-later ", "\nstream ");
    Question question = BenchFile.read(json).runs().get(0).questions().get(0);
    assertThat(question.rows())
        .hasSize(4)
        .allSatisfy(row -> {
          assertThat(row.arrays()).isEqualTo(600);
          // Those of requests that are not slow.
          assertThat(row.times().getTotalCount()).isEqualTo(540);
        });
  }
}
