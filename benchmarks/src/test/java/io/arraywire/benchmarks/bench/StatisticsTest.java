package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianIsTheMiddleOneOrTheMeanOfTheMiddleTwo() {
    assertThat(Statistics.median(new double[] {9, 1, 4})).isEqualTo(4);
    assertThat(Statistics.median(new double[] {9, 1, 4, 6})).isEqualTo(5);
    assertThat(Statistics.median(new double[] {7})).isEqualTo(7);
  }

  @Test
  void quantilesLieBetweenNumbersInProportion() {
    double[] numbers = {50, 10, 40, 20, 30};
    assertThat(Statistics.quantile(numbers, 0)).isEqualTo(10);
    assertThat(Statistics.quantile(numbers, 0.25)).isEqualTo(20);
    assertThat(Statistics.quantile(numbers, 0.9)).isCloseTo(46, within(1e-9));
    assertThat(Statistics.quantile(numbers, 1)).isEqualTo(50);
    assertThat(numbers).containsExactly(50, 10, 40, 20, 30);
  }

  @Test
  void theSpreadIsADistanceOfQuartiles() {
    assertThat(Statistics.spread(new double[] {10, 20, 30, 40, 50}))
        .isCloseTo(2 / 3.0, within(1e-9));
    assertThat(Statistics.spread(new double[] {7, 7, 7})).isZero();
  }

  @Test
  void ofNothingThereIsNoMedian() {
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(new double[0]));
  }
}
