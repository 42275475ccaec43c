package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.arraywire.benchmarks.result.Checkout;
import io.arraywire.benchmarks.result.Environment;
import io.arraywire.benchmarks.result.Samples;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundJournalTest {
  private static final Environment HERE = Samples.environment();

  @TempDir private Path directory;
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("bench.json.rounds");
  }

  /** Takes part without JVMs: its bursts are numbered. */
  private static final class Counting implements Participant, Pair {
    private final String name;
    private final int failsAt;
    private int started;
    private int bursts;

    Counting(String name, int failsAt) {
      this.name = name;
      this.failsAt = failsAt;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String summary() {
      return name;
    }

    @Override
    public Pair start(BenchSettings settings, @Nullable PrintStream log) {
      started++;
      return this;
    }

    @Override
    public void verify(Workload workload) {
      // Nothing is sent.
    }

    @Override
    public Burst burst(Workload workload, Duration duration) throws IOException {
      bursts++;
      if (bursts == failsAt) {
        throw new IOException("interrupted");
      }
      Histogram times = Burst.emptyTimes();
      times.recordValue(1000L * bursts);
      return new Burst(2, 1, 1000L * bursts, 5, times, List.of());
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private static BenchSettings settings(int rounds, Participant... participants) {
    return new BenchSettings(
        List.of(participants),
        List.of(Workload.oneByOne(16), Workload.pipelined(16, 4)),
        rounds,
        Duration.ofMillis(1),
        0,
        Duration.ofHours(1),
        List.of());
  }

  private BenchResult run(BenchSettings settings) throws IOException {
    try (RoundJournal journal = RoundJournal.open(path, HERE, List.of(settings))) {
      return new Rounds(settings, journal.run(0)).run(null, steps -> {}, phase -> {});
    }
  }

  private static List<Long> nanos(BenchResult result, int workload, int who) {
    return result.figures().get(workload).get(who).bursts().stream().map(Burst::nanos).toList();
  }

  @Test
  void anInterruptedRunGoesOnBehindItsLastRound() throws Exception {
    Counting failing = new Counting("b", 5);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> run(settings(4, new Counting("a", 0), failing)))
        .withMessage("interrupted");

    // The third round was not done; two workloads, so four bursts in the two that were.
    Counting first = new Counting("a", 0);
    Counting second = new Counting("b", 0);
    BenchResult result = run(settings(3, first, second));
    assertThat(List.of(first.bursts, second.bursts)).containsExactly(2, 2);
    assertThat(result.rounds()).isEqualTo(3);
    assertThat(nanos(result, 0, 0)).containsExactly(1000L, 3000L, 1000L);
    assertThat(nanos(result, 1, 1)).containsExactly(2000L, 4000L, 2000L);
  }

  @Test
  void whatIsDoneStartsNothing() throws Exception {
    run(settings(2, new Counting("a", 0)));
    Counting again = new Counting("a", 0);
    assertThat(run(settings(2, again)).rounds()).isEqualTo(2);
    assertThat(again.started).isZero();
  }

  @Test
  void aRoundWithoutItsEndIsNotDone() throws Exception {
    BenchSettings settings = settings(2, new Counting("a", 0));
    run(settings);
    String text = Files.readString(path);
    for (String cut : List.of("x", "0\t2\t1", text.substring(text.lastIndexOf("\n0")).strip())) {
      Files.writeString(path, text);
      Files.writeString(path, cut, StandardOpenOption.APPEND);
      try (RoundJournal journal = RoundJournal.open(path, HERE, List.of(settings))) {
        assertThat(journal.size()).isEqualTo(2);
      }
      assertThat(path).hasContent(text);
    }
    Files.writeString(path, "Commit\t");
    try (RoundJournal journal = RoundJournal.open(path, HERE, List.of(settings))) {
      assertThat(journal.size()).isZero();
    }
  }

  @Test
  void whatWasBegunOtherwiseIsRefusedAndStays() throws Exception {
    run(settings(1, new Counting("a", 0)));
    String text = Files.readString(path);
    assertRefused(HERE, settings(1, new Counting("b", 0)), "run 1=b; ", "then=a; ");
    assertRefused(
        commit("1234567", HERE), settings(1, new Counting("a", 0)), "Commit=1234567", "then=");
    assertThat(path).hasContent(text);
  }

  private static Environment commit(String commit, Environment other) {
    return new Environment(
        new Checkout(commit, false),
        other.command(),
        other.started(),
        other.cpu(),
        other.processors(),
        other.memoryBytes(),
        other.arch(),
        other.kernel(),
        other.javaVendor(),
        other.javaVersion(),
        other.vm());
  }

  private void assertRefused(Environment environment, BenchSettings settings, String... words) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RoundJournal.open(path, environment, List.of(settings)))
        .withMessageContaining("cannot be continued")
        .withMessageContaining(path.toString())
        .withMessageContainingAll(words);
  }

  @Test
  void aLineThatIsNoRoundIsRefused() throws Exception {
    BenchSettings settings = settings(1, new Counting("a", 0));
    run(settings);
    String text = Files.readString(path);
    for (String line : new ArrayList<>(List.of("x", "0", "1\t2", "0\t1\t2\t3\t4\t5\t6"))) {
      Files.writeString(path, text + line + "\n");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> RoundJournal.open(path, HERE, List.of(settings)))
          .withMessageContaining("not a round");
    }
  }

  @Test
  void twoDoNotWriteTheSame() throws Exception {
    BenchSettings settings = settings(1, new Counting("a", 0));
    try (RoundJournal journal = RoundJournal.open(path, HERE, List.of(settings))) {
      assertThat(journal.size()).isZero();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> RoundJournal.open(path, HERE, List.of(settings)))
          .withMessageContaining("another process");
    }
  }
}
