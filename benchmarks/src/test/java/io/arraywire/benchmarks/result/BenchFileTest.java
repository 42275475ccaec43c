package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchFileTest {
  @TempDir private Path directory;

  private Path sample() throws IOException {
    return Samples.file(
        directory.resolve("sample.json"), "nio", Samples.ROUNDS, Samples.times(0.5));
  }

  /** Figures that were published before are found under the names of today. */
  @Test
  void olderFilesHaveTheNamesOfToday() throws IOException {
    Path older =
        Samples.write(
            directory.resolve("older.json"),
            List.of(
                Samples.run(
                    "raw-ceiling",
                    List.of(
                        Samples.workload(
                            "64 bytes, 256 on their way",
                            64,
                            0,
                            List.of(
                                Samples.contender(
                                    "raw-ceiling", Samples.ROUNDS, Samples.ROUNDS, true),
                                Samples.contender(
                                    "raw-ceiling-unix", Samples.ROUNDS, Samples.ROUNDS, true)))))));
    Run run = BenchFile.read(older).runs().get(0);
    assertThat(run.baseline()).isEqualTo("raw-sleep");
    assertThat(run.questions().get(0).label()).isEqualTo("64 bytes, 256 in flight");
    assertThat(run.questions().get(0).rows())
        .extracting(Row::contender)
        .containsExactly("raw-sleep", "raw-sleep-unix");
    assertThat(OldNames.contender("raw-ceilings")).isEqualTo("raw-ceilings");
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    BenchFile file = BenchFile.read(sample());
    assertThat(file.environment()).isEqualTo(Samples.environment());
    assertThat(file.runs()).hasSize(1);
    Run run = file.runs().get(0);
    assertThat(run.network()).isEqualTo("loopback");
    assertThat(run.baseline()).isEqualTo("raw-sleep");
    assertThat(run.jvmFlags()).containsExactly("-Xms98m");
    Row row = run.questions().get(0).row("nio").orElseThrow();
    assertThat(row.ratio()).isEqualTo(2);
    assertThat(row.gigabytesPerSecond()).isCloseTo(0.128, within(1e-12));
    assertThat(row.rounds()).containsExactly(Samples.times(0.5));
    assertThat(row.times().getTotalCount()).isEqualTo(7000);
    assertThat(row.allocatedBytesPerArray()).isEqualTo(1234.5);
    assertThat(row.jainIndex()).isNaN();
  }

  @Test
  void ofARoundTripTheBytesOfBothWaysCount() throws IOException {
    String text =
        Files.readString(sample()).replace("\"bytes\":64", "\"bytes\":64,\"movedBytes\":128");
    Path file = Files.writeString(directory.resolve("python.json"), text);
    Question question = BenchFile.read(file).runs().get(0).questions().get(0);
    assertThat(question.bytes()).isEqualTo(64);
    assertThat(question.row("nio").orElseThrow().gigabytesPerSecond())
        .isCloseTo(0.256, within(1e-12));
  }

  @Test
  void aFileThatIsNotThere() {
    assertThatIOException()
        .isThrownBy(() -> BenchFile.read(directory.resolve("missing.json")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | not JSON: it is empty",
        "figures | not JSON: wrong at line 1, column 1; give a file that 'arraywire bench --json'",
        "{\"format\": | not JSON: it ends too early",
        "{} {} | not JSON",
        "[] | not a file of 'arraywire bench --json', but a list, as JMH writes it",
        "1 | not JSON",
        "{'format':1} | not JSON",
        "{} | not a file of 'arraywire bench --json'",
        "{\"runs\":[]} | not a file of 'arraywire bench --json'",
        "{\"format\":\"arraywire-bench\",\"version\":2} | version=2, expected=1",
        "{\"format\":\"arraywire-bench\",\"version\":\"x\"} | member=version",
        "{\"format\":\"arraywire-bench\",\"version\":1,\"runs\":[]} | member=runs",
        "{\"format\":\"arraywire-bench\",\"version\":1,\"runs\":[{}]} | member=runs[0].workloads",
      })
  void whatIsNotAFileOfBenchIsSaidInOneLine(String text, String complaint) throws IOException {
    Path file = Files.writeString(directory.resolve("x.json"), text);
    assertThatIOException()
        .isThrownBy(() -> BenchFile.read(file))
        .satisfies(e -> {
          assertThat(e.getMessage()).contains(complaint, "file=" + file).hasLineCount(1);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"nanos\":500.0, | | runs[0].workloads[0].contenders[1].rounds[0].nanos",
        "\"started\":\"2026-11-22T10:00:00Z\" | \"started\":\"today\" | started",
        "\"processors\":2 | \"processors\":[2] | machine.processors",
        "\"command\":[ | \"command\":[{}, | command",
        "\"bytes\":64 | \"bytes\":0 | runs[0].workloads[0].bytes",
        "\"bytes\":64 | \"bytes\":64,\"movedBytes\":63 | runs[0].workloads[0].movedBytes",
        "\"times\":\" | \"times\":\"AAAA | runs[0].workloads[0].contenders[0].rounds[0].times",
        "\"modified\":true | \"modified\":\"yes\" | modified",
      })
  void whatIsMissingOrOfAnotherKindIsNamed(String there, String instead, String member)
      throws IOException {
    String text = Files.readString(sample());
    assertThat(text).contains(there);
    Path file =
        Files.writeString(
            directory.resolve("x.json"), text.replace(there, instead == null ? "" : instead));
    assertThatIOException()
        .isThrownBy(() -> BenchFile.read(file))
        .withMessageContaining("member=" + member);
  }
}
