package io.arraywire.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The other JVM of a transfer: runs a main class of this module on the same class path and JDK, and
 * ends with its parent, because its standard input does.
 */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return startWithHeap("1g", main, arguments);
  }

  /** Starts a JVM whose heap has that size from the beginning, written as for {@code -Xmx}. */
  static ChildJvm startWithHeap(String heap, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xms" + heap);
    command.add("-Xmx" + heap);
    command.add("-XX:+AlwaysPreTouch");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line that the child prints. */
  String line() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the other JVM ended early (exit status " + exitStatus() + ")");
    }
    return line;
  }

  private String exitStatus() {
    try {
      return process.waitFor(5, TimeUnit.SECONDS) ? "" + process.exitValue() : "none yet";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "not waited for";
    }
  }

  /** Runs until the parent is gone; for the child's main thread. */
  static void untilParentEnds() throws IOException {
    while (System.in.read() >= 0) {
      // Nothing is ever sent; what counts is the end.
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
