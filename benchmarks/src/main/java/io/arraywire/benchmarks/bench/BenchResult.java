package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.NetworkReport;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.EncodedTimes;
import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all contenders.
 *
 * @param settings what was measured
 * @param rounds how many there were
 * @param figures of each workload those of each contender
 */
record BenchResult(BenchSettings settings, int rounds, List<List<Figures>> figures) {
  private static final Column CONTENDER = new Column("<Contender", Figures::contender);
  private static final Column ARRAYS_PER_SECOND =
      new Column("arrays/s", BenchResult::arraysPerSecond);
  private static final Column GIGABYTES_PER_SECOND =
      new Column("GB/s", row -> rate(row.gigabytesPerSecond()));
  private static final Column SLOW_QUARTER =
      new Column("slow quarter", row -> rate(row.slowGigabytesPerSecond()));
  private static final Column SPREAD =
      new Column("spread", row -> Statistics.spreadWords(row.spread()));
  private static final Column CPU_PER_GIGABYTE =
      new Column("CPU s/GB", row -> Units.significant(row.cpuSecondsPerGigabyte()));
  private static final Column CPU_PER_ARRAY =
      new Column("CPU us/array", row -> Units.significant(row.cpuMicrosPerArray()));
  private static final Column ALLOCATED =
      new Column("B/array", row -> Row.bytesPerArray(row.allocatedBytesPerArray()));
  private static final Column REQUESTS_PER_SECOND =
      new Column("requests/s", BenchResult::arraysPerSecond);
  private static final Column CPU_PER_REQUEST = new Column("CPU us/request", CPU_PER_ARRAY.cell());
  private static final Column ALLOCATED_PER_REQUEST = new Column("B/request", ALLOCATED.cell());
  private static final Column REACHED =
      new Column(
          "requests/s",
          row ->
              (row.missedRate() ? "! " : "")
                  + String.format(Locale.ROOT, "%.0f", row.reachedPerSecond()));
  private static final Column P50 = new Column("p50", row -> time(row, 50));
  private static final Column P99 = new Column("p99", row -> time(row, 99));
  private static final Column P999 = new Column("p99.9", row -> time(row, 99.9));
  private static final Column LEAST_SHARE =
      new Column("least/mean", row -> String.format(Locale.ROOT, "%.2f", row.leastShare()));
  private static final Column JAIN =
      new Column("Jain", row -> String.format(Locale.ROOT, "%.3f", row.jainIndex()));

  private static final String NOISY =
      "! spread above "
          + Units.percent(Statistics.NOISY_SPREAD)
          + ": take more rounds, or a quieter machine";

  /** A column of a table: its heading, and what a contender has there. */
  private record Column(String heading, Function<Figures, String> cell) {}

