package io.arraywire.examples.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The life of a child process. It reads commands from standard input, a line each with words
 * between tabs. It answers each with one line: {@code ok} and words, or {@code failed} and the
 * reason.
 *
 * <p>It ends when standard input does, at once and whatever it is doing: so it dies with its
 * parent, even if that was killed.
 */
public final class CommandLoop {

  /** Carries out a command. */
  public interface Commands {
    /**
     * Carries out a command.
     *
     * @param words the command and what belongs to it
     * @return the words of the answer
     * @throws Exception if it fails
     */
    String[] run(String[] words) throws Exception;
  }

  private static final int PARENT_GONE = 3;

  private final PrintStream out;

  /** Makes a loop that answers on standard output. */
  public CommandLoop() {
    out = System.out;
  }

  /**
   * Says something beside the answer.
   *
   * @param words the words
   */
  public void say(String... words) {
    synchronized (out) {
      out.println(String.join("\t", words));
      out.flush();
    }
  }

  /**
   * Serves until standard input ends.
   *
   * @param commands carries the commands out, one at a time
   * @throws IOException if standard input cannot be read
   */
  public void serve(Commands commands) throws IOException {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    say("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split("\t", -1);
      worker.execute(() -> answer(commands, words));
    }
    Runtime.getRuntime().halt(PARENT_GONE);
  }

  private void answer(Commands commands, String[] words) {
    try {
      say("ok\t" + String.join("\t", commands.run(words)));
    } catch (Throwable e) {
      // Errors, too: the parent would wait for the answer.
      say("failed", String.valueOf(e).replaceAll("\\s+", " "));
      e.printStackTrace();
    }
  }
}
