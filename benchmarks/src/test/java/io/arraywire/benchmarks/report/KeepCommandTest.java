package io.arraywire.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.JmhSamples;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Samples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures as the repository keeps them make the same page. */
@Tag("ci")
@Tag("newest")
class KeepCommandTest {
  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  private Path measured() throws IOException {
    return Samples.write(
        directory.resolve("loopback.json"),
        List.of(
            Samples.run(
                "raw-sleep",
                List.of(
                    Samples.workload(
                        "64 bytes",
                        64,
                        0,
                        List.of(
                            Samples.contender("raw-sleep", Samples.ROUNDS, Samples.ROUNDS, true),
                            Samples.contender(
                                "nio", Samples.ROUNDS, Samples.times(0.5), true)))))));
  }

  private Path kept(Path file) {
    assertThat(
            console.run(
                new KeepCommand(console.console()), "keep", file, "--out", directory.resolve("k")))
        .as(console.err())
        .isZero();
    String name = file.getFileName().toString();
    return directory.resolve("k").resolve(name.endsWith(".gz") ? name : name + ".gz");
  }

  /** All files of the report, by name; the page has the name of its source in it. */
  private Map<String, byte[]> report(Path figures) throws IOException {
    Path into = Files.createTempDirectory(directory, "report");
    assertThat(
            console.run(
                new ReportCommand(console.console()), "report", figures, "--png", "--out", into))
        .as(console.err())
        .isZero();
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(into)) {
      for (Path each : all.toList()) {
        byte[] bytes = Files.readAllBytes(each);
        String name = each.getFileName().toString();
        files.put(
            name,
            name.endsWith(".html")
                ? new String(bytes, UTF_8).replace("json.gz", "json").getBytes(UTF_8)
                : bytes);
      }
    }
    return files;
  }

  @Test
  void theReportIsTheSame() throws IOException {
    Map<String, byte[]> before = report(measured());
    assertThat(before).hasSize(1 + 2); // the page; ratios and percentiles
    assertThat(report(kept(measured()))).containsExactlyInAnyOrderEntriesOf(before);
  }

  @Test
  void onlyTheTimesOfSingleRoundsAreGone() throws IOException {
    Row before = BenchFile.read(measured()).runs().get(0).questions().get(0).rows().get(1);
    Path kept = kept(measured());
    Row after = BenchFile.read(kept).runs().get(0).questions().get(0).rows().get(1);
    assertThat(after).isEqualTo(before);
    assertThat(after.times().getTotalCount()).isPositive();
    assertThat(Files.size(kept)).isLessThan(Files.size(measured()) / 2);
  }

  @Test
  void whatIsKeptIsKeptAgainAsItIs() throws IOException {
    Path kept = kept(measured());
    byte[] bytes = Files.readAllBytes(kept);
    assertThat(Files.readAllBytes(kept(kept))).isEqualTo(bytes);
  }

  @Test
  void figuresOfJmhAreOnlyCompressed() throws IOException {
    String text = "[" + JmhSamples.result("a.b.C.m", "direct", 16, 0.5) + "]\n";
    Path kept = kept(Files.writeString(directory.resolve("jmh.json"), text));
    assertThat(report(kept)).hasSize(2);
  }

  @Test
  void aFileThatWasCutIsSaidInOneLine() throws IOException {
    byte[] whole = Files.readAllBytes(kept(measured()));
    console.clear();
    List<Path> wrong = new ArrayList<>();
    wrong.add(
        Files.write(directory.resolve("cut.json.gz"), Arrays.copyOf(whole, whole.length / 2)));
    byte[] other = whole.clone();
    other[whole.length / 2] ^= 0x55;
    wrong.add(Files.write(directory.resolve("other.json.gz"), other));
    for (Path each : wrong) {
      assertThat(
              console.run(new ReportCommand(console.console()), "report", each, "--out", directory))
          .isEqualTo(1);
      assertThat(console.err()).contains("not JSON", each.toString()).hasLineCount(1);
      console.clear();
    }
  }

  /** What the repository keeps can be read, and a page of it be made. */
  @Test
  void everyFileOfTheRepositoryIsReadable() throws IOException {
    Path reports = Path.of("../docs/reports");
    List<Path> files;
    try (Stream<Path> all = Files.list(reports)) {
      files = all.toList();
    }
    assertThat(files).hasSizeGreaterThan(10);
    for (Path each : files) {
      assertThat(each.toString()).endsWith(".json.gz");
      byte[] again = Files.readAllBytes(kept(each));
      try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(again));
          GZIPInputStream stored = new GZIPInputStream(Files.newInputStream(each))) {
        assertThat(stored.readAllBytes())
            .as("as 'bench keep' writes it: %s", each)
            .isEqualTo(text.readAllBytes());
      }
    }
  }
}
