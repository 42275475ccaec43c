package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

  @Test
  void requestsFallDueEvenly() {
    Rate rate = new Rate(3, 1);
    assertThat(rate.due(0)).isZero();
    assertThat(rate.due(1)).isEqualTo(333_333_333);
    assertThat(rate.due(2)).isEqualTo(666_666_666);
    // What is rounded is not added up.
    assertThat(rate.due(3_000_000)).isEqualTo(1_000_000_000_000_000L);
  }

  @Test
  void severalFallDueAtOnceAndSoManyTimesAsSeldom() {
    Rate rate = new Rate(1_000, 10);
    assertThat(rate.due(9)).isZero();
    assertThat(rate.due(10)).isEqualTo(10_000_000);
    assertThat(rate.due(19)).isEqualTo(10_000_000);
    assertThat(rate.due(20)).isEqualTo(20_000_000);
  }

  @Test
  void aMinuteAtTheHighestRateIsNotTooMuch() {
    Rate rate = new Rate(10_000_000, 1);
    long requests = rate.requests(Duration.ofMinutes(1));
    assertThat(requests).isEqualTo(600_000_000);
    assertThat(rate.due(requests)).isEqualTo(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void aBurstHasOneTimeAtLeast() {
    assertThat(new Rate(50_000, 1).requests(Duration.ofMillis(500))).isEqualTo(25_000);
    assertThat(new Rate(10, 4).requests(Duration.ofMillis(1))).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"500, 500", "10k, 10000", "1M, 1000000"})
  void theCommandLineHasThousandsAndMillions(String text, int perSecond) {
    assertThat(Rate.parse(text)).isEqualTo(perSecond);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "10K", "1G", "1.5k", "9999M"})
  void othersAreNoRates(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rate.parse(text))
        .withMessageContaining("rate=" + text);
  }

  @Test
  void labelsNameTheRate() {
    assertThat(new Rate(50_000, 1).label()).isEqualTo("50,000 requests/s");
    assertThat(new Rate(50_000, 8).label()).isEqualTo("50,000 requests/s, 8 at once");
  }
}
