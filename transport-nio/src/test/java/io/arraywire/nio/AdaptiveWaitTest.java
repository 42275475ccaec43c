package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdaptiveWaitTest {
  private static final long LONGEST = 400_000;
  private static final long MILLIS = 1_000_000;
  private final AdaptiveWait wait = new AdaptiveWait(LONGEST);

  @Test
  void itBeginsWithTheLongestTime() {
    assertThat(wait.helpNanos()).isEqualTo(LONGEST);
  }

  @Test
  void whatComesMuchTooLateMakesItShorterAndNeverNothing() {
    wait.moved(LONGEST + 1);
    assertThat(wait.helpNanos()).isEqualTo(LONGEST / 2);
    for (int i = 0; i < 100; i++) {
      wait.moved(1_000_000_000);
    }
    assertThat(wait.helpNanos()).isEqualTo(50_000);
  }

  @Test
  void whatComesALittleTooLateMakesItLongEnoughTheNextTime() {
    for (int i = 0; i < 100; i++) {
      wait.moved(1_000_000_000);
    }
    wait.moved(100_000);
    assertThat(wait.helpNanos()).isEqualTo(200_000);
    wait.moved(390_000);
    assertThat(wait.helpNanos()).isEqualTo(LONGEST);
  }

  @Test
  void whatComesInTimeMakesItShorterSlowly() {
    wait.moved(5_000);
    assertThat(wait.helpNanos()).isBetween(LONGEST * 9 / 10, LONGEST - 1);
    for (int i = 0; i < 10_000; i++) {
      wait.moved(5_000);
    }
    // Below 256 of them what is taken off is nothing.
    assertThat(wait.helpNanos()).isEqualTo(50_000);
  }

  @Test
  void aShortBoundIsAlsoTheLeast() {
    AdaptiveWait shorter = new AdaptiveWait(1_000);
    shorter.moved(1_000_000_000);
    assertThat(shorter.helpNanos()).isEqualTo(1_000);
  }

  @Test
  void itPollsOnlyWhereSomethingIsExpected() throws Exception {
    Looks idle = new Looks(Integer.MAX_VALUE);
    wait.await(idle, false);
    assertThat(idle.calls).containsExactly("poll", "sleep");

    Looks ready = new Looks(1);
    wait.await(ready, true);
    assertThat(ready.calls).containsExactly("poll");

    Looks soon = new Looks(3);
    // However slow the machine is.
    new AdaptiveWait(TimeUnit.HOURS.toNanos(1)).await(soon, true);
    assertThat(soon.calls).containsExactly("poll", "poll", "poll");

    Looks never = new Looks(Integer.MAX_VALUE);
    wait.await(never, true);
    assertThat(never.calls).endsWith("sleep").hasSizeGreaterThan(2);
  }

  @Test
  void whereOthersWantTheProcessorsNothingIsPolledForAWhile() throws Exception {
    long[] now = {0};
    AdaptiveWait crowded = new AdaptiveWait(LONGEST, new CrowdedProcessors(() -> now[0]));
    for (int i = 0; i < 2; i++) {
      giveWay(crowded, now, MILLIS);
      now[0] += 10 * MILLIS;
    }
    // Short ones say nothing, and those that are long ago.
    crowded.gaveWay(MILLIS - 1);
    now[0] += 11 * MILLIS;
    giveWay(crowded, now, MILLIS);
    assertThat(crowded.helpNanos()).isEqualTo(LONGEST);

    now[0] += 10 * MILLIS;
    giveWay(crowded, now, MILLIS);
    now[0] += 10 * MILLIS;
    giveWay(crowded, now, MILLIS);
    assertThat(crowded.helpNanos()).isZero();
    Looks never = new Looks(Integer.MAX_VALUE);
    crowded.await(never, true);
    assertThat(never.calls).containsExactly("poll", "sleep");

    now[0] += 10 * MILLIS - 1;
    assertThat(crowded.helpNanos()).isZero();
    now[0]++;
    assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
    crowded.gaveWay(MILLIS);
    assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
  }

  /** Each time takes longer than that in which they are to come. */
  @Test
  void whereVeryManyWantTheProcessorsNothingIsPolledEither() {
    long[] now = {0};
    AdaptiveWait crowded = new AdaptiveWait(LONGEST, new CrowdedProcessors(() -> now[0]));
    for (int millis : new int[] {10, 20, 40}) {
      for (int i = 0; i < 3; i++) {
        assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
        now[0] += MILLIS / 10;
        giveWay(crowded, now, 40 * MILLIS);
      }
      now[0] += millis * MILLIS - 1;
      assertThat(crowded.helpNanos()).isZero();
      now[0]++;
    }
    assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
  }

  private static void giveWay(AdaptiveWait wait, long[] now, long nanos) {
    now[0] += nanos;
    wait.gaveWay(nanos);
  }

  @Test
  void theLongerTheyWantThemTheLongerNothingIsPolled() {
    long[] now = {0};
    AdaptiveWait crowded = new AdaptiveWait(LONGEST, new CrowdedProcessors(() -> now[0]));
    for (int millis : new int[] {10, 20, 40, 80, 160, 320, 640, 800, 800}) {
      crowd(crowded, now);
      now[0] += millis * MILLIS - 1;
      assertThat(crowded.helpNanos()).isZero();
      now[0]++;
      assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
      // As long as it takes to find out again.
      now[0] += 60 * MILLIS;
    }
    now[0]++;
    crowd(crowded, now);
    now[0] += 10 * MILLIS;
    assertThat(crowded.helpNanos()).isEqualTo(LONGEST);
  }

  private static void crowd(AdaptiveWait wait, long[] now) {
    for (int i = 0; i < 3; i++) {
      giveWay(wait, now, MILLIS);
    }
    assertThat(wait.helpNanos()).isZero();
  }

  @Test
  void aPollingThreadSaysHowLongTheProcessorWasAway() {
    List<Long> away = new ArrayList<>();
    WaitStrategy told =
        new WaitStrategy() {
          @Override
          public void await(Waitable loop, boolean expecting) {
            throw new AssertionError("nobody waits");
          }

          @Override
          public void gaveWay(long nanos) {
            away.add(nanos);
          }
        };
    AdaptiveWait.pause(0, told);
    assertThat(away).isEmpty();
    AdaptiveWait.pause(MILLIS, told);
    assertThat(away).singleElement().satisfies(nanos -> assertThat(nanos).isNotNegative());
  }

  /** A loop that has something to do at a certain look. */
  private static final class Looks implements WaitStrategy.Waitable {
    final List<String> calls = new ArrayList<>();
    private final int successful;

    Looks(int successful) {
      this.successful = successful;
    }

    @Override
    public boolean poll() {
      calls.add("poll");
      return calls.size() >= successful;
    }

    @Override
    public void sleep() {
      calls.add("sleep");
    }
  }
}
