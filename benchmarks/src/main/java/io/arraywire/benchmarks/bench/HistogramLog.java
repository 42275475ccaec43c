package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The times of rounds in the log format of HdrHistogram, which its own and other tools read. Each
 * round is an interval, tagged with the contender.
 */
final class HistogramLog {

  private HistogramLog() {}

  /**
   * Writes a log.
   *
   * @param contender the name of the contender
   * @param bursts its rounds, which have no gaps between them in the log
   * @param duration of each round, as the command line has it
   */
  static List<String> lines(String contender, List<Burst> bursts, Duration duration) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(bytes);
    writer.outputLogFormatVersion();
    writer.outputLegend();
    for (int round = 0; round < bursts.size(); round++) {
      // A copy, as in EncodedTimes: a histogram keeps the buffer of its last encoding.
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
