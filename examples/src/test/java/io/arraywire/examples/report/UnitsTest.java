package io.arraywire.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17B, 17",
    "1K, 1024",
    "64M, 67108864",
    "64 MiB, 67108864",
    "2GB, 2147483648"
  })
  void readsSizes(String text, long bytes) {
    assertThat(Units.parseBytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "-1", "1.5M", "1T", "1MM", "1 k", "99999999999999999999"})
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> Units.parseBytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("size=" + text);
  }

  @Test
  void refusesSizesThatOverflow() {
    assertThat(Units.parseBytes("8589934591G")).isEqualTo(8589934591L << 30);
    assertThatThrownBy(() -> Units.parseBytes("8589934592G"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("size=8589934592G");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1023, 1023 bytes",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "67108864, 64 MiB",
    "3221225472, 3 GiB",
    "2199023255552, 2048 GiB"
  })
  void writesSizes(long bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1500, 1.50 us",
    "999000, 999 us",
    "1234567, 1.23 ms",
    "999499999, 999 ms",
    "12345678901, 12.3 s"
  })
  void writesTimes(long nanos, String text) {
    assertThat(Units.time(nanos)).isEqualTo(text);
  }

  @Test
  void writesHowOften() {
    assertThat(Units.times(0)).isEqualTo("0 times");
    assertThat(Units.times(1)).isEqualTo("once");
    assertThat(Units.times(7)).isEqualTo("7 times");
  }

  @Test
  void writesRatesAndShapes() {
    assertThat(Units.megabytesPerSecond(1_000_000, 1_000_000_000)).isEqualTo(1);
    assertThat(Units.percent(0.1234)).isEqualTo("12 %");
    assertThat(Units.significant(Double.NaN)).isEqualTo("?");
    assertThat(Units.significant(0.123)).isEqualTo("0.12");
    assertThat(Units.significant(0.0999)).isEqualTo("0.10");
    assertThat(Units.significant(0.00316)).isEqualTo("0.0032");
    assertThat(Units.significant(0)).isEqualTo("0.00");
    assertThat(Units.significant(99.96)).isEqualTo("100");
    assertThat(Units.shape(List.of())).isEqualTo("()");
    assertThat(Units.shape(List.of(3L))).isEqualTo("(3,)");
    assertThat(Units.shape(List.of(3L, 4L))).isEqualTo("(3, 4)");
  }
}
