package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmhFileTest {
  private static final String RESULT = JmhSamples.result("a.b.CodecBenchmark.encode", "x", 16, 2);

  @TempDir private Path directory;

  private JmhResult only(String result) throws IOException {
    Path file = Files.writeString(directory.resolve("jmh.json"), "[" + result + "]");
    JmhFile read = (JmhFile) FiguresFile.read(file);
    assertThat(read.results()).hasSize(1);
    return read.results().get(0);
  }

  @Test
  void whatJmhWritesIsRead() throws IOException {
    JmhResult result = only(RESULT);
    assertThat(result.benchmark()).isEqualTo("CodecBenchmark.encode");
    assertThat(result.parameters()).isEqualTo(Map.of("codec", "x", "elements", "16"));
    assertThat(result.score()).isEqualTo(2);
    assertThat(result.unit()).isEqualTo("us/op");
    assertThat(result.interval()).isEqualTo(new Interval(1.8, 2.2));
    assertThat(result.iterations()).containsExactly(1.0, 2.0, 2.0, 3.0);
    assertThat(result.spread()).isCloseTo(0.25, within(1e-12));
    assertThat(result.standardDeviation()).isCloseTo(0.8165, within(1e-4));
    assertThat(result.allocatedBytes()).isEqualTo(24);
  }

  /** Its mode "sample" keeps a histogram, and methods need no parameters. */
  @Test
  void whatIsNotThereIsNotKnown() throws IOException {
    JmhResult result =
        only(
            RESULT
                .replace("rawData", "rawDataHistogram")
                .replace("params", "others")
                .replace("gc.alloc.rate.norm", "something"));
    assertThat(result.parameters()).isEmpty();
    assertThat(result.iterations()).isEmpty();
    assertThat(result.spread()).isNaN();
    assertThat(result.standardDeviation()).isNaN();
    assertThat(result.allocatedBytes()).isNaN();
  }

  @Test
  void theIntervalOfOneIterationIsNotKnown() throws IOException {
    assertThat(only(RESULT.replace("[[1.0,2.0],[2.0,3.0]]", "[[2.0]]")).interval().known())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "benchmark | member=[0].benchmark, expected=text",
        "primaryMetric | member=[0].primaryMetric, expected=object",
        "scoreConfidence | member=[0].primaryMetric.scoreConfidence, expected=list",
        "secondaryMetrics | member=[0].secondaryMetrics, expected=object",
        "forks | member=[0].forks, expected=whole number",
        "jvmArgs | member=[0].jvmArgs, expected=list",
      })
  void whatIsMissingIsNamed(String member, String complaint) {
    assertThatIOException()
        .isThrownBy(() -> only(RESULT.replace("\"" + member + "\"", "\"renamed\"")))
        .withMessageContaining("not as JMH writes it")
        .withMessageContaining(complaint);
  }

  @Test
  void whatIsNoResultIsRefused() {
    assertThatIOException().isThrownBy(() -> only("1")).withMessageContaining("list of objects");
    assertThatIOException()
        .isThrownBy(() -> only(RESULT.replace("\"score\":2.0", "\"score\":-2.0")))
        .withMessageContaining("primaryMetric.score, expected=a number above 0");
    assertThatIOException()
        .isThrownBy(() -> only(RESULT.replace("[1.8,2.2]", "[1.8]")))
        .withMessageContaining("expected=two numbers");
  }
}
