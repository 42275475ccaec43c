package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code arraywire bench} for requests at a fixed rate. */
final class RateOptions {
  static final String RATE = "--rate";
  private static final String AT_ONCE = "--at-once";
  private static final int MOST = 10_000_000;
  private static final int BURST = 500;
  private static final long SIZE = 64;

  @Option(
      names = RATE,
      paramLabel = "RATE",
      split = ",",
      converter = Converter.class,
      description =
          "Requests fall due at a fixed rate on one connection, even if answers are late; their"
              + " times count from when they are due. Requests per second with commas between, such"
              + " as 10k,50k. Not with --connections, --data, --network, --pipeline-sizes,"
              + " --requests, --slow-answers, --window.")
  private @Nullable List<Integer> rates;

  @Option(
      names = AT_ONCE,
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With "
              + RATE
              + ": how many requests fall due at the same time. The rate stays the same. Default:"
              + " ${DEFAULT-VALUE}.")
  private int atOnce;

  /** Reads requests per second. */
  static final class Converter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Rate.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Whether the bench is about rates. */
  boolean areGiven() {
    return rates != null;
  }

  /** Checks that they are not given without the first of them. */
  void check(BenchOptions common) {
    if (rates == null) {
      common.checkNoneWithout(RATE, List.of(AT_ONCE));
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
    others.addAll(List.of("--connections", "--network", RequestsOptions.REQUESTS));
    common.checkNoneWith(RATE, others);
    common.check(
        atOnce >= 1 && atOnce <= OpenLoop.WINDOW,
        AT_ONCE + " must be 1 to " + OpenLoop.WINDOW,
        "atOnce",
        atOnce);
    int count = common.oneCount(RATE, SIZE);
    // Before anybody is left out: a mistake is all that is said.
    Duration burst = common.burst(BURST);
    List<Workload> workloads = new ArrayList<>();
    for (int each : new LinkedHashSet<>(rates == null ? List.of() : rates)) {
      common.check(each >= 1 && each <= MOST, RATE + " must be 1 to " + MOST, "rate", each);
      workloads.add(Workload.paced(count, new Rate(each, atOnce)));
    }
    List<AnswersContender> participants =
        AnswersContenders.participants(common, AnswersContenders.usualPaced(), leftOut);
    for (AnswersContender each : participants) {
      if (!each.asks()) {
        throw common.usage(each.name() + " does not go with " + RATE);
      }
    }
    return common.settings(participants, workloads, burst, 1);
  }
}
