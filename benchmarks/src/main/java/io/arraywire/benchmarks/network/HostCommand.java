package io.arraywire.benchmarks.network;

import java.io.IOException;
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
   * @throws IOException if there is no such command, or it fails; the text has what it printed
   */
  static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
        return words;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IOException(
        "a command failed (command="
            + String.join(" ", command)
            + ", said="
            + words.strip().replaceAll("\\s+", " ")
            + ")");
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
