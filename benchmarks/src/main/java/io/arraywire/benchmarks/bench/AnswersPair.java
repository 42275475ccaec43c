package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.TwoJvms;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The two JVMs of an {@link AnswersContender}. */
final class AnswersPair implements Pair {
  private final TwoJvms jvms;

  private AnswersPair(TwoJvms jvms) {
    this.jvms = jvms;
  }

  static Pair start(AnswersContender contender, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    // All sizes would have connections of their own: there is one.
    Workload workload = settings.workloads().get(0);
    SlowAnswers slow = workload.slowAnswers();
    if (slow == null) {
      throw new IllegalArgumentException("no slow answers (workload=" + workload.label() + ")");
    }
    return new AnswersPair(
        Pair.jvms(
            AnswersServerProcess.class,
            AnswersClientsProcess.class,
            settings,
            contender,
            log,
            workload.count(),
            workload.connections(),
            slow.requests(),
            slow.every(),
            slow.delay().toMillis()));
  }

  /** Every answer of every burst is compared. */
  @Override
  public void verify(Workload workload) {}

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    Expense before = Pair.expense(jvms.receiver());
    String[] words = jvms.sender().ask("requests");
    return Burst.parse(words).withMore(Pair.expense(jvms.receiver()).minus(before));
  }

  @Override
  public Expense expense() throws IOException {
    return Pair.expense(jvms);
  }

  @Override
  public void close() {
    jvms.close();
  }
}
