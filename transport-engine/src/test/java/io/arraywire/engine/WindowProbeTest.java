package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The round trips that look at windows, and what they say, by a clock that the test moves. */
class WindowProbeTest {
  private static final int WINDOW = 8000;

  // A clock may begin anywhere.
  private long now = Long.MAX_VALUE - 1000;
  private final WindowProbe probe = new WindowProbe();
  private final WindowGrowth growth = new WindowGrowth();

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private boolean roundTrip(int channel) {
    long tag = probe.begin(channel, 0, WINDOW, now);
    return tag != 0 && probe.ends(tag);
  }

  @Test
  void aPongBringsBackItsChannelAndCountsOnce() {
    for (int channel : new int[] {0, 7, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      long tag = probe.begin(channel, 5_000_000_000L, 5_000_008_000L, now);
      assertThat(tag).isNotZero();
      assertThat(WindowProbe.channelOf(tag)).isEqualTo(channel);
      assertThat(probe.ends(tag + 2)).isFalse();
      pass(Duration.ofMillis(3));
      assertThat(probe.ends(tag)).isTrue();
      assertThat(probe.roundTrip(now)).isEqualTo(3_000_000);
      assertThat(probe.ends(tag)).isFalse();
    }
  }

  @Test
  void onlyAPeerThatHasUsedUpItsCreditWaits() {
    long begun = 100_000;
    var unused = probe.begin(0, begun, begun + WINDOW / 2, now);
    int part = WINDOW / 4;
    assertThat(probe.foundPeerWaiting(begun + WINDOW / 2, part)).isTrue();
    assertThat(probe.foundPeerWaiting(begun + part, part)).isTrue();
    assertThat(probe.foundPeerWaiting(begun + part - 1, part)).isFalse();
  }

  /** It had stopped long before this side asked for more: the program was slow. */
  @Test
  void aPeerThatSentNothingInTheRoundTripDoesNotCount() {
    var unused = probe.begin(0, 100_000, 100_000, now);
    assertThat(probe.foundPeerWaiting(100_000, WINDOW / 4)).isFalse();
  }

  @Test
  void oneAtATimeUntilItIsLost() {
    long first = probe.begin(1, 0, WINDOW, now);
    assertThat(probe.begin(2, 0, WINDOW, now)).isZero();
    pass(Duration.ofSeconds(10));
    long second = probe.begin(2, 0, WINDOW, now);
    assertThat(second).isNotZero();
    assertThat(probe.ends(first)).isFalse();
    assertThat(probe.ends(second)).isTrue();
  }

  @Test
  void inThirtySecondsThereAreFewerThanAPeerBears() {
    int begun = 0;
    for (int i = 0; i < 30_000; i++) {
      begun += roundTrip(i & 63) ? 1 : 0;
      pass(Duration.ofMillis(1));
    }
    assertThat(begun).isBetween(120, 140);
    // Those that were not used are saved up, but no more than so many.
    pass(Duration.ofHours(1));
    begun = 0;
    while (roundTrip(1)) {
      begun++;
    }
    assertThat(begun).isEqualTo(16);
  }

  @Test
  void aWindowGrowsOnWhereMoreCameInTheSameTime() {
    assertThat(growth.looks(now)).isTrue();
    assertThat(growth.helps(10_000_000)).isTrue();
    growth.grew(10_000_000);
    assertThat(growth.looks(now)).isTrue();
    assertThat(growth.helps(16_000_000)).isTrue();
    assertThat(growth.helps(17_000_000)).isFalse();
  }

  @Test
  void thatItSufficesHoldsForASecond() {
    growth.suffices(now);
    assertThat(growth.looks(now)).isFalse();
    pass(Duration.ofMillis(999));
    assertThat(growth.looks(now)).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(growth.looks(now)).isTrue();
    growth.grew(1);
    assertThat(growth.looks(now)).isTrue();
  }
}
