package io.arraywire.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A process under test and what it has said so far. Every wait is for a line, an exit or a
 * condition, and fails after a minute with all that was said.
 */
public final class CliProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Hundreds of JVMs live for a second: they start with half the CPU time so. */
  private static final List<String> SHORT_LIVED =
      List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final String CHILD_OPTIONS = "arraywire.test.childOptions";

  private final List<String> command;
  private final Process process;
  private final List<String> out = new ArrayList<>();
  private final List<String> err = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();

  private CliProcess(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    read(process.getInputStream(), out);
    read(process.getErrorStream(), err);
  }

  /** {@code java -jar examples.jar ARGUMENTS}, with the jar that was just packaged. */
  public static CliProcess arraywire(Object... arguments) throws IOException {
    List<Object> command = new ArrayList<>(arraywireCommand());
    command.addAll(List.of(arguments));
    return start(Map.of(), command.toArray());
  }

  /** The words of {@code java -jar examples.jar}, with what lets it start fast. */
  static List<Object> arraywireCommand(Object... options) throws IOException {
    List<Object> command = new ArrayList<>(javaCommand(options));
    command.addAll(SharedClasses.options());
    command.addAll(List.of("-jar", jar()));
    return command;
  }

  /** The same, with a directory of its own for temporary files. */
  public static CliProcess arraywireIn(Path temporary, Object... arguments) throws IOException {
    List<Object> command = arraywireCommand("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of(arguments));
    return start(Map.of(), command.toArray());
  }

  /** The java that runs this test, with options for a short-lived process, then these. */
  public static List<Object> javaCommand(Object... options) {
    List<Object> command = new ArrayList<>(List.of(java()));
    command.addAll(SHORT_LIVED);
    // For those that it starts itself.
    command.add("-D" + CHILD_OPTIONS + "=" + System.getProperty(CHILD_OPTIONS, ""));
    command.addAll(List.of(options));
    return command;
  }

  /** Any program. */
  public static CliProcess start(Map<String, String> environment, Object... command)
      throws IOException {
    List<String> words = new ArrayList<>();
    for (Object word : command) {
      words.add(word.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(environment);
    // It would be repeated on standard error, where tests count lines.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return new CliProcess(words, builder.start());
  }

  /** The java that runs this test. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /**
   * The class path of this test, which Surefire and Failsafe may put into the manifest of a jar.
   */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** The packaged jar, whose class path is in its manifest. */
  public static Path jar() throws IOException {
    Path target = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("target");
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(target, "arraywire-examples-*.jar")) {
      for (Path jar : jars) {
        if (!jar.toString().matches(".*-(sources|javadoc|tests)\\.jar")) {
          return jar;
        }
      }
    }
    throw new AssertionError("no examples jar; run mvn package (directory=" + target + ")");
  }

  private void read(InputStream in, List<String> lines) {
    Thread thread =
        new Thread(() -> {
          try (BufferedReader reader =
              new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
              synchronized (this) {
                lines.add(line);
                notifyAll();
              }
            }
          } catch (IOException e) {
            // The process was killed.
          }
        });
    thread.setDaemon(true);
    thread.start();
    readers.add(thread);
  }

  /** Waits for a line of standard output that begins so, and returns the rest of it. */
  public String awaitOut(String beginning) throws InterruptedException {
    String line = await(out, each -> each.startsWith(beginning), "out: " + beginning);
    return line.substring(beginning.length());
  }

  /** Waits for a line of standard error that has this in it. */
  public String awaitErr(String part) throws InterruptedException {
    return await(err, each -> each.contains(part), "err: " + part);
  }

  /** Waits until {@code arraywire receive} listens and returns where. */
  public String awaitListening() throws InterruptedException {
    return awaitOut("listening on ");
  }

  private synchronized String await(List<String> lines, Predicate<String> wanted, String what)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      for (String line : lines) {
        if (wanted.test(line)) {
          return line;
        }
      }
      long millis = (end - System.nanoTime()) / 1_000_000;
      boolean over = !process.isAlive() && readers.stream().noneMatch(Thread::isAlive);
      if (millis <= 0 || over) {
        throw new AssertionError("waited in vain for " + what + "\n" + this);
      }
      wait(Math.min(millis, 100));
    }
  }

  /** Waits for the end and returns the exit status. */
  public int awaitExit() throws InterruptedException {
    return awaitExit(PATIENCE);
  }

  /** The same, with another limit than a minute. */
  public int awaitExit(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("does not end\n" + this);
    }
    for (Thread reader : readers) {
      reader.join(PATIENCE.toMillis());
    }
    return process.exitValue();
  }

  /** Sends a signal, for example {@code INT}. */
  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
        .inheritIO()
        .start()
        .waitFor();
  }

  /**
   * Whether children are deaf to Ctrl-C, because this process is: a shell that starts it in the
   * background without job control makes it so, and a JVM leaves that as it is.
   */
  public static boolean deafToInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << 2 - 1) != 0;
      }
    }
    return false;
  }

  /**
   * Waits for a child that runs this program. There is a child before it runs anything: its command
   * line is that of the JVM's spawn helper first.
   */
  public ProcessHandle awaitChild(String word) throws InterruptedException {
    AtomicReference<ProcessHandle> found = new AtomicReference<>();
    awaitTrue(
        "a child runs " + word,
        () -> {
          process
              .children()
              .filter(each -> each.info().commandLine().orElse("").contains(word))
              .findFirst()
              .ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  /** Waits for anything. */
  public static void awaitTrue(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain until " + what);
      }
      Thread.sleep(20);
    }
  }

  public synchronized List<String> out() {
    return List.copyOf(out);
  }

  public synchronized List<String> err() {
    return List.copyOf(err);
  }

  public Process process() {
    return process;
  }

  @Override
  public synchronized String toString() {
    return command
        + "\nstatus: "
        + (process.isAlive() ? "running" : String.valueOf(process.exitValue()))
        + "\nout:\n"
        + String.join("\n", out)
        + "\nerr:\n"
        + String.join("\n", err);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
