package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.arraywire.benchmarks.result.Checkout;
import io.arraywire.benchmarks.result.Environment;
import io.arraywire.benchmarks.result.Samples;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.examples.process.CommandLoop;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("newest")
class RoundJournalTest {
  private static final Environment HERE = Samples.environment();
  private static final String PROGRAM = "program";

  @TempDir private Path directory;
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("bench.json.rounds");
  }

  /** Its bursts are numbered. */
  private static final class Counting extends PairWithoutJvms {
    private final int failsAt;
    private int started;
    private int bursts;

    Counting(String name, int failsAt) {
      super(name);
      this.failsAt = failsAt;
    }

    @Override
    public Pair start(BenchSettings settings, @Nullable PrintStream log) {
      started++;
      return this;
    }

    @Override
    public Burst burst(Workload workload, Duration duration) throws IOException {
      bursts++;
      if (bursts == failsAt) {
        throw new IOException("interrupted");
      }
      Histogram times = Burst.emptyTimes();
      times.recordValue(1000L * bursts);
      return new Burst(2, 1, 1000L * bursts, new Expense(5, 6), times, List.of());
    }
  }

  private static BenchSettings settings(int rounds, Participant... participants) {
    return BenchSettings.of(
            List.of(participants), List.of(Workload.oneByOne(16), Workload.pipelined(16, 4)))
        .rounds(rounds)
        .build();
  }

  private BenchResult run(BenchSettings settings) throws IOException {
    try (RoundJournal journal = RoundJournal.open(path, HERE, PROGRAM, List.of(settings))) {
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
      try (RoundJournal journal = RoundJournal.open(path, HERE, PROGRAM, List.of(settings))) {
        assertThat(journal.size()).isEqualTo(2);
      }
      assertThat(path).hasContent(text);
    }
    Files.writeString(path, "Commit\t");
    try (RoundJournal journal = RoundJournal.open(path, HERE, PROGRAM, List.of(settings))) {
      assertThat(journal.size()).isZero();
    }
  }

  @Test
  void whatWasBegunOtherwiseIsRefusedAndStays() throws Exception {
    run(settings(1, new Counting("a", 0)));
    String text = Files.readString(path);
    BenchSettings same = settings(1, new Counting("a", 0));
    assertRefused(HERE, PROGRAM, settings(1, new Counting("b", 0)), "run 1=b; ", "then=a; ");
    assertRefused(commit("1234567", HERE), PROGRAM, same, "Commit=1234567", "then=");
    String python = "CPython 3.13.1, numpy 2.4.6";
    assertRefused(HERE, PROGRAM, same.withPython(python), python, "then=a; ");
    // With changes, so that the commit is not all.
    assertRefused(HERE, "another", same, "Program=another", "then=" + PROGRAM);
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

  private void assertRefused(
      Environment environment, String program, BenchSettings settings, String... words) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RoundJournal.open(path, environment, program, List.of(settings)))
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
          .isThrownBy(() -> RoundJournal.open(path, HERE, PROGRAM, List.of(settings)))
          .withMessageContaining("not a round");
    }
  }

  @Test
  void twoDoNotWriteTheSame() throws Exception {
    BenchSettings settings = settings(1, new Counting("a", 0));
    try (RoundJournal journal = RoundJournal.open(path, HERE, PROGRAM, List.of(settings))) {
      assertThat(journal.size()).isZero();
      try (ChildJvm other = ChildJvm.start("other", LockingProcess.class, 64 << 20, System.err)) {
        assertThat(other.ask("lock", path)).containsExactly("false");
      }
      // This closes the file, and so the lock is gone (POSIX); within a process there is one only.
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> RoundJournal.open(path, HERE, PROGRAM, List.of(settings)))
          .withMessageContaining("another process");
    }
    try (ChildJvm other = ChildJvm.start("other", LockingProcess.class, 64 << 20, System.err)) {
      assertThat(other.ask("lock", path)).containsExactly("true");
    }
  }

  /** Tries to lock a file. */
  static final class LockingProcess {
    private LockingProcess() {}

    public static void main(String[] arguments) throws Exception {
      new CommandLoop()
          .serve(words -> {
            try (FileChannel file = FileChannel.open(Path.of(words[1]), StandardOpenOption.WRITE)) {
              return new String[] {Boolean.toString(file.tryLock() != null)};
            }
          });
    }
  }

  @Test
  void programsAreToldApartByTheirBytes() throws Exception {
    Path one = Files.writeString(directory.resolve("one.jar"), "a");
    Path other = Files.writeString(directory.resolve("other.jar"), "b");
    assertThat(ProgramDigest.of(one)).hasSize(16).isNotEqualTo(ProgramDigest.of(other));
    Files.writeString(other, "a");
    assertThat(ProgramDigest.of(one)).isEqualTo(ProgramDigest.of(other));
    assertThat(ProgramDigest.of(directory)).isEqualTo(directory.toString());
    assertThat(ProgramDigest.here()).isNotEmpty();
  }
}
