package io.arraywire.nio;

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
 */
class AnsweringProcess implements AutoCloseable {
  final Process process;
  private final BufferedReader answers;
  private final CountDownLatch closed = new CountDownLatch(1);

  AnsweringProcess(Class<?> program, List<String> flags, Duration patience, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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

  String line() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("a side ended too soon (process=" + process.info() + ")");
    }
    return line;
  }

  String ask(String question) throws IOException {
    process.outputWriter().write(question + "\n");
    process.outputWriter().flush();
    return line();
  }

  /** Has it stand still. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  void goOn() throws IOException, InterruptedException {
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

  @Override
  public void close() {
    closed.countDown();
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
