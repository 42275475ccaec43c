package io.arraywire.benchmarks.bench;

import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The figures of all contenders.
 *
 * @param settings what was measured
 * @param rounds how many there were
 * @param figures of each workload those of each contender
 */
record BenchResult(BenchSettings settings, int rounds, List<List<Figures>> figures) {

  /**
   * Makes figures.
   *
   * @param bursts of each workload, of each round, those of each contender
   */
  static BenchResult of(BenchSettings settings, List<List<List<Burst>>> bursts) {
    List<Contender> contenders = settings.contenders();
    int baseline = contenders.stream().map(Contender::name).toList().indexOf(Contenders.BASELINE);
    List<List<Figures>> figures = new ArrayList<>();
    for (int workload = 0; workload < bursts.size(); workload++) {
      List<Figures> rows = new ArrayList<>();
      for (int who = 0; who < contenders.size(); who++) {
        rows.add(
            Figures.of(
                contenders.get(who),
                settings.workloads().get(workload),
                of(bursts.get(workload), who),
                of(bursts.get(workload), baseline)));
      }
      figures.add(rows);
    }
    return new BenchResult(settings, bursts.get(0).size(), figures);
  }

  private static List<Burst> of(List<List<Burst>> rounds, int who) {
    return rounds.stream().map(round -> round.get(who)).toList();
  }

  /** A table for each workload. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      Workload workload = settings.workloads().get(i);
      lines.add("");
      lines.add("float[] of " + workload.label() + ", medians of " + rounds + " rounds");
      lines.add("");
      lines.addAll((workload.pipelined() ? pipelined(figures.get(i)) : oneByOne(figures.get(i))));
    }
    return lines;
  }

  private static List<String> oneByOne(List<Figures> rows) {
    TextTable table =
        new TextTable(
            "<Contender",
            "x " + Contenders.BASELINE,
            "GB/s",
            "slow quarter",
            "spread",
            "CPU s/GB",
            "p50",
            "p99",
            "p99.9",
            "transfers");
    for (Figures row : rows) {
      table.add(
          row.contender(),
          ratio(row),
          rate(row.gigabytesPerSecond()),
          rate(row.slowGigabytesPerSecond()),
          percent(row.spread()),
          Units.significant(row.cpuSecondsPerGigabyte()),
          time(row, 50),
          time(row, 99),
          time(row, 99.9),
          Long.toString(row.arrays()));
    }
    return table.lines();
  }

  private static List<String> pipelined(List<Figures> rows) {
    TextTable table =
        new TextTable(
            "<Contender",
            "x " + Contenders.BASELINE,
            "arrays/s",
            "spread",
            "CPU us/array",
            "arrays");
    for (Figures row : rows) {
      table.add(
          row.contender(),
          ratio(row),
          String.format(Locale.ROOT, "%.0f", row.arraysPerSecond()),
          percent(row.spread()),
          Units.significant(row.cpuMicrosPerArray()),
          Long.toString(row.arrays()));
    }
    return table.lines();
  }

  private static String ratio(Figures row) {
    return String.format(Locale.ROOT, "%.2f", row.ratio());
  }

  /** Those of small arrays are small. */
  private static String rate(double gigabytes) {
    return gigabytes < 0.1
        ? String.format(Locale.ROOT, "%.4f", gigabytes)
        : Units.significant(gigabytes);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  private static String time(Figures row, double percentage) {
    return Units.time((long) row.percentile(percentage));
  }

  /** Everything as one line of JSON. */
  String json() {
    List<Object> workloads = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      Workload workload = settings.workloads().get(i);
      workloads.add(
          Json.object(
              "bytes",
              workload.bytes(),
              "window",
              workload.window(),
              "contenders",
              figures.get(i).stream().map(BenchResult::row).toList()));
    }
    return Json.text(
        Json.object(
            "baseline",
            Contenders.BASELINE,
            "rounds",
            rounds,
            "burstMillis",
            settings.burst().toMillis(),
            "heapBytes",
            settings.heapBytes(),
            "jvmOptions",
            settings.jvmOptions(),
            "java",
            System.getProperty("java.version"),
            "vm",
            System.getProperty("java.vm.name"),
            "os",
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            "arch",
            System.getProperty("os.arch"),
            "processors",
            Runtime.getRuntime().availableProcessors(),
            "ended",
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            "workloads",
            workloads));
  }

  private static Object row(Figures row) {
    return Json.object(
        "contender",
        row.contender(),
        "ratio",
        row.ratio(),
        "nanos",
        row.nanos(),
        "spread",
        row.spread(),
        "gigabytesPerSecond",
        row.gigabytesPerSecond(),
        "slowQuarterGigabytesPerSecond",
        row.slowGigabytesPerSecond(),
        "arraysPerSecond",
        row.arraysPerSecond(),
        "cpuSecondsPerGigabyte",
        row.cpuSecondsPerGigabyte(),
        "p50",
        row.percentile(50),
        "p99",
        row.percentile(99),
        "p99.9",
        row.percentile(99.9),
        "arrays",
        row.arrays(),
        "roundNanos",
        row.roundNanos());
  }
}
