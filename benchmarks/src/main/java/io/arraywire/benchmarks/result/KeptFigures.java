package io.arraywire.benchmarks.result;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.Histogram;

/**
 * Figures in the form in which the repository keeps them. They are compressed, and each contender
 * has one histogram of single times in place of one for each round. Histograms of rounds do not
 * compress and are nine tenths of a file; tables and charts need only their sum. Every other figure
 * stays, digit by digit.
 */
public final class KeptFigures {
  private static final int DIGITS = 3;
  private static final String TIMES = "times";

  private KeptFigures() {}

  /**
   * Writes a file in that form.
   *
   * @param from what {@code arraywire bench --json} or JMH has written, or a file of this form
   * @param to where it goes; a file there is replaced
   * @throws IOException if one cannot be read or written, or holds no figures
   */
  public static void write(Path from, Path to) throws IOException {
    FiguresFile.read(from); // Complains of what is no file of figures.
    JsonElement root = Members.read(from).root();
    if (root.isJsonObject()) {
      for (JsonElement run : root.getAsJsonObject().getAsJsonArray("runs")) {
        for (JsonElement workload : run.getAsJsonObject().getAsJsonArray("workloads")) {
          for (JsonElement row : workload.getAsJsonObject().getAsJsonArray("contenders")) {
            unite(row.getAsJsonObject());
          }
        }
      }
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
      out.write((root + "\n").getBytes(UTF_8));
    }
  }

  private static void unite(JsonObject row) {
    Histogram all = new Histogram(DIGITS);
    JsonElement before = row.remove(TIMES);
    if (before != null) {
      EncodedTimes.add(before.getAsString(), all);
    }
    for (JsonElement round : row.getAsJsonArray("rounds")) {
      JsonElement times = round.getAsJsonObject().remove(TIMES);
      if (times != null) {
        EncodedTimes.add(times.getAsString(), all);
      }
    }
    if (all.getTotalCount() > 0) {
      // How far a histogram has grown is in its encoding, and depends on what it grew by.
      Histogram kept = new Histogram(1, Math.max(2, all.getMaxValue()), DIGITS);
      kept.add(all);
      row.addProperty(TIMES, EncodedTimes.encode(kept));
    }
  }

  /**
   * The text of a file, whether it is compressed or not.
   *
   * @param bytes the file, with mark and reset
   * @return its text
   * @throws IOException if it cannot be read
   */
  static InputStream plain(InputStream bytes) throws IOException {
    bytes.mark(2);
    int magic = bytes.read() | bytes.read() << 8;
    bytes.reset();
    return magic == GZIPInputStream.GZIP_MAGIC ? new GZIPInputStream(bytes) : bytes;
  }
}
