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
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The Python package's own tests, {@code python/tests}, by pytest, with {@link PythonPeer}. */
class PythonPackageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @BeforeAll
  static void requirePytest() throws InterruptedException {
    Python.require("numpy", "pytest");
  }

  @Test
  @Tag("newest")
  void itsOwnTestsPass() throws Exception {
    assertPasses("", "tests");
  }

  /**
   * The part in which Java is at the other end, which differs from JDK to JDK: types, encodings,
   * transports, directions, sizes, kills. On the newest JDK it is one part of the whole.
   */
  @Test
  @DisabledForJreRange(min = JRE.JAVA_22)
  void itsTestsAgainstJavaPassOnAnOlderJdk() throws Exception {
    assertPasses("", "tests/test_java.py");
  }

  /** An array of 2 GiB between two ends in Python. */
  @Test
  @Tag("newest")
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
