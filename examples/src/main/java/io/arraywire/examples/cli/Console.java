package io.arraywire.examples.cli;

import io.arraywire.spi.MessageText;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;

/**
 * Where a command writes. Any thread; lines do not mix, and a stream that takes no more holds up no
 * thread that writes to the other one.
 *
 * @param out results
 * @param err errors and progress
 * @param terminal whether somebody watches {@code err}
 * @param colours whether {@code out} is a terminal whose user wants colours
 */
public record Console(PrintStream out, PrintStream err, boolean terminal, boolean colours) {
  private static final String GREEN = "\u001b[32m";
  private static final String YELLOW = "\u001b[33m";
  private static final String PLAIN = "\u001b[0m";

  /** Checks its parts. */
  public Console {
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(err, "err");
  }

  /**
   * A console without colours.
   *
   * @param out results
   * @param err errors and progress
   * @param terminal whether somebody watches {@code err}
   */
  public Console(PrintStream out, PrintStream err, boolean terminal) {
    this(out, err, terminal, false);
  }

  /**
   * This process's own. The launcher, which can see whether standard output and standard error are
   * terminals, says so in the system properties {@code arraywire.colours} and {@code
   * arraywire.terminal}. Without them the command assumes that nobody watches, since {@code
   * System.console()} no longer tells from JDK 22 on.
   *
   * @return standard output and standard error
   */
  public static Console system() {
    return new Console(
        System.out,
        System.err,
        Boolean.getBoolean("arraywire.terminal"),
        Boolean.getBoolean("arraywire.colours"));
  }

  /** Text that says that all is well. */
  String green(String text) {
    return colours ? GREEN + text + PLAIN : text;
  }

  /** Text that wants to be noticed. */
  String yellow(String text) {
    return colours ? YELLOW + text + PLAIN : text;
  }

  /**
   * Writes one line and sees that it leaves the process now: the reader of a pipe waits for it.
   *
   * @param line the line
   */
  public void print(String line) {
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  /**
   * Writes one line to standard error, without control characters, which may come from a file or a
   * peer.
   *
   * @param line the line
   */
  public void complain(String line) {
    // Blanks for what separates lines, and no more of what else a terminal obeys.
    String oneLine = line.strip().replaceAll("\\s*[\\p{Cntrl}\u2028\u2029]+\\s*", " ");
    String printable = MessageText.printable(oneLine);
    synchronized (err) {
      err.println(printable);
      err.flush();
    }
  }

  /**
   * Writes a failure with its stack to standard error. Its texts may hold what a peer has sent.
   *
   * @param failure the failure
   */
  public void trace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    synchronized (err) {
      for (String line : trace.toString().lines().toList()) {
        boolean indented = line.startsWith("\t");
        err.println(
            (indented ? "\t" : "") + MessageText.printable(indented ? line.substring(1) : line));
      }
      err.flush();
    }
  }
}
