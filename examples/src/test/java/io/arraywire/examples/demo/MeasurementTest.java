package io.arraywire.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.spi.Codec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  private static final int MEBIBYTE = 1 << 20;

  private static Measurement measurement(String codec, int bytes, long... nanos) {
    Codec found =
        Contender.all(ElementType.FLOAT, 1, 1).stream()
            .map(Contender::codec)
            .filter(each -> each.name().equals(codec))
            .findFirst()
            .orElseThrow();
    Measurement measurement = new Measurement(new Contender("nio", found, bytes / 4, bytes), bytes);
    for (long each : nanos) {
      measurement.add(
          each,
          new Receipt(bytes / 4, bytes, bytes, 3, 0),
          new Receipt(bytes / 4, bytes, 2L * bytes, 5, 0),
          true);
    }
    return measurement;
  }

  private static DemoResult result(Measurement... measurements) {
    return new DemoResult(
        new DemoSettings(Path.of("a.npy"), "a.npy", MEBIBYTE, 1024, 0, 3),
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(262144L)),
        List.of(measurements));
  }

  @Test
  void medianRateCopiesAndSystemCalls() {
    Measurement odd = measurement("direct", MEBIBYTE, 9_000_000, 1_000_000, 2_000_000);
    assertThat(odd.medianNanos()).isEqualTo(2_000_000);
    assertThat(odd.megabytesPerSecond()).isEqualTo(524.288);
    assertThat(odd.copiesPerByte()).isEqualTo(3);
    assertThat(odd.operationsPerMebibyte()).isEqualTo(8);
    assertThat(measurement("direct", MEBIBYTE, 4, 1, 3, 2).medianNanos()).isEqualTo(2);
  }

  @Test
  void oneWrongRoundIsEnough() {
    Measurement measurement = measurement("direct", MEBIBYTE, 1000, 2000);
    assertThat(measurement.verified()).isTrue();
    Receipt receipt = new Receipt(1, 1, Receipt.UNKNOWN, Receipt.UNKNOWN, 0);
    measurement.add(1000, receipt, receipt, false);
    measurement.add(1000, receipt, receipt, true);

    assertThat(measurement.verified()).isFalse();
    assertThat(measurement.copiesPerByte()).isNaN();
    assertThat(measurement.operationsPerMebibyte()).isNaN();
    DemoResult result = result(measurement("direct", MEBIBYTE, 1), measurement);
    assertThat(result.verified()).isFalse();
    assertThat(result.json(List.of())).contains("\"copiesPerByte\":null", "\"verified\":false");
    assertThat(result.lines().get(2)).contains(" ? ").endsWith("NO");
    assertThat(result.lines().get(result.lines().size() - 1)).startsWith("NOT every array");
  }

  @Test
  void nothingMeasuredIsNotVerified() {
    assertThat(result().verified()).isFalse();
    assertThat(measurement("direct", MEBIBYTE).verified()).isFalse();
  }

  @Test
  void slowestFirstAndTheSmallerPieceIsSaid() {
    DemoResult result =
        result(
            measurement("direct", MEBIBYTE, 1_000_000),
            measurement("data-output", 1024, 1_000_000));

    assertThat(result.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("transport"),
            line -> assertThat(line).startsWith("---"),
            line -> assertThat(line).contains("data-output", "1 KiB", " 1.02 ").endsWith("yes"),
            line -> assertThat(line).contains("direct", "1 MiB", " 1049 ").endsWith("yes"),
            line -> assertThat(line).isEmpty(),
            line -> assertThat(line).contains("smaller piece (1 KiB)"),
            line -> assertThat(line).contains("median of 3"),
            line -> assertThat(line).startsWith("This is a demo, not a benchmark"),
            line -> assertThat(line).startsWith("Every array arrived"));
    assertThat(result(measurement("direct", MEBIBYTE, 1)).lines())
        .noneMatch(line -> line.contains("smaller piece"));
  }

  @Test
  void everyCodecThatKnowsTheTypeOnEveryTransport() {
    List<Contender> floats = Contender.all(ElementType.FLOAT, 1000, 10);
    assertThat(floats)
        .extracting(each -> each.codec().name())
        .contains("data-output", "object-stream", "buffer-view", "direct", "protobuf");
    assertThat(floats)
        .allSatisfy(each ->
            assertThat(each.count()).isEqualTo(each.codec().traits().elementwise() ? 10 : 1000));
    assertThat(Contender.all(ElementType.SHORT, 1000, 10))
        .extracting(each -> each.codec().name())
        .contains("direct")
        .doesNotContain("protobuf");
  }
}
