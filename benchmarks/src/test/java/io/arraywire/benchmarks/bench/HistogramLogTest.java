package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;

class HistogramLogTest {
  private static Burst burst(long nanos, long count) {
    Histogram times = Burst.emptyTimes();
    times.recordValueWithCount(nanos, count);
    return new Burst(count, count, 1, Expense.NONE, times);
  }

  @Test
  void itsReaderFindsAnIntervalForEachRound() {
    List<String> lines =
        HistogramLog.lines(
            "nio", List.of(burst(1_000, 3), burst(2_000_000, 5)), Duration.ofMillis(500));
    HistogramLogReader reader =
        new HistogramLogReader(
            new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes(UTF_8)));
    Histogram first = next(reader);
    Histogram second = next(reader);
    assertThat(reader.nextIntervalHistogram()).isNull();
    assertThat(first.getTag()).isEqualTo("nio");
    assertThat(first.getTotalCount()).isEqualTo(3);
    assertThat(first.getMinNonZeroValue()).isEqualTo(1_000);
    assertThat(first.getEndTimeStamp()).isEqualTo(500);
    assertThat(second.getTotalCount()).isEqualTo(5);
    assertThat(second.getStartTimeStamp()).isEqualTo(500);
    // Its maximum is in milliseconds.
    assertThat(lines).last().asString().contains(",2.0");
  }

  private static Histogram next(HistogramLogReader reader) {
    EncodableHistogram next = reader.nextIntervalHistogram();
    assertThat(next).isInstanceOf(Histogram.class);
    return (Histogram) next;
  }
}
