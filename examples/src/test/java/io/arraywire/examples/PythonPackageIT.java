package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Python package's own tests, {@code python/tests}, by pytest. */
class PythonPackageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @BeforeAll
  static void requirePytest() throws InterruptedException {
    Python.require("numpy", "pytest");
  }

  @Test
  void itsOwnTestsPass() throws Exception {
    Path python = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("../python");
    try (CliProcess pytest =
        CliProcess.start(
            Map.of("PYTHONDONTWRITEBYTECODE", "1"),
            Python.interpreter(),
            "-m",
            "pytest",
            "-q",
            "--rootdir=" + python.normalize(),
            python.normalize())) {
      assertThat(pytest.awaitExit(PATIENCE)).as(pytest.toString()).isZero();
      List<String> out = pytest.out();
      assertThat(out.get(out.size() - 1)).contains(" passed").doesNotContain("skipped");
    }
  }
}
