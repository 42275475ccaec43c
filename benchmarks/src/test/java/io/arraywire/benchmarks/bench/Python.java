package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * The Python that tests of {@code bench --python} run: {@code ARRAYWIRE_PYTHON}, or {@code
 * python3}. Where it lacks a module a loud line is printed and the test is skipped, but where
 * {@code CI} is set it fails.
 */
final class Python {
  private Python() {}

  /** Skips or fails the test if Python lacks what this contender imports. */
  static void require(PythonContender contender) {
    try {
      PythonInterpreter.here().require(List.of(contender));
    } catch (IOException e) {
      String words =
          "!!! NO ARRAY WAS MOVED BETWEEN PYTHON AND JAVA BY "
              + contender.name()
              + ": "
              + e.getMessage()
              + " !!!";
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        throw new AssertionError(words, e);
      }
      System.out.println(words);
      Assumptions.abort(words);
    }
  }
}
