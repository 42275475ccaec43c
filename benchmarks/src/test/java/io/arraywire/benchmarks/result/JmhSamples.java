package io.arraywire.benchmarks.result;

import io.arraywire.examples.report.Json;
import java.util.List;

/** What JMH writes, of made-up scores. */
public final class JmhSamples {
  private JmhSamples() {}

  /** A result of two forks with two iterations each, measured with the profiler for garbage. */
  public static String result(String benchmark, String codec, int elements, double micros) {
    return Json.text(
        Json.object(
            "jmhVersion",
            "1.37",
            "benchmark",
            benchmark,
            "mode",
            "avgt",
            "threads",
            1,
            "forks",
            2,
            "jvm",
            "/somewhere/java",
            "jvmArgs",
            List.of("-Xms1g", "-Da=<b>"),
            "jdkVersion",
            "25.0.3",
            "vmName",
            "A VM",
            "vmVersion",
            "25.0.3+9",
            "warmupIterations",
            3,
            "warmupTime",
            "1 s",
            "measurementIterations",
            5,
            "measurementTime",
            "2 s",
            "params",
            Json.object("codec", codec, "elements", String.valueOf(elements)),
            "primaryMetric",
            metric(micros, "us/op"),
            "secondaryMetrics",
            Json.object("gc.alloc.rate.norm", metric(24, "B/op"))));
  }

  private static Object metric(double score, String unit) {
    return Json.object(
        "score",
        score,
        "scoreError",
        "NaN",
        "scoreConfidence",
        List.of(0.9 * score, 1.1 * score),
        "scoreUnit",
        unit,
        "rawData",
        List.of(List.of(0.5 * score, score), List.of(score, 1.5 * score)));
  }
}
