package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The times of rounds as HdrHistogram logs them: an interval for each round, tagged with the
 * contender. Its tools read that, and so do others'.
 */
final class HistogramLog {

  private HistogramLog() {}

  /**
   * Writes a log.
   *
   * @param contender whose rounds they are
   * @param bursts its rounds; in the log one follows the other at once
   * @param duration how long each of them was to be
   */
  static List<String> lines(String contender, List<Burst> bursts, Duration duration) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(bytes);
    writer.outputLogFormatVersion();
    writer.outputLegend();
    for (int round = 0; round < bursts.size(); round++) {
      // Of a copy: a histogram keeps the buffer of its last encoding.
      Histogram times = bursts.get(round).times().copy();
      times.setTag(contender);
      times.setStartTimeStamp(round * duration.toMillis());
      times.setEndTimeStamp((round + 1) * duration.toMillis());
      writer.outputIntervalHistogram(times);
    }
    writer.close();
    return bytes.toString(UTF_8).lines().toList();
  }
}
