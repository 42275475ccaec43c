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
    SlowAnswers asked = workload.slowAnswers();
    SlowAnswers slow = asked == null ? SlowAnswers.NONE : asked;
    return new AnswersPair(
        Pair.jvms(
            AnswersServerProcess.class,
            AnswersClientsProcess.class,
            settings,
            contender,
            log,
            workload.count(),
            settings.connections(),
            slow.requests(),
            slow.every(),
            slow.delay().toMillis()));
  }

  /** Does nothing: every burst compares all of its answers. */
  @Override
  public void verify(Workload workload) {}

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    Expense before = Pair.expense(jvms.receiver());
    String[] words = words(workload, duration);
    Burst burst = Burst.parse(words).withMore(Pair.expense(jvms.receiver()).minus(before));
    // The expense includes requests from before the clock ran, which do not count.
    return burst.withExpenseOfCounted();
  }

  private String[] words(Workload workload, Duration duration) throws IOException {
    Clients clients = workload.clients();
    if (clients != null) {
      return jvms.sender()
          .ask("loops", clients.threads(), clients.connections(), duration.toMillis());
    }
    Rate rate = workload.rate();
    return rate == null
        ? jvms.sender().ask("requests")
        : jvms.sender().ask("rate", rate.perSecond(), rate.atOnce(), duration.toMillis());
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
