package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.chaos.delivery.DeliveryEvent;
import io.arraywire.chaos.delivery.FileDeliveryLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A delivery sender or receiver in a JVM of its own.
 *
 * @param process the JVM
 * @param log what it sends or receives, a {@link FileDeliveryLog}
 * @param words what it says on standard error, where that goes to a file
 */
record DeliveryProgram(Process process, Path log, Path words) {
  /** Threads that may run while a program stands still: they compile, and collect garbage. */
  private static final List<String> OF_THE_JVM =
      List.of("C1 Compiler", "C2 Compiler", "G1 ", "GC Thread");

  /** The first line of its standard output; it says one only. */
  String line() throws IOException {
    return new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
  }

  /** Where a receiver listens, as a sender takes it. */
  String listening() throws IOException {
    String line = line();
    assertThat(line).as("what a receiver says first").startsWith("listening ");
    return line.substring(line.indexOf(' ') + 1);
  }

  /** Waits until a sender has ended by itself. */
  void awaitEnd(Duration most) throws InterruptedException {
    assertThat(process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS)).as("it ends").isTrue();
    assertThat(process.exitValue()).as("exit status").isZero();
  }

  /** Lets a receiver end. */
  void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    awaitEnd(Duration.ofMinutes(2));
  }

  /** Ends it as nothing else does: at once, wherever it is. */
  void kill() throws InterruptedException {
    assertThat(process.destroyForcibly().waitFor())
        .as("exit status: killed by signal 9, and not ended before")
        .isEqualTo(128 + 9);
  }

  /** How much it has logged. */
  long logBytes() throws IOException {
    // It may not have begun yet.
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /** How many sends it has logged as ok. */
  long acknowledged() throws IOException {
    AtomicLong ok = new AtomicLong();
    // It may not have begun yet.
    if (Files.exists(log)) {
      FileDeliveryLog.replay(
          log, (event, stream, sequence, hash) -> ok.addAndGet(event == DeliveryEvent.OK ? 1 : 0));
    }
    return ok.get();
  }

  /**
   * Waits until what was in flight is done with: since the look before it has logged nothing, and
   * none of its threads runs or wants to. On a busy machine one may want to for long, with the log
   * as it was.
   */
  void awaitStandstill(Duration most) {
    AtomicLong before = new AtomicLong(-1);
    await()
        .atMost(most)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          // In this order: what a thread logs before it sleeps is seen.
          boolean busy = isBusy();
          long now = logBytes();
          return before.getAndSet(busy ? -1 : now) == now && !busy;
        });
  }

  /** Whether a thread runs, or would if there were a processor; where there is no proc, false. */
  private boolean isBusy() throws IOException {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    if (!Files.isDirectory(threads)) {
      return false;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path each : all) {
        String stat;
        try {
          stat = Files.readString(each.resolve("stat"));
        } catch (IOException e) {
          continue; // It has ended.
        }
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        char state = stat.charAt(stat.lastIndexOf(')') + 2);
        if ((state == 'R' || state == 'D') && OF_THE_JVM.stream().noneMatch(name::startsWith)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Stops it where it is, until it is sent SIGCONT. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    if (Files.exists(stat)) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> {
            String words = Files.readString(stat);
            return words.charAt(words.lastIndexOf(')') + 2) == 'T';
          });
    }
  }

  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    // The shell's own kill is always there.
    Process kill =
        new ProcessBuilder("sh", "-c", "kill " + signal + " " + process.pid()).inheritIO().start();
    assertThat(kill.waitFor()).as("exit status of kill %s", signal).isZero();
  }

  long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", process.pid() + "", "fd"))) {
      return files.count();
    }
  }

  /** A thread dump, for the log of a test that fails. */
  String threads() throws IOException {
    List<String> lines = LiveObjects.ask(process, "Thread.print");
    return this
        + (lines == null ? " does not say what its threads do" : "\n" + String.join("\n", lines));
  }

  /** Bytes of objects that live, after a collection of all others. */
  long liveBytes() throws IOException {
    return LiveObjects.of(process).stream()
        .filter(line -> line.startsWith("Total"))
        .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[2]))
        .sum();
  }
}
