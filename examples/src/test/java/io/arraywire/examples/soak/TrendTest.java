package io.arraywire.examples.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Samples without a leak are no leak however they scatter, and a leak is seen through the noise.
 */
class TrendTest {
  private static final int SAMPLES = 300;
  private static final double LEVEL = 100;
  private static final int SEEDS = 200;

  /** Near seeds give like numbers. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** Samples that change the wrong way by so many limits in the second half, with noise. */
  private static SoakLine line(SoakSeries series, double limits, double noise, long seed) {
    Random random = new Random(seed * SPREAD);
    SoakLine line = new SoakLine(series, "made");
    double change = series.wrong() * limits * series.limit(LEVEL);
    for (int i = 0; i < SAMPLES; i++) {
      double half = 2.0 * i / SAMPLES - 1;
      line.add(12.0 * i, LEVEL + half * change + noise * random.nextGaussian());
    }
    return line;
  }

  @ParameterizedTest
  @EnumSource
  void aLeakIsSeenThroughNoise(SoakSeries series) {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(line(series, 2, series.limit(LEVEL) / 2, seed).isWrong()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noiseIsNoLeak(SoakSeries series) {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(line(series, 0, LEVEL, seed).isWrong()).as("seed %s", seed).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void lessThanTheLimitIsNoLeak(SoakSeries series) {
    assertThat(line(series, 0.8, 0, 1).isWrong()).isFalse();
    // The level is that of the second half, which has grown, and the limit with it.
    assertThat(line(series, 1.4, 0, 1).isWrong()).isTrue();
  }

  /** Memory that is given back, and a rate that grows. */
  @ParameterizedTest
  @EnumSource
  void theOtherWayIsRight(SoakSeries series) {
    assertThat(line(series, -3, 0, 1).isWrong()).isFalse();
  }

  /** What a process takes while it begins is not what it leaks. */
  @ParameterizedTest
  @EnumSource
  void theFirstHalfDoesNotCount(SoakSeries series) {
    SoakLine line = new SoakLine(series, "made");
    for (int i = 0; i < SAMPLES; i++) {
      line.add(i, LEVEL + series.wrong() * LEVEL * Math.min(0, 2.0 * i / SAMPLES - 1));
    }
    assertThat(line.isWrong()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aPeakIsNoLeak(SoakSeries series) {
    SoakLine line = new SoakLine(series, "made");
    for (int i = 0; i < SAMPLES; i++) {
      line.add(i, i > SAMPLES - 20 ? LEVEL * (1 + 5 * series.wrong()) : LEVEL);
    }
    assertThat(line.isWrong()).isFalse();
  }

  @Test
  void theChangeIsThatOfTheSecondHalf() {
    double[] seconds = new double[SAMPLES];
    double[] values = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      seconds[i] = 10 * i;
      values[i] = 5 + 3 * seconds[i];
    }
    Trend trend = Trend.of(seconds, values);
    assertThat(trend.change()).isCloseTo(3 * 10 * 149.0, within(1e-6));
    assertThat(trend.level()).isCloseTo(5 + 30 * 224.5, within(1e-6));
  }

  @Test
  void fewSamplesShowNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trend.of(new double[19], new double[19]))
        .withMessageContaining("samples=19, least=20");
  }
}
