package io.arraywire.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The Python that tests talk to: {@code ARRAYWIRE_PYTHON}, or {@code python3}. It needs numpy and
 * protobuf, or pytest; where they are missing a loud line is printed and the tests are skipped, but
 * where {@code CI} is set they fail.
 */
final class Python {
  private Python() {}

  static String interpreter() {
    return System.getenv().getOrDefault("ARRAYWIRE_PYTHON", "python3");
  }

  /** Skips or fails the test if there is no Python with numpy and protobuf. */
  static void require() throws InterruptedException {
    require("numpy", "google.protobuf");
  }

  /** Skips or fails the test if there is no Python with these modules. */
  static void require(String... modules) throws InterruptedException {
    String missing;
    try (CliProcess python =
        CliProcess.start(Map.of(), interpreter(), "-c", "import " + String.join(", ", modules))) {
      if (python.awaitExit() == 0) {
        return;
      }
      missing = String.join(" ", python.err());
    } catch (IOException e) {
      missing = e.getMessage();
    }
    String words =
        "!!! PYTHON INTEROPERABILITY WAS NOT TESTED: set ARRAYWIRE_PYTHON to a Python with "
            + String.join(" and ", modules)
            + " (python="
            + interpreter()
            + ", cause="
            + missing
            + ") !!!";
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      throw new AssertionError(words);
    }
    System.out.println(words);
    Assumptions.abort(words);
  }

  /** Starts a script that lies beside the tests. */
  static CliProcess start(Path dir, String script, Object... arguments) throws IOException {
    Path file = dir.resolve(script);
    try (InputStream in = Python.class.getResourceAsStream("python/" + script)) {
      if (in == null) {
        throw new AssertionError("no such script: " + script);
      }
      Files.write(file, in.readAllBytes());
    }
    List<Object> command = new ArrayList<>(List.of(interpreter(), file));
    command.addAll(List.of(arguments));
    return CliProcess.start(Map.of(), command.toArray());
  }
}
