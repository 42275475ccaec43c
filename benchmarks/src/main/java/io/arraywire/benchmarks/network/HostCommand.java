package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of this machine. */
final class HostCommand {
  private static final int PATIENCE_SECONDS = 120;

  private HostCommand() {}

  /**
   * Runs one.
   *
   * @param command its words
   * @return what it printed
   * @throws IOException if there is no such command, it fails, or does not end; the text has what
   *     it printed
   */
  static String run(List<String> command) throws IOException {
    return run(command, PATIENCE_SECONDS);
  }

  /** The same with another patience. */
  static String run(List<String> command, int seconds) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    // Beside: a thread that reads to the end cannot stop waiting.
    StringWriter said = new StringWriter();
    Thread reader = DaemonThread.start("output", () -> copy(process.getInputStream(), said));
    String end = "did not end within " + seconds + " s";
    try {
      if (process.waitFor(seconds, TimeUnit.SECONDS)) {
        reader.join();
        if (process.exitValue() == 0) {
          return said.toString();
        }
        end = "failed";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end = "was interrupted";
    }
    process.destroyForcibly();
    throw new IOException(
        "a command "
            + end
            + " (command="
            + String.join(" ", command)
            + ", said="
            + said.toString().strip().replaceAll("\\s+", " ")
            + ")");
  }

  private static void copy(InputStream from, StringWriter to) throws IOException {
    Reader reader = new InputStreamReader(from, StandardCharsets.UTF_8);
    char[] some = new char[1 << 10];
    for (int read = reader.read(some); read >= 0; read = reader.read(some)) {
      to.write(some, 0, read);
    }
  }

  /** Runs one behind another that says where. */
  static String run(List<String> where, List<String> command) throws IOException {
    List<String> both = new ArrayList<>(where);
    both.addAll(command);
    return run(both);
  }

  /** Runs one of words that have no spaces in them. */
  static String run(String... command) throws IOException {
    return run(List.of(command));
  }
}
