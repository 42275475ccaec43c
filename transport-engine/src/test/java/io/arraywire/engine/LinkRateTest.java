package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkRateTest {
  private static final long MILLI = 1_000_000;
  private final LinkRate link = new LinkRate();
  private long now = 7;

  private double wrote(long count, boolean full, boolean over, long millis) {
    now += millis * MILLI;
    return link.wrote(count, full, over, now);
  }

  /** The first bytes go into buffers and say nothing of the link. */
  @Test
  void countsFromFullToFull() {
    assertThat(wrote(4 << 20, true, false, 1)).isZero();
    assertThat(wrote(500_000, true, false, 10)).isZero();
    assertThat(wrote(500_000, false, false, 10)).isZero();
    assertThat(wrote(1_000_000, true, false, 20)).isEqualTo(50e6);
    assertThat(wrote(1_000_000, true, false, 100)).isEqualTo(10e6);
  }

  @Test
  void aPauseBeginsAnew() {
    assertThat(wrote(1 << 20, true, false, 1)).isZero();
    assertThat(wrote(1 << 20, false, true, 10)).isZero();
    assertThat(wrote(1 << 20, true, false, 1000)).as("the first after a pause").isZero();
    assertThat(wrote(1_000_000, true, false, 100)).isEqualTo(10e6);
  }

  @Test
  void aSendBehindAnotherIsNoPause() {
    assertThat(wrote(1 << 20, true, false, 1)).isZero();
    assertThat(wrote(500_000, false, true, 10)).isZero();
    assertThat(wrote(500_000, true, false, 1)).isZero();
    assertThat(wrote(1_000_000, true, false, 9)).isEqualTo(100e6);
  }

  @Test
  void shortOnesSayNothing() {
    assertThat(wrote(1 << 20, true, false, 1)).isZero();
    assertThat(wrote(100 << 20, true, false, 19)).isZero();
    assertThat(wrote(1, true, false, 1)).isPositive();
    assertThat(wrote((256 << 10) - 1, true, false, 1000)).isZero();
  }

  @Test
  void whatIsNeverFullIsNotMeasured() {
    for (int i = 0; i < 100; i++) {
      assertThat(wrote(1 << 20, false, false, 100)).isZero();
    }
  }
}
