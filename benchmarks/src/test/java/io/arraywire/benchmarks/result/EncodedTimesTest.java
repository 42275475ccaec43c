package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("newest")
class EncodedTimesTest {
  private static final int DIGITS = 3;
  private static final long LONGEST_NANOS = 1L << 42;

  private static Histogram times(int seed) {
    Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    for (int i = 0; i < 1000; i++) {
      times.recordValue(1000L * seed + 100L * i);
    }
    return times;
  }

  @Test
  void timesAreReadAsTheyWereWritten() {
    Histogram times = times(7);
    Histogram read = EncodedTimes.decode(EncodedTimes.encode(times));
    assertThat(read).isEqualTo(times);
    assertThat(EncodedTimes.encode(read)).isEqualTo(EncodedTimes.encode(times));
  }

  @Test
  void anythingElseIsRefused() {
    for (String text : new String[] {"", "AAAA", "not Base64!", "HISTFAAAAA"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> EncodedTimes.decode(text));
    }
  }

  /** A long run has thousands: with a buffer of 240 KB in each the command ran out of memory. */
  @Test
  void whatWasWrittenTakesNoMoreThanBefore() {
    List<Histogram> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      all.add(EncodedTimes.decode(EncodedTimes.encode(times(i))));
    }
    long before = heap();
    int letters = all.stream().mapToInt(each -> EncodedTimes.encode(each).length()).sum();
    assertThat(heap() - before).isLessThan(6L << 20);
    // They are all there still.
    assertThat(letters).isPositive();
    assertThat(all).allSatisfy(each -> assertThat(each.getTotalCount()).isEqualTo(1000));
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