  /**
   * Makes figures.
   *
   * @param bursts of each workload, of each round, those of each contender
   */
  static BenchResult of(BenchSettings settings, List<List<List<Burst>>> bursts) {
    List<Participant> contenders = settings.contenders();
    List<List<Figures>> figures = new ArrayList<>();
    for (int workload = 0; workload < bursts.size(); workload++) {
      List<Figures> rows = new ArrayList<>();
      for (int who = 0; who < contenders.size(); who++) {
        rows.add(
            Figures.of(
                contenders.get(who),
                settings.workloads().get(workload),
                of(bursts.get(workload), who),
                of(bursts.get(workload), 0)));
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
      lines.add(
          "float[] of "
              + workload.label()
              + settings.label()
              + ", medians of "
              + rounds
              + " rounds");
      lines.add("");
      lines.addAll(table(workload, figures.get(i)));
      if (figures.get(i).stream().anyMatch(Figures::noisy)) {
        lines.add(NOISY);
      }
      for (Figures each : figures.get(i)) {
        String loss = participant(each.contender()).loss();
        if (loss != null) {
          lines.add("! " + each.contender() + " loses bits: " + loss);
        }
        if (each.missedRate()) {
          lines.add(missed(workload, each));
        }
      }
      if (figures.get(i).get(0).inSeveralModes()) {
        lines.add(
            "! "
                + settings.baseline()
                + " itself is fast at one time and slow at another here: compare times, not ratios");
      }
    }
    return lines;
  }

  private static String missed(Workload workload, Figures row) {
    return String.format(
        Locale.ROOT,
        "! %s did not reach %s (reached=%.0f/s): its times grow for as long as a burst lasts",
        row.contender(),
        Objects.requireNonNull(workload.rate()).label(),
        row.reachedPerSecond());
  }

  private List<String> table(Workload workload, List<Figures> rows) {
    List<Column> columns = columns(workload);
    TextTable table = new TextTable(columns.stream().map(Column::heading).toArray(String[]::new));
    for (Figures row : rows) {
      String[] cells =
          columns.stream().map(column -> column.cell().apply(row)).toArray(String[]::new);
      cells[0] = participant(row.contender()).label();
      table.add(cells);
    }
    return table.lines();
  }

  private List<Column> columns(Workload workload) {
    Column ratio = new Column("x " + settings.baseline(), BenchResult::ratio);
    if (workload.slowAnswers() != null) {
      // Percentiles are of those that are not slow.
      return List.of(
          CONTENDER,
          ratio,
          ARRAYS_PER_SECOND,
          SPREAD,
          CPU_PER_ARRAY,
          ALLOCATED,
          P50,
          P99,
          P999,
          arrays("requests"));
    }
    if (workload.clients() != null) {
      return List.of(
          CONTENDER,
          ratio,
          REQUESTS_PER_SECOND,
          SPREAD,
          CPU_PER_REQUEST,
          ALLOCATED_PER_REQUEST,
          P50,
          P99,
          P999,
          LEAST_SHARE,
          arrays("requests"));
    }
    if (workload.rate() != null) {
      return List.of(
          CONTENDER, ratio, REACHED, SPREAD, CPU_PER_REQUEST, P50, P99, P999, arrays("requests"));
    }
    if (workload.concurrent()) {
      return List.of(
          CONTENDER,
          ratio,
          ARRAYS_PER_SECOND,
          GIGABYTES_PER_SECOND,
          SPREAD,
          CPU_PER_GIGABYTE,
          CPU_PER_ARRAY,
          ALLOCATED,
          P50,
          P99,
          LEAST_SHARE,
          JAIN,
          arrays("arrays"));
    }
    return workload.pipelined()
        ? List.of(
            CONTENDER, ratio, ARRAYS_PER_SECOND, SPREAD, CPU_PER_ARRAY, ALLOCATED, arrays("arrays"))
        : List.of(
            CONTENDER,
            ratio,
            GIGABYTES_PER_SECOND,
            SLOW_QUARTER,
            SPREAD,
            CPU_PER_GIGABYTE,
            ALLOCATED,
            P50,
            P99,
            P999,
            arrays("transfers"));
  }

  private static Column arrays(String heading) {
    return new Column(heading, row -> Long.toString(row.arrays()));
  }

  static String arraysPerSecond(Figures row) {
    return String.format(Locale.ROOT, "%.0f", row.arraysPerSecond());
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

  private static String time(Figures row, double percentage) {
    return Units.time((long) row.percentile(percentage));
  }

  /** What {@link BenchFile} keeps of it. */
  Map<String, @Nullable Object> members() {
    List<Object> workloads = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      Workload workload = settings.workloads().get(i);
      Map<String, @Nullable Object> members =
          Json.object(
              "label", workload.label(), "bytes", workload.bytes(), "window", workload.window());
      if (workload.roundTrip()) {
        members.put("movedBytes", workload.movedBytes());
      }
      if (workload.concurrent()) {
        members.put("connections", workload.connections());
      }
      Clients clients = workload.clients();
      if (clients != null) {
        members.put("threads", clients.threads());
      }
      Rate rate = workload.rate();
      if (rate != null) {
        members.put("rate", rate.perSecond());
        members.put("atOnce", rate.atOnce());
      }
      SlowAnswers slowAnswers = workload.slowAnswers();
      if (slowAnswers != null) {
        members.put("slowAnswers", slowAnswers.label());
      }
      members.put("contenders", figures.get(i).stream().map(this::row).toList());
      workloads.add(members);
    }
    Map<String, @Nullable Object> members =
        Json.object(
            "baseline",
            settings.baseline(),
            "rounds",
            rounds,
            "burstMillis",
            settings.burst().toMillis(),
            "heapBytes",
            settings.heapBytes(),
            "jvmFlags",
            ChildJvm.options(
                settings.hosts().javaFeature(), settings.heapBytes(), settings.allJvmOptions()),
            "java",
            settings.hosts().java(),
            "workloads",
            workloads);
    ArrayData data = settings.data();
    if (data != null) {
      members.put("data", data.label());
      members.putAll(data.facts());
    }
    if (settings.python() != null) {
      members.put("python", settings.python());
    }
    NetworkReport network = settings.hosts().report();
    if (network != null) {
      members.put("network", network.title());
      members.put("networkFindings", network.members());
    }
    return members;
  }

  private Object row(Figures row) {
    Map<String, @Nullable Object> members =
        Json.object(
            "contender",
            row.contender(),
            "ratio",
            row.ratio(),
            "ratioInterval",
            interval(row.ratioInterval()),
            "nanos",
            row.nanos(),
            "standardDeviation",
            row.standardDeviation(),
            "nanosInterval",
            interval(row.interval()),
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
            "allocatedBytesPerArray",
            row.allocatedBytesPerArray(),
            "p50",
            row.percentile(50),
            "p99",
            row.percentile(99),
            "p99.9",
            row.percentile(99.9),
            "arrays",
            row.arrays());
    Participant participant = participant(row.contender());
    if (participant.loss() != null) {
      members.put("loss", participant.loss());
    }
    if (!participant.jvmOptions().isEmpty()) {
      members.put("jvmOptions", participant.jvmOptions());
    }
    if (participant.garbageBytes() > 0) {
      members.put("heapBytes", settings.heapBytes(participant));
    }
    if (row.workload().rate() != null) {
      members.put("reachedPerSecond", row.reachedPerSecond());
      members.put(
          "hdrHistogramLog", HistogramLog.lines(row.contender(), row.bursts(), settings.burst()));
    } else if (row.workload().concurrent()) {
      members.put("leastShare", row.leastShare());
      members.put("jainIndex", row.jainIndex());
    }
    List<Object> rounds = new ArrayList<>();
    for (int round = 0; round < row.bursts().size(); round++) {
      rounds.add(round(row.bursts().get(round), row.roundRatios().get(round)));
    }
    members.put("rounds", rounds);
    return members;
  }

  private Participant participant(String contender) {
    return settings.contenders().stream()
        .filter(each -> each.name().equals(contender))
        .findFirst()
        .orElseThrow();
  }

  private static Object interval(Interval interval) {
    return Json.object("low", interval.low(), "high", interval.high());
  }

  private static Object round(Burst burst, double ratio) {
    Map<String, @Nullable Object> members =
        Json.object(
            "nanos",
            burst.nanosPerArray(),
            "ratio",
            ratio,
            "arrays",
            burst.arrays(),
            "elapsedNanos",
            burst.nanos(),
            "cpuNanos",
            burst.expense().cpuNanos(),
            "allocatedBytes",
            burst.expense().allocatedBytes());
    if (burst.times().getTotalCount() > 0) {
      members.put("times", EncodedTimes.encode(burst.times()));
    }
    if (!burst.served().isEmpty()) {
      members.put("served", burst.served());
    }
    return members;
  }
}
