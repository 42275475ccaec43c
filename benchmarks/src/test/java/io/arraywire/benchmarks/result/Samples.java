package io.arraywire.benchmarks.result;

import io.arraywire.examples.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Files as {@code arraywire bench --json} writes them, of made-up times. */
public final class Samples {
  /** Rounds that vary by a few percent. */
  public static final double[] ROUNDS = {1000, 1010, 990, 1005, 995, 1015, 985};

  private Samples() {}

  /** Where nothing was measured. */
  public static Environment environment() {
    return new Environment(
        new Checkout("0123456789abcdef", true),
        List.of("./arraywire", "bench", "--json", "it's <b>.json"),
        Instant.parse("2026-11-22T10:00:00Z"),
        "A <Processor> & Co",
        2,
        8L << 30,
        "amd64",
        "Linux 6.18",
        "A vendor",
        "25+36",
        "A VM");
  }

  /** All rounds by that factor. */
  public static double[] times(double factor) {
    return Arrays.stream(ROUNDS).map(each -> factor * each).toArray();
  }

  /** What one contender had. */
  public static Map<String, @Nullable Object> contender(
      String name, double[] baseline, double[] nanos, boolean percentiles) {
    double[] ratios = new double[nanos.length];
    List<Object> rounds = new ArrayList<>();
    for (int i = 0; i < nanos.length; i++) {
      ratios[i] = baseline[i] / nanos[i];
      Map<String, @Nullable Object> round =
          Json.object("nanos", nanos[i], "ratio", ratios[i], "arrays", 100, "cpuNanos", 5);
      if (percentiles) {
        round.put("times", histogram(nanos[i]));
      }
      rounds.add(round);
    }
    return Json.object(
        "contender",
        name,
        "ratio",
        Statistics.median(ratios),
        "ratioInterval",
        interval(Statistics.interval(ratios)),
        "nanos",
        Statistics.median(nanos),
        "standardDeviation",
        Statistics.standardDeviation(nanos),
        "nanosInterval",
        interval(Statistics.interval(nanos)),
        "spread",
        Statistics.spread(nanos),
        "slowQuarterGigabytesPerSecond",
        0.5,
        "cpuSecondsPerGigabyte",
        0.7,
        "allocatedBytesPerArray",
        1234.5,
        "p50",
        percentiles ? nanos[0] : Double.NaN,
        "p99",
        percentiles ? 2 * nanos[0] : Double.NaN,
        "p99.9",
        percentiles ? 3 * nanos[0] : Double.NaN,
        "arrays",
        700,
        "rounds",
        rounds);
  }

  private static Object interval(Interval interval) {
    return Json.object("low", interval.low(), "high", interval.high());
  }

  private static String histogram(double nanos) {
    Histogram times = new Histogram(1L << 42, 3);
    times.recordValueWithCount((long) nanos, 990);
    times.recordValueWithCount((long) (2 * nanos), 10);
    return EncodedTimes.encode(times);
  }

  /** A workload; with connections if there are more than none. */
  public static Map<String, @Nullable Object> workload(
      String label, long bytes, int connections, List<?> contenders) {
    Map<String, @Nullable Object> workload =
        Json.object("label", label, "bytes", bytes, "window", 1, "contenders", contenders);
    if (connections > 0) {
      workload.put("connections", connections);
    }
    return workload;
  }

  /** A run. */
  public static Map<String, @Nullable Object> run(String baseline, List<?> workloads) {
    return Json.object(
        "baseline",
        baseline,
        "rounds",
        ROUNDS.length,
        "burstMillis",
        300,
        "jvmFlags",
        List.of("-Xms98m"),
        "workloads",
        workloads);
  }

  /** A file of a run with one size and, beside raw-sleep, a contender that takes that long. */
  public static Path file(Path path, String contender, double[] baseline, double[] nanos)
      throws IOException {
    List<?> contenders =
        List.of(
            contender("raw-sleep", baseline, baseline, true),
            contender(contender, baseline, nanos, true));
    return write(path, List.of(run("raw-sleep", List.of(workload("64 bytes", 64, 0, contenders)))));
  }

  /** A file of these runs. */
  public static Path write(Path path, List<Map<String, @Nullable Object>> runs) throws IOException {
    return Files.writeString(path, BenchFile.text(environment(), runs));
  }
}
