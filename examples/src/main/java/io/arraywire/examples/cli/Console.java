package io.arraywire.examples.cli;

import java.io.PrintStream;
import java.util.Objects;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err errors and progress
 * @param terminal whether somebody watches {@code err}
 */
public record Console(PrintStream out, PrintStream err, boolean terminal) {

  /** Checks its parts. */
  public Console {
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(err, "err");
  }

  /**
   * This process's own. The launcher, which can see whether standard error is a terminal, says so
   * in the system property {@code arraywire.terminal}; without it nobody is taken to watch, since
   * {@code System.console()} no longer tells from JDK 22 on.
   *
   * @return standard output and standard error
   */
  public static Console system() {
    return new Console(System.out, System.err, Boolean.getBoolean("arraywire.terminal"));
  }

  /**
   * Writes one line and sees that it leaves the process now: whoever reads it through a pipe waits
   * for it.
   *
   * @param line the line
   */
  public synchronized void print(String line) {
    out.println(line);
    out.flush();
  }

  /**
   * Writes one line to standard error, without control characters, which may come from a file or a
   * peer.
   *
   * @param line the line
   */
  public synchronized void complain(String line) {
    err.println(line.strip().replaceAll("\\s*[\\p{Cntrl}\u2028\u2029]+\\s*", " "));
    err.flush();
  }
}
