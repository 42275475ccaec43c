package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import java.io.IOException;

/**
 * The child process that sends arrays back to one of Python.
 *
 * <pre>
 * listen NAME COUNT    makes an array of that many elements; answers with the port, or several
 * expect COUNT         arrays have so many elements from now on
 * spoil                overwrites the array
 * checksum COUNT       answers with the CRC-32 of its first elements
 * expense              answers with its {@link Expense}
 * </pre>
 */
final class MirrorProcess implements CommandLoop.Commands {
  private Mirror mirror = new Mirror(0);

  private MirrorProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new MirrorProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "listen" -> {
        mirror = new Mirror(Integer.parseInt(words[2]));
        return new String[] {PythonContenders.named(words[1]).listen(mirror)};
      }
      case "expect" -> {
        mirror.expect(Integer.parseInt(words[1]));
        return new String[0];
      }
      case "spoil" -> {
        mirror.spoil();
        return new String[0];
      }
      case "checksum" -> {
        return new String[] {mirror.checksum(Integer.parseInt(words[1]))};
      }
      case "expense" -> {
        return Expense.now().words();
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  /** What a thread that mirrors does. */
  @FunctionalInterface
  interface Work {
    /**
     * Mirrors for as long as the peer is there.
     *
     * @throws IOException if the connection ends
     */
    void run() throws Exception;
  }

  /**
   * Starts a thread that mirrors. An end of the connection ends the thread. Whatever else fails
   * ends the process, since the peer would wait.
   */
  static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                System.err.println("no more arrays: " + e);
              } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            },
            "mirror");
    thread.setDaemon(true);
    thread.start();
  }
}
