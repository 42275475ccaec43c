package io.arraywire.chaos.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program of the tests in a JVM of its own, which answers lines on its standard input with lines
 * on its standard output. It is killed when it has lasted too long, so that nobody waits for ever.
 * For use by one thread; any thread may close it.
 */
public class AnsweringProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Starts a program whose standard error is that of this JVM.
   *
   * @param program its main class
   * @param flags options of its JVM
   * @param patience how long it may last
   * @param arguments what its main method gets
   * @throws IOException if it cannot be started
   */
  public AnsweringProcess(
      Class<?> program, List<String> flags, Duration patience, String... arguments)
      throws IOException {
    this(program, flags, ProcessBuilder.Redirect.INHERIT, patience, arguments);
  }

  /**
   * Starts a program.
   *
   * @param program its main class
   * @param flags options of its JVM
   * @param errors where its standard error goes
   * @param patience how long it may last
   * @param arguments what its main method gets
   * @throws IOException if it cannot be started
   */
  public AnsweringProcess(
      Class<?> program,
      List<String> flags,
      ProcessBuilder.Redirect errors,
      Duration patience,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(errors).start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    Thread watch =
        new Thread(() -> {
          try {
            if (!closed.await(patience.toSeconds(), TimeUnit.SECONDS)) {
              // A caller that waits for its answer then hears of its end.
              process.destroyForcibly();
            }
          } catch (InterruptedException e) {
            process.destroyForcibly();
          }
        });
    watch.setDaemon(true);
    watch.start();
  }

  /**
   * The process itself, for what only that knows. It belongs to this object.
   *
   * @return the process
   */
  public final Process process() {
    return process;
  }

  /**
   * Waits for the next line that the program says.
   *
   * @return the line
   * @throws IOException if the program has ended
   */
  public final String line() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException(
          "the program ended before it answered (process=" + process.info() + ")");
    }
    return line;
  }

  /**
   * Asks the program.
   *
   * @param question a line
   * @return the line that it answers with
   * @throws IOException if the program has ended
   */
  public final String ask(String question) throws IOException {
    process.outputWriter().write(question + "\n");
    process.outputWriter().flush();
    return line();
  }

  /**
   * Has it stand still.
   *
   * @throws IOException if there is no such process
   * @throws InterruptedException if the calling thread is interrupted
   */
  public final void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /**
   * Has it go on after {@link #stop}.
   *
   * @throws IOException if there is no such process
   * @throws InterruptedException if the calling thread is interrupted
   */
  public final void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    // The shell's own kill is always there.
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill failed (signal=" + name + ", pid=" + process.pid() + ")");
    }
  }

  /** Kills it, and waits until it is gone. */
  @Override
  public final void close() {
    closed.countDown();
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
