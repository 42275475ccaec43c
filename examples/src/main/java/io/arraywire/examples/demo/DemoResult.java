package io.arraywire.examples.demo;

import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a demo found, for people and for programs. Immutable. */
public final class DemoResult {
  private final DemoSettings settings;
  private final NpyHeader header;
  private final List<Measurement> measurements;

  DemoResult(DemoSettings settings, NpyHeader header, List<Measurement> measurements) {
    this.settings = settings;
    this.header = header;
    this.measurements =
        measurements.stream()
            .sorted(Comparator.comparingDouble(Measurement::megabytesPerSecond))
            .toList();
  }

  /** The measurements, slowest first. */
  List<Measurement> measurements() {
    return measurements;
  }

  DemoSettings settings() {
    return settings;
  }

  NpyHeader header() {
    return header;
  }

  /**
   * Whether everything arrived as it was sent.
   *
   * @return true if there is a row at all, and every row is verified
   */
  public boolean verified() {
    return !measurements.isEmpty() && measurements.stream().allMatch(Measurement::verified);
  }

  /**
   * The result for people.
   *
   * @return the lines of the table and what it says
   */
  public List<String> lines() {
    TextTable table =
        new TextTable(
            "<transport",
            "<codec",
            "<encoding",
            "bytes",
            "median time",
            "MB/s",
            "copies/byte",
            "syscalls/MiB",
            "<verified");
    for (Measurement each : measurements) {
      table.add(
          each.contender().transport(),
          each.contender().codec().name(),
          each.contender().codec().encoding().name(),
          Units.bytes(each.contender().bytes()),
          Units.time(each.medianNanos()),
          Units.significant(each.megabytesPerSecond()),
          Units.significant(each.copiesPerByte()),
          Units.significant(each.operationsPerMebibyte()),
          each.verified() ? "yes" : "NO");
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    if (measurements.stream().anyMatch(each -> each.contender().bytes() < settings.bytes())) {
      lines.add(
          "Codecs that make a system call for each element got a smaller piece ("
              + Units.bytes(settings.elementwiseBytes())
              + "); compare MB/s, not times.");
    }
    lines.add(
        "Time: from the call of send to the acknowledgement, median of "
            + settings.rounds()
            + " interleaved rounds. Copies and system calls: both ends together, from their"
            + " receipts.");
    lines.add(
        "This is a demo, not a benchmark: other work on this machine changes the times, and rows that"
            + " are close may swap places. './arraywire bench' measures.");
    lines.add(
        verified()
            ? "Every array arrived bit by bit as it was sent (SHA-256 in both processes)."
            : "NOT every array arrived as it was sent: see the last column.");
    return lines;
  }

  /**
   * The result for programs.
   *
   * @param charts the files of the chart
   * @return one line of JSON
   */
  public String json(List<Path> charts) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Measurement each : measurements) {
      rows.add(
          Json.object(
              "transport",
              each.contender().transport(),
              "codec",
              each.contender().codec().name(),
              "encoding",
              each.contender().codec().encoding().name(),
              "bytes",
              each.contender().bytes(),
              "encodedBytes",
              each.encodedBytes(),
              "medianSeconds",
              each.medianNanos() / 1e9,
              "seconds",
              each.nanos().stream().map(nanos -> nanos / 1e9).toList(),
              "megabytesPerSecond",
              each.megabytesPerSecond(),
              "copiesPerByte",
              each.copiesPerByte(),
              "systemCallsPerMebibyte",
              each.operationsPerMebibyte(),
              "verified",
              each.verified()));
    }
    return Json.text(
        Json.object(
            "file",
            settings.name(),
            "dtype",
            header.dtype().descr(),
            "shape",
            header.shape(),
            "type",
            header.dtype().type().typeName(),
            "java",
            System.getProperty("java.version"),
            "processors",
            Runtime.getRuntime().availableProcessors(),
            "rounds",
            settings.rounds(),
            "rows",
            rows,
            "charts",
            charts,
            "verified",
            verified()));
  }
}
