package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  /** Of two short rounds of one run on a busy machine; the upper end would be e to the 727. */
  @Test
  void anIntervalThatNoNumberHoldsIsUnknown() {
    assertThat(Statistics.interval(new double[] {0.015662668050493593, 0.1524218080470402}).known())
        .isFalse();
    assertThat(Statistics.interval(new double[] {0.15, 0.1524218080470402}).known()).isTrue();
    assertThat(new Interval(1, Double.NaN).known()).isFalse();
  }

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

  private static final double[] SEVEN = {10, 12, 11, 13, 9, 14, 10.5};
  private static final double[] SIX = {12.5, 15, 14, 15.5, 11, 17};

  // The figures of the next three are those of NumPy 2.4.6 and SciPy 1.17.1, with a = SEVEN, b =
  // SIX.

  @Test
  void theStandardDeviationIsThatOfASample() {
    // numpy.std(a, ddof=1)
    assertThat(Statistics.standardDeviation(SEVEN)).isCloseTo(1.7491494531696852, within(1e-12));
    assertThat(Statistics.standardDeviation(new double[] {7, 7, 7})).isZero();
    assertThat(Statistics.standardDeviation(new double[] {7})).isNaN();
  }

  @Test
  void theIntervalIsThatOfStudentsTOfTheLogarithms() {
    // l = log(a); exp(mean(l) -+ scipy.stats.t.ppf(0.9995, 6) * std(l, ddof=1) / sqrt(7))
    Interval interval = Statistics.interval(SEVEN);
    assertThat(interval.low()).isCloseTo(7.952208586902117, within(1e-9));
    assertThat(interval.high()).isCloseTo(15.894561793315777, within(1e-9));
  }

  @Test
  void theIntervalOfARatioIsWelchs() {
    // exp(scipy.stats.ttest_ind(log(b), log(a), equal_var=False).confidence_interval(0.999))
    Interval interval = Statistics.ratioInterval(SIX, SEVEN);
    assertThat(interval.low()).isCloseTo(0.8453967361572062, within(1e-9));
    assertThat(interval.high()).isCloseTo(1.8406475982414463, within(1e-9));
    // scipy.stats.gmean(b) / scipy.stats.gmean(a)
    assertThat(Statistics.ratio(SIX, SEVEN)).isCloseTo(1.2474283434205389, within(1e-12));
  }

  @Test
  void theIntervalOfRatesIsThatOfTimesTurnedOver() {
    Interval times = Statistics.interval(SEVEN);
    Interval rates = Statistics.interval(Arrays.stream(SEVEN).map(each -> 1 / each).toArray());
    assertThat(rates.low()).isCloseTo(1 / times.high(), within(1e-12));
    assertThat(rates.high()).isCloseTo(1 / times.low(), within(1e-12));
  }

  @Test
  void whereNothingVariesTheIntervalIsAPoint() {
    double[] three = {4, 4, 4};
    assertThat(Statistics.interval(three).low()).isCloseTo(4, within(1e-12));
    assertThat(Statistics.interval(three).high()).isCloseTo(4, within(1e-12));
    assertThat(Statistics.ratioInterval(new double[] {8, 8}, three).low())
        .isCloseTo(2, within(1e-12));
  }

  @Test
  void ofOneNumberTheIntervalIsNotKnown() {
    Interval interval = Statistics.interval(new double[] {4});
    assertThat(interval.known()).isFalse();
    assertThat(interval.excludes(1)).isFalse();
    assertThat(Statistics.ratioInterval(new double[] {4}, SEVEN).known()).isFalse();
    assertThat(Statistics.ratioInterval(SEVEN, new double[] {4}).known()).isFalse();
  }
}
