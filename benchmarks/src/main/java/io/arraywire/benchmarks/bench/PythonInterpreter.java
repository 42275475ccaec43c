package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.benchmarks.result.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The Python that runs the ends of {@link PythonContender}s: {@code ARRAYWIRE_PYTHON}, or {@code
 * python3}. The package {@code arraywire} is that of the checkout.
 *
 * @param command the interpreter, a path or a name
 * @param directory {@code python} of the checkout
 */
record PythonInterpreter(String command, Path directory) {
  /** Names the interpreter. */
  static final String VARIABLE = "ARRAYWIRE_PYTHON";

  /** A first import compiles modules, of a cold disk. */
  private static final int CHECK_SECONDS = 120;

  /**
   * The one that the environment names.
   *
   * @throws IOException if this program is in no checkout, which has Python's end
   */
  static PythonInterpreter here() throws IOException {
    Path root = Checkout.directory();
    if (root == null) {
      throw new IOException(
          "--python runs python/benchmarks/peers.py of a checkout, and this program is in none; run"
              + " ./arraywire of a clone");
    }
    return new PythonInterpreter(
        System.getenv().getOrDefault(VARIABLE, "python3"), root.resolve("python"));
  }

  private Path script() {
    return directory.resolve("benchmarks/peers.py");
  }

  /** Starts a process that waits for commands. */
  Process start() throws IOException {
    return process(List.of("serve")).start();
  }

  private ProcessBuilder process(List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(command, script().toString()));
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words);
    Map<String, String> environment = builder.environment();
    String own = directory.resolve("src").toString();
    environment.merge("PYTHONPATH", own, (theirs, ours) -> ours + File.pathSeparator + theirs);
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    environment.put("PYTHONIOENCODING", "utf-8");
    return builder;
  }

  /**
   * Imports what contenders need, in a process that then ends.
   *
   * @return the interpreter and the distributions, with versions, such as {@code CPython 3.13.1,
   *     numpy 2.4.6}
   * @throws IOException if there is no such interpreter, or it lacks a module. The text is one
   *     sentence that says what to do
   */
  String require(Collection<? extends PythonContender> contenders) throws IOException {
    Set<PythonModule> modules = new LinkedHashSet<>(List.of(PythonModule.NUMPY));
    contenders.forEach(each -> modules.addAll(each.modules()));
    List<String> words = new ArrayList<>(List.of("check"));
    modules.forEach(each -> words.add(each.name() + "=" + each.distribution()));
    List<String> said = run(words);
    List<String> missing = after("missing ", said);
    if (!missing.isEmpty()) {
      throw new IOException(
          "Python lacks modules that contenders import; run '"
              + command
              + " -m pip install "
              + String.join(" ", missing)
              + "', name another Python by "
              + VARIABLE
              + ", or name other --contenders");
    }
    return String.join(", ", after("found ", said));
  }

  private static List<String> after(String word, List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(word))
        .map(line -> line.substring(word.length()))
        .toList();
  }

  /** The lines that it prints. The last line of one that fails is passed on. */
  private List<String> run(List<String> arguments) throws IOException {
    Process process;
    try {
      process = process(arguments).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException(
          "there is no such Python; install Python 3.9 or newer, or set "
              + VARIABLE
              + " to one (python="
              + command
              + ")",
          e);
    }
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(CHECK_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        List<String> lines = said.strip().lines().toList();
        throw new IOException(
            "Python cannot run its end of bench; is it 3.9 or newer? (python="
                + command
                + ", said="
                + (lines.isEmpty() ? "" : lines.get(lines.size() - 1))
                + ")");
      }
      return said.lines().toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Python imported modules", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
