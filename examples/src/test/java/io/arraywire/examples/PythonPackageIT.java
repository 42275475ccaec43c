package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Python package's own tests, {@code python/tests}, by pytest, with {@link PythonPeer}. */
@Tag("newest")
class PythonPackageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @BeforeAll
  static void requirePytest() throws InterruptedException {
    Python.require("numpy", "pytest");
  }

  @Test
  void itsOwnTestsPass() throws Exception {
    assertPasses("", "tests");
  }

  /** An array of 2 GiB between two ends in Python. */
  @Test
  @Tag("slow")
  void itsSlowTestsPass() throws Exception {
    assertPasses("1", "tests/test_slow.py");
  }

  private static void assertPasses(String slow, String tests) throws Exception {
    Path python = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("../python");
    try (CliProcess pytest =
        CliProcess.start(
            Map.of(
                "PYTHONDONTWRITEBYTECODE",
                "1",
                "ARRAYWIRE_SLOW",
                slow,
                "ARRAYWIRE_JAVA_COMMAND",
                words(CliProcess.arraywireCommand()),
                "ARRAYWIRE_JAVA_PEER",
                words(
                    CliProcess.javaCommand(
                        "-cp", CliProcess.classPath(), PythonPeer.class.getName()))),
            Python.interpreter(),
            "-m",
            "pytest",
            "-q",
            "--rootdir=" + python.normalize(),
            python.resolve(tests).normalize())) {
      assertThat(pytest.awaitExit(PATIENCE)).as(pytest.toString()).isZero();
      List<String> out = pytest.out();
      String last = out.get(out.size() - 1);
      assertThat(last).contains(" passed");
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        assertThat(last).doesNotContain("skipped");
      }
    }
  }

  /** One word a line, since paths may have spaces. */
  private static String words(List<Object> command) {
    return command.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }
}
