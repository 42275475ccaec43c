package io.arraywire.examples.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child process with a {@link CommandLoop}, on the same Java and class path as this one. For use
 * by one thread.
 */
public final class ChildJvm implements AutoCloseable {
  /**
   * Options that a test gives to all such processes, with commas between. Tests start hundreds that
   * live for a second, which compilers would otherwise take most of.
   */
  private static final List<String> SHORT_LIVED =
      Stream.of(System.getProperty("arraywire.test.childOptions", "").split(",", -1))
          .filter(each -> !each.isEmpty())
          .toList();

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String END = "\0end";
  private static final long GONE_SECONDS = 5;
  private static final int LAST_LINES = 3;

  private final String name;
  private final Process process;
  private final Writer in;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread errors;

  /** The end of what it has said on standard error, without stack traces. */
  private final Deque<String> lastErrors = new ConcurrentLinkedDeque<>();

  private ChildJvm(String name, Process process, @Nullable PrintStream log) {
    this.name = name;
    this.process = process;
    in =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    InputStream out = process.getInputStream();
    var unused = pump("out", out, ChildJvm::wholeLine, lines::add, () -> lines.add(END));
    errors =
        pump(
            "err",
            process.getErrorStream(),
            BufferedReader::readLine,
            line -> {
              keep(line);
              if (log != null) {
                log.println(name + ": " + line);
              }
            },
            () -> {});
  }

  /**
   * Starts a process and waits until it is ready.
   *
   * @param name what to call it
   * @param main its main class
   * @param heapBytes its heap, all of which is touched at the start. A page that is first touched
   *     in the middle of a measurement costs more than what is measured
   * @param log where its standard error goes, or null for nowhere
   * @return the process
   * @throws IOException if it cannot be started or does not get ready
   */
  public static ChildJvm start(
      String name, Class<?> main, long heapBytes, @Nullable PrintStream log) throws IOException {
    return start(name, main, heapBytes, List.of(), log);
  }

  /**
   * Starts a process with further options for its JVM and waits until it is ready.
   *
   * @param name what to call it
   * @param main its main class
   * @param heapBytes its heap, all of which is touched at the start
   * @param jvmOptions options of the java command
   * @param log where its standard error goes, or null for nowhere
   * @return the process
   * @throws IOException if it cannot be started or does not get ready
   */
  public static ChildJvm start(
      String name,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException {
    return start(name, ownClassPath(), main, heapBytes, jvmOptions, log);
  }

  /**
   * Starts a process that runs other classes than this one, and waits until it is ready.
   *
   * @param name what to call it
   * @param classPath its class path
   * @param main its main class, which the class path has under the same name
   * @param heapBytes its heap, all of which is touched at the start
   * @param jvmOptions options of the java command
   * @param log where its standard error goes, or null for nowhere
   * @return the process
   * @throws IOException if it cannot be started or does not get ready
   */
  public static ChildJvm start(
      String name,
      String classPath,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(arguments(Runtime.version().feature(), classPath, main, heapBytes, jvmOptions));
    return of(name, new ProcessBuilder(command).start(), log);
  }

  /**
   * The class path of this process.
   *
   * @return paths with the system's separator between
   */
  public static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * What follows {@code java} on the command line of such a process, for code that starts it
   * elsewhere.
   *
   * @param feature the feature release of that Java, such as 17
   * @param classPath its class path there
   * @param main its main class
   * @param heapBytes its heap, all of which is touched at the start
   * @param jvmOptions further options
   * @return the arguments
   */
  public static List<String> arguments(
      int feature, String classPath, Class<?> main, long heapBytes, List<String> jvmOptions) {
    List<String> arguments = new ArrayList<>(options(feature, heapBytes, jvmOptions));
    arguments.addAll(List.of("-cp", classPath, main.getName()));
    return arguments;
  }

  /**
   * Takes a process that was started elsewhere and waits until it is ready.
   *
   * @param name what to call it
   * @param process the process; its streams and its end become this object's
   * @param log where its standard error goes, or null for nowhere
   * @return the process
   * @throws IOException if it does not get ready; then it is ended
   */
  public static ChildJvm of(String name, Process process, @Nullable PrintStream log)
      throws IOException {
    ChildJvm child = new ChildJvm(name, process, log);
    try {
      String first = child.line();
      if (!first.equals("ready")) {
        throw child.outOfStep("ready", first);
      }
    } catch (IOException | RuntimeException | Error e) {
      child.close();
      throw e;
    }
    return child;
  }

  /**
   * The options that the JVM of a process gets.
   *
   * @param feature the feature release of its Java, such as 17
   * @param heapBytes its heap
   * @param jvmOptions further ones
   * @return all of them, without class path
   */
  public static List<String> options(int feature, long heapBytes, List<String> jvmOptions) {
    long mebibytes = (heapBytes + (1 << 20) - 1) >> 20;
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xms" + mebibytes + "m",
                "-Xmx" + mebibytes + "m",
                "-XX:+AlwaysPreTouch",
                "-Djava.awt.headless=true"));
    // What the library makes use of where it is granted; see NioOptions.
    options.add(
        feature >= 22
            ? "--enable-native-access=ALL-UNNAMED"
            : "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
    options.addAll(jvmOptions);
    options.addAll(SHORT_LIVED);
    return options;
  }

