package io.arraywire.testkit.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.testkit.simulation.Simulation.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A range of seeds, which threads may share: no simulation knows of another one. A long range says
 * in a file below target how far it is, what it has found, and at last what happened how often.
 */
final class SeedRange {
  private static final int MOST_FAILURES = 5;

  /** From here on every processor runs some. */
  private static final int MANY_SEEDS = 10_000;

  private static final long SAYS_EACH_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final long first;
  private final int number;
  private final long began = System.nanoTime();
  private final Duration spentBefore = processorTime();
  private final PrintStream progress;

  // Guarded by this.
  private final TreeSet<Long> running = new TreeSet<>();
  private final List<String> failures = new ArrayList<>();
  private final Occurrences occurrences = new Occurrences();
  private final int[] events;
  private int next;
  private int done;
  private long said = began;

  SeedRange(long first, int number) throws IOException {
    this.first = first;
    this.number = number;
    events = new int[number];
    progress = isLong() ? file() : System.out;
  }

  private boolean isLong() {
    return number >= MANY_SEEDS;
  }

  private PrintStream file() throws IOException {
    Path file = Path.of("target", "simulation-" + first + "-to-" + (first + number - 1) + ".txt");
    Files.createDirectories(file.toAbsolutePath().getParent());
    System.out.println("simulation: how far it is, is in " + file.toAbsolutePath());
    return new PrintStream(Files.newOutputStream(file), true, UTF_8);
  }

  /** Runs all of them, or stops after some failures. */
  void run() throws Exception {
    int threads = isLong() ? Runtime.getRuntime().availableProcessors() : 1;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Callable<Boolean> some = this::runSome;
      for (Future<Boolean> each : pool.invokeAll(Collections.nCopies(threads, some))) {
        boolean unused = each.get();
      }
    } finally {
      pool.shutdownNow();
    }
    String summary = summary();
    System.out.print(summary);
    if (isLong()) {
      progress.print(summary);
      progress.close();
    }
  }

  private boolean runSome() throws IOException {
    for (long seed = take(); seed >= 0; seed = take()) {
      Report report = Simulation.run(seed, number == 1);
      if (number == 1) {
        report.writeTrace();
      }
      note(report);
    }
    return true;
  }

  /** The next seed; negative if there is none. */
  private synchronized long take() {
    if (next == number || failures.size() >= MOST_FAILURES) {
      return -1;
    }
    long seed = first + next++;
    running.add(seed);
    return seed;
  }

  private synchronized void note(Report report) {
    running.remove(report.seed());
    events[done++] = (int) report.events();
    occurrences.addAll(report.occurrences());
    if (!report.violations().isEmpty()) {
      failures.add(report.inWords());
      progress.println("simulation: " + report.inWords());
    }
    long now = System.nanoTime();
    if (now - said > SAYS_EACH_NANOS) {
      said = now;
      long left = (long) ((double) (now - began) / done * (number - done));
      progress.printf(
          "simulation: %,d of %,d seeds done, all below %d among them; %d failed; %.1f ms of CPU"
              + " time each; %,d s left%n",
          done,
          number,
          running.isEmpty() ? first + next : running.first(),
          failures.size(),
          millisEach(),
          TimeUnit.NANOSECONDS.toSeconds(left));
    }
  }

  private static Duration processorTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private double millisEach() {
    return (double) processorTime().minus(spentBefore).toMillis() / Math.max(1, done);
  }

  /** What failed; a range that stopped early has some. */
  synchronized List<String> failures() {
    return failures;
  }

  synchronized Occurrences occurrences() {
    return occurrences;
  }

  /** How many events the shortest seed had. */
  synchronized int leastEvents() {
    return Arrays.stream(events, 0, done).min().orElse(0);
  }

  private synchronized String summary() {
    int[] sorted = Arrays.copyOf(events, done);
    Arrays.sort(sorted);
    return String.format(
            "simulation: %,d seeds from %d on, %d failed; %,d events, %d at least, %d in the median,"
                + " %d at most; %,d s, %,d s of CPU time, %.1f ms each%n",
            done,
            first,
            failures.size(),
            Arrays.stream(sorted).asLongStream().sum(),
            done == 0 ? 0 : sorted[0],
            done == 0 ? 0 : sorted[done / 2],
            done == 0 ? 0 : sorted[done - 1],
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
            processorTime().minus(spentBefore).toSeconds(),
            millisEach())
        + occurrences;
  }
}
