package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.arraywire.benchmarks.result.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("newest")
class PythonInterpreterTest {
  private static final int LONGEST_MESSAGE = 300;

  @TempDir private Path directory;

  private static PythonInterpreter python(String command) {
    Path root = Objects.requireNonNull(Checkout.directory());
    return new PythonInterpreter(command, root.resolve("python"));
  }

  private Path script(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The Python of this machine, where a module cannot be imported. */
  private Path without(String... modules) throws IOException {
    for (String each : modules) {
      Files.writeString(directory.resolve(each + ".py"), "raise ImportError");
    }
    String command = System.getenv().getOrDefault(PythonInterpreter.VARIABLE, "python3");
    // Behind the package of the checkout, and before all that is installed.
    return script(
        "python-without",
        "PYTHONPATH=\"$PYTHONPATH:" + directory + "\" exec " + command + " \"$@\"");
  }

  private static void assertRefused(String command, PythonContender contender, String... words) {
    assertThatIOException()
        .isThrownBy(() -> python(command).require(List.of(contender)))
        .withMessageContainingAll(words)
        .satisfies(
            e -> assertThat(e.getMessage()).hasLineCount(1).hasSizeLessThan(LONGEST_MESSAGE));
  }

  @Test
  void anInterpreterThatIsNotThereIsNamed() {
    assertRefused(
        "/no/such/python",
        new SocketMirror(),
        "there is no such Python",
        "set ARRAYWIRE_PYTHON",
        "python=/no/such/python");
  }

  @Test
  void anInterpreterThatFailsIsQuoted() throws IOException {
    Path old = script("old", "echo 'SyntaxError: invalid syntax' >&2; exit 1");
    assertRefused(
        old.toString(),
        new SocketMirror(),
        "is it 3.9 or newer?",
        "python=" + old,
        "said=SyntaxError: invalid syntax");
  }

  @Test
  void modulesThatAreMissingComeWithTheCommandThatInstallsThem() throws IOException {
    Assumptions.assumeTrue(hasPython());
    PythonContender contender =
        new PythonContender() {
          @Override
          public String name() {
            return "needs-much";
          }

          @Override
          public String summary() {
            return "";
          }

          @Override
          public List<PythonModule> modules() {
            return List.of(
                new PythonModule("zlib", "not-missing"),
                new PythonModule("no_such_module", "no-such-package"),
                new PythonModule("no_such_module.at_all", "another"));
          }

          @Override
          public String listen(Mirror mirror) {
            throw new AssertionError("nothing is started");
          }
        };
    Path python = without("numpy");
    assertRefused(
        python.toString(),
        contender,
        "Python lacks modules that contenders import",
        "run '" + python + " -m pip install numpy no-such-package another'",
        "name other --contenders");
  }

  private static boolean hasPython() {
    try {
      python("python3").require(List.of());
      return true;
    } catch (IOException e) {
      return e.getMessage().contains("lacks");
    }
  }
}