  /**
   * The java command of this process.
   *
   * @return its path
   */
  public static String java() {
    return ProcessHandle.current()
        .info()
        .command()
        .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  /** What there is to read of a stream. */
  @FunctionalInterface
  private interface Lines {
    /** The next line, or null if there is none. */
    @Nullable String next(BufferedReader reader) throws IOException;
  }

  private Thread pump(
      String stream, InputStream from, Lines each, Consumer<String> to, Runnable atTheEnd) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader reader =
                  new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = each.next(reader); line != null; line = each.next(reader)) {
                  to.accept(line);
                }
              } catch (IOException e) {
                // As good as the end of the stream.
              }
              atTheEnd.run();
            },
            name + "-" + stream);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void keep(String error) {
    if (error.isBlank() || error.startsWith("\t")) {
      return;
    }
    lastErrors.add(error.strip());
    if (lastErrors.size() > LAST_LINES) {
      lastErrors.remove();
    }
  }

  /**
   * A line that has an end. A process that is killed may leave the beginning of one, which reads
   * like an answer.
   */
  private static @Nullable String wholeLine(Reader reader) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = reader.read(); next >= 0; next = reader.read()) {
      if (next == '\n') {
        int length = line.length();
        // As some systems end lines.
        return length > 0 && line.charAt(length - 1) == '\r'
            ? line.substring(0, length - 1)
            : line.toString();
      }
      line.append((char) next);
    }
    return null;
  }

  /**
   * Gives a command.
   *
   * @param words the command and what belongs to it
   * @throws IOException if the process is gone
   */
  public void tell(Object... words) throws IOException {
    try {
      in.write(String.join("\t", Arrays.stream(words).map(String::valueOf).toList()));
      in.write('\n');
      in.flush();
    } catch (IOException e) {
      throw gone();
    }
  }

  /**
   * Waits for a line that the process says beside an answer.
   *
   * @param expected the line
   * @throws IOException if another comes, none comes, or the process is gone
   */
  public void expect(String expected) throws IOException {
    String line = line();
    if (!line.equals(expected)) {
      answer(line);
      throw outOfStep(expected, line);
    }
  }

  private IOException outOfStep(String expected, String line) {
    return new IOException(
        "the " + name + " process is out of step (expected=" + expected + ", line=" + line + ")");
  }

  /**
   * Waits for the answer to a command.
   *
   * @return its words, without {@code ok}
   * @throws IOException if the command failed, no answer comes, or the process is gone
   */
  public String[] answer() throws IOException {
    return answer(line());
  }

  private String[] answer(String line) throws IOException {
    String[] words = line.split("\t", -1);
    if (words[0].equals("failed")) {
      throw new IOException("the " + name + " process failed: " + words[1]);
    }
    // Whatever else a JVM prints would put all answers behind it out of step.
    if (!words[0].equals("ok")) {
      throw outOfStep("an answer", line);
    }
    return Arrays.copyOfRange(words, 1, words.length);
  }

  /**
   * Gives a command and waits for the answer.
   *
   * @param words the command and what belongs to it
   * @return the answer's words
   * @throws IOException as {@link #tell} and {@link #answer}
   */
  public String[] ask(Object... words) throws IOException {
    tell(words);
    return answer();
  }

  private String line() throws IOException {
    try {
      String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (line == null) {
        throw new IOException(
            "the " + name + " process did not answer (waited=" + PATIENCE.toSeconds() + "s)");
      }
      if (line.equals(END)) {
        throw gone();
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the " + name + " process was at work");
    }
  }

  private IOException gone() {
    String status = "unknown";
    try {
      if (process.waitFor(GONE_SECONDS, TimeUnit.SECONDS)) {
        status = String.valueOf(process.exitValue());
        errors.join(TimeUnit.SECONDS.toMillis(GONE_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new IOException(
        "the "
            + name
            + " process ended by itself (status="
            + status
            + ", said="
            + String.join("; ", lastErrors)
            + ")");
  }

  /**
   * The process's number.
   *
   * @return the number that the system knows it by
   */
  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
