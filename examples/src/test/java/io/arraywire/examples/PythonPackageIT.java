package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The Python package's own tests, {@code python/tests}, by pytest, with {@link PythonPeer}. */
@Timeout(660) // A little more than PATIENCE, whose message says what the programs printed.
class PythonPackageIT {
  private static final Path PYTHON =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("../python").normalize();

  private static final List<String> SLOW = List.of("test_slow.py", "test_slow_java.py");

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Most tests wait; one after the other they would take as long as all other programs here. */
  private static final int AT_A_TIME = 4;

  /**
   * About how long a file of tests takes; the others take less. Only the parts' lengths depend on
   * it.
   */
  private static final Map<String, Integer> SECONDS =
      Map.of(
          "test_cli_options.py", 120,
          "test_java.py", 105,
          "test_cli.py", 70,
          "test_cli_resume.py", 55,
          "test_tls.py", 45,
          "test_whole.py", 40,
          "test_hostile.py", 40,
          "test_package.py", 35,
          "test_connection.py", 35,
          "test_cli_files.py", 30);

  private static final int FEW_SECONDS = 10;

  @BeforeAll
  static void requirePytest() throws InterruptedException {
    Python.require("numpy", "pytest");
  }

  @Test
  @Tag("newest")
  void itsOwnTestsPass() throws Exception {
    List<List<Path>> parts = parts();
    List<CliProcess> running = new ArrayList<>();
    try {
      for (List<Path> part : parts) {
        running.add(pytest("", part));
      }
      for (CliProcess each : running) {
        assertPassed(each);
      }
    } finally {
      running.forEach(CliProcess::close);
    }
  }

  /** Every file of tests but the slow ones in one of so many parts, which take about as long. */
  private static List<List<Path>> parts() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> tests =
        Files.newDirectoryStream(PYTHON.resolve("tests"), "test_*.py")) {
      for (Path each : tests) {
        if (!SLOW.contains(each.getFileName().toString())) {
          files.add(each);
        }
      }
    }
    files.sort(Comparator.comparing(PythonPackageIT::seconds).reversed());
    List<List<Path>> parts = new ArrayList<>();
    for (int i = 0; i < AT_A_TIME; i++) {
      parts.add(new ArrayList<>());
    }
    for (Path each : files) {
      Collections.min(
              parts,
              Comparator.comparing(part -> part.stream().mapToInt(PythonPackageIT::seconds).sum()))
          .add(each);
    }
    return parts;
  }

  private static int seconds(Path file) {
    return SECONDS.getOrDefault(file.getFileName().toString(), FEW_SECONDS);
  }

  /**
   * The part in which Java is at the other end, which differs from JDK to JDK: types, encodings,
   * transports, directions, sizes, kills. On the newest JDK it is one part of the whole.
   */
  @Test
  @DisabledForJreRange(min = JRE.JAVA_22)
  void itsTestsAgainstJavaPassOnAnOlderJdk() throws Exception {
    assertPasses("", List.of("test_java.py"));
  }

  /** Arrays of 2 GiB between two ends in Python, and between Python and Java in both directions. */
  @Test
  @Tag("newest")
  @Tag("slow")
  void itsSlowTestsPass() throws Exception {
    assertPasses("1", SLOW);
  }

  private static void assertPasses(String slow, List<String> files) throws Exception {
    Path tests = PYTHON.resolve("tests");
    try (CliProcess pytest = pytest(slow, files.stream().map(tests::resolve).toList())) {
      assertPassed(pytest);
    }
  }

  private static CliProcess pytest(String slow, List<Path> files) throws IOException {
    List<Object> command =
        new ArrayList<>(List.of(Python.interpreter(), "-m", "pytest", "-q", "--rootdir=" + PYTHON));
    command.addAll(files);
    return CliProcess.start(
        Map.of(
            "ARRAYWIRE_SLOW",
            slow,
            "ARRAYWIRE_THOROUGH",
            Boolean.getBoolean("arraywire.test.thorough") ? "1" : "",
            "ARRAYWIRE_JAVA_COMMAND",
            words(CliProcess.arraywireCommand()),
            "ARRAYWIRE_JAVA_PEER",
            words(
                CliProcess.javaCommand("-cp", CliProcess.classPath(), PythonPeer.class.getName()))),
        command.toArray());
  }

  private static void assertPassed(CliProcess pytest) throws InterruptedException {
    assertThat(pytest.awaitExit(PATIENCE)).as(pytest.toString()).isZero();
    List<String> out = pytest.out();
    String last = out.get(out.size() - 1);
    assertThat(last).contains(" passed");
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      assertThat(last).doesNotContain("skipped");
    }
  }

  /** One word a line, since paths may have spaces. */
  private static String words(List<Object> command) {
    return command.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }
}
