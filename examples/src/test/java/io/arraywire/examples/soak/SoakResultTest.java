package io.arraywire.examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** A rate that falls is wrong while the yardstick stays, and is not where both fall. */
class SoakResultTest {
  private static final int SAMPLES = 240;
  private static final double RATE = 150;
  private static final double EXCHANGES = 20_000;

  /** Of two seconds that are alike, one has a tenth more of everything. */
  private static final double NOISE = 0.1;

  private final Random random = new Random(1);

  private double noisy(double value) {
    return value * (1 + NOISE * random.nextGaussian());
  }

  /** Both are so much of what they were at first, at each part of the time from 0 to 1. */
  private List<SoakLine> wrong(DoubleUnaryOperator ofRate, DoubleUnaryOperator ofYardstick) {
    SoakLine rate = new SoakLine(SoakSeries.RATE, "plain");
    SoakLine ratio = new SoakLine(SoakSeries.RATIO, "plain");
    SoakLine yardstick = new SoakLine(SoakSeries.YARDSTICK, "plain sockets");
    for (int i = 0; i < SAMPLES; i++) {
      double part = i / (double) SAMPLES;
      double operations = noisy(RATE * ofRate.applyAsDouble(part));
      double exchanges = noisy(EXCHANGES * ofYardstick.applyAsDouble(part));
      rate.add(15 * i, operations);
      ratio.add(15 * i, 1000 * operations / exchanges);
      yardstick.add(15 * i, exchanges);
    }
    return new SoakResult(List.of(rate, ratio, yardstick)).wrong();
  }

  /** Less and less, from the middle on. */
  private static double falls(double part) {
    return 1 - 0.5 * Math.max(0, 2 * part - 1);
  }

  /** A build that begins in the third quarter. */
  private static double busy(double part) {
    return part > 0.7 ? 0.4 : 1;
  }

  @Test
  void aRateThatFallsWhileTheYardstickStaysIsWrong() {
    assertThat(wrong(SoakResultTest::falls, part -> 1))
        .extracting(SoakLine::series)
        .containsExactly(SoakSeries.RATE);
  }

  @Test
  void aRateThatFallsFurtherThanTheYardstickIsWrong() {
    assertThat(wrong(part -> falls(part) * falls(part), SoakResultTest::falls)).hasSize(1);
  }

  @Test
  void aRateThatFallsAsTheYardstickDoesIsRight() {
    assertThat(wrong(SoakResultTest::falls, SoakResultTest::falls)).isEmpty();
    assertThat(wrong(SoakResultTest::busy, SoakResultTest::busy)).isEmpty();
  }

  @Test
  void aYardstickThatGetsFasterAloneIsRight() {
    assertThat(wrong(part -> 1, part -> 1 / falls(part))).isEmpty();
  }

  @Test
  void aRateThatStaysIsRight() {
    assertThat(wrong(part -> 1, part -> 1)).isEmpty();
  }
}
