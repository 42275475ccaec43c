package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code arraywire bench} that compare this build with that of another commit. */
final class AgainstOptions {
  static final String AGAINST = "--against";
  private static final String LIMIT = "--limit";

  /** They say how long a run takes, or keep figures in a form that has no place for two builds. */
  private static final List<String> OTHERS =
      List.of(
          "--peers",
          "--full",
          "--json",
          "--report",
          "--rate",
          "--requests",
          "--slow-answers",
          PythonOptions.PYTHON);

  /** Of each launch. */
  private static final int ROUNDS = 5;

  private static final int WARMUPS = 25;
  private static final String USUAL = "nio";

  @Option(
      names = AGAINST,
      paramLabel = "COMMIT",
      description =
          "Build that commit beside this tree and measure contenders of both in one run, in"
              + " interleaved bursts. More launches of JVMs follow until the interval of each ratio"
              + " is within 5 %% or the time is over. Without --contenders: "
              + USUAL
              + ". Not with --peers, --full, --json, --report, --python, --rate,"
              + " --requests, --slow-answers.")
  private @Nullable String commit;

  @Option(
      names = LIMIT,
      paramLabel = "MINUTES",
      defaultValue = "10",
      description =
          "With "
              + AGAINST
              + ": begin no launch after so long, for each network and number of connections."
              + " Default: ${DEFAULT-VALUE}.")
  private int limit;

  /** Whether builds are compared. */
  boolean areGiven() {
    return commit != null;
  }

  /** Checks what was given beside them. */
  void check(BenchOptions common) {
    if (commit == null) {
      common.checkNoneWithout(AGAINST, List.of(LIMIT));
      return;
    }
    common.checkNoneWith(AGAINST, OTHERS);
    common.check(limit >= 1 && limit <= 600, LIMIT + " must be 1 to 600", "limit", limit);
  }

  Duration limit() {
    return Duration.ofMinutes(limit);
  }

  /** Builds the other commit. */
  OtherBuild build(BenchOptions common, Consumer<String> says) throws IOException {
    if (commit == null) {
      throw new IllegalStateException("no commit was given");
    }
    try {
      return OtherBuild.of(commit, says);
    } catch (IllegalArgumentException e) {
      throw common.usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What is measured: contenders of this library, without what others are compared with.
   *
   * @param run as it would be without the other build
   */
  BenchSettings settings(BenchOptions common, BenchSettings run) {
    List<Participant> contenders =
        run.contenders().stream()
            .filter(each ->
                common.namesContenders() ? common.isNamed(each.name()) : each.name().equals(USUAL))
            .toList();
    if (contenders.isEmpty()) {
      throw common.usage("no contender is left to compare; name one with --contenders");
    }
    return run.with(contenders, run.workloads()).longer(common.rounds(ROUNDS), WARMUPS, limit());
  }
}
