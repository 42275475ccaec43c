package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;

/** The options of {@code arraywire bench} for requests some of which are answered late. */
final class SlowAnswersOptions {
  private static final String SLOW_ANSWERS = "--slow-answers";
  private static final String ANSWERS = "--answers";
  private static final String DELAY = "--delay";
  private static final int EVERY = 10;
  private static final int CLIENTS = 100;
  private static final long BYTES = 64;

  /** Each takes as long as the slow answers do. */
  private static final int ROUNDS = 3;

  private static final int WARMUPS = 1;
  private static final int MOST_REQUESTS = 10_000_000;
  private static final int LONGEST_DELAY_MILLIS = 60_000;

  @Option(
      names = SLOW_ANSWERS,
      description =
          "100 clients make requests, of which every tenth is answered late: do the others notice?"
              + " Takes some ten minutes. Not with --connections, --data, --network, --burst,"
              + " --pipeline-sizes, --window.")
  private boolean slowAnswers;

  @Option(
      names = ANSWERS,
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "With "
              + SLOW_ANSWERS
              + ": how many requests they make in a round. Default: ${DEFAULT-VALUE}.")
  private int answers;

  @Option(
      names = DELAY,
      paramLabel = "MILLIS",
      defaultValue = "2000",
      description = "With " + SLOW_ANSWERS + ": how late. Default: ${DEFAULT-VALUE}.")
  private int delay;

  /** Whether the bench is about slow answers. */
  boolean areGiven() {
    return slowAnswers;
  }

  /** Checks that they are not given without the first of them. */
  void check(BenchOptions common) {
    if (!slowAnswers) {
      common.checkNoneWithout(SLOW_ANSWERS, List.of(ANSWERS, DELAY));
    }
  }

  /**
   * What they say.
   *
   * @param common the options beside them
   * @param leftOut told who is left out and why
   */
  BenchSettings settings(BenchOptions common, BiConsumer<Participant, String> leftOut) {
    List<String> others = new ArrayList<>(OneConnectionOptions.NAMES);
    others.addAll(
        List.of(
            "--connections",
            "--network",
            "--burst",
            RequestsOptions.REQUESTS,
            RateOptions.RATE,
            PythonOptions.PYTHON));
    common.checkNoneWith(SLOW_ANSWERS, others);
    common.check(
        answers >= CLIENTS && answers <= MOST_REQUESTS,
        ANSWERS + " must be " + CLIENTS + " to " + MOST_REQUESTS,
        "answers",
        answers);
    common.check(
        delay >= 0 && delay <= LONGEST_DELAY_MILLIS,
        DELAY + " must be 0 to " + LONGEST_DELAY_MILLIS,
        "delay",
        delay);
    int count = common.oneCount(SLOW_ANSWERS, BYTES);
    // Before anybody is left out: a mistake is all that is said.
    int rounds = common.rounds(ROUNDS);
    SlowAnswers slow = new SlowAnswers(answers, EVERY, Duration.ofMillis(delay));
    return common
        .settings(
            AnswersContenders.participants(common, AnswersContenders.usual(), leftOut),
            List.of(Workload.answered(count, CLIENTS, slow)),
            Duration.ZERO,
            1)
        .longer(rounds, WARMUPS, BenchOptions.FULL_BUDGET);
  }
}
