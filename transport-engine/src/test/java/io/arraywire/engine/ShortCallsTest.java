package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.testkit.ForwardingRuntime;
import org.junit.jupiter.api.Test;

class ShortCallsTest {
  private static final long LONG_NANOS = ShortCalls.SHORT_NANOS + 1;

  /** Time that passes in calls alone. */
  private final class Runtime extends ForwardingRuntime {
    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long withoutProcessor() {
      return lost;
    }
  }

  private long now;
  private long lost;
  private final ShortCalls calls = new ShortCalls(new Runtime());

  private long call(long nanos) {
    long began = calls.now();
    now += nanos;
    return calls.took(began);
  }

  private void shortCalls(int number) {
    for (int i = 0; i < number; i++) {
      assertThat(call(ShortCalls.SHORT_NANOS)).isEqualTo(ShortCalls.SHORT_NANOS);
    }
  }

  @Test
  void aLongCallIsFollowedByTwiceAsManyShortOnes() {
    shortCalls(ShortCalls.FIRST_IN_A_ROW - 1);
    assertThat(calls.areShort()).isFalse();
    shortCalls(1);
    assertThat(calls.areShort()).isTrue();
    assertThat(call(LONG_NANOS)).isEqualTo(LONG_NANOS);
    shortCalls(2 * ShortCalls.FIRST_IN_A_ROW - 1);
    assertThat(calls.areShort()).isFalse();
    shortCalls(1);
    assertThat(calls.areShort()).isTrue();
  }

  /** Another thread had the processor, and the call may be as short as the others. */
  @Test
  void aCallWithoutAProcessorIsNotALongOne() {
    shortCalls(ShortCalls.FIRST_IN_A_ROW);
    lost = LONG_NANOS;
    assertThat(call(LONG_NANOS + 5)).isEqualTo(5);
    assertThat(calls.areShort()).isTrue();
    lost = 2 * LONG_NANOS;
    assertThat(call(LONG_NANOS)).as("lost before the call, too").isZero();
    assertThat(calls.areShort()).isTrue();
  }

  @Test
  void aCallThatLostAProcessorAndIsLongIsALongOne() {
    shortCalls(ShortCalls.FIRST_IN_A_ROW);
    lost = LONG_NANOS;
    assertThat(call(2 * LONG_NANOS)).isEqualTo(LONG_NANOS);
    assertThat(calls.areShort()).isFalse();
  }

  /** Such as those of an executor that lose their processor, where nobody knows of it. */
  @Test
  void rareLongCallsElsewhereDoNotKeepThemFromBeingShort() {
    for (int wanted = ShortCalls.FIRST_IN_A_ROW; wanted < 10_000; wanted *= 2) {
      shortCalls(wanted);
      call(LONG_NANOS);
    }
    int rounds = 0;
    while (!calls.areShort()) {
      call(LONG_NANOS);
      shortCalls(2 * ShortCalls.LONG_COUNTS);
      rounds++;
      assertThat(rounds).isLessThan(1000);
    }
    // More than are wanted, for the long ones.
    assertThat(rounds).isGreaterThan(20);
  }

  @Test
  void frequentLongCallsDo() {
    shortCalls(ShortCalls.FIRST_IN_A_ROW);
    call(LONG_NANOS);
    for (int i = 0; i < 8; i++) {
      shortCalls(ShortCalls.FIRST_IN_A_ROW);
      call(LONG_NANOS);
      assertThat(calls.areShort()).isFalse();
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(calls.areShort()).isFalse();
      shortCalls(2 * ShortCalls.FIRST_IN_A_ROW - 1);
      call(LONG_NANOS);
    }
  }
}
