package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code arraywire bench} for requests that threads make at the same time. */
final class RequestsOptions {
  static final String REQUESTS = "--requests";
  private static final String CLIENTS = "--clients";
  private static final int MOST_THREADS = 1_000;
  private static final int BURST = 500;

  /** 128 floats. */
  private static final long SIZE = 512;

  @Option(
      names = REQUESTS,
      description =
          "Threads make requests, each the next one as soon as its last one is answered. Shows"
              + " requests per second, and percentiles, CPU time and garbage of a request. Not with"
              + " --connections, --data, --network, --pipeline-sizes, --slow-answers, --window.")
  private boolean requests;

  @Option(
      names = CLIENTS,
      paramLabel = "THREADS[/CONNECTIONS]",
      split = ",",
      defaultValue = "8/1,8/8,1,10,100",
      converter = Converter.class,
      description =
          "With "
              + REQUESTS
              + ": how many threads share how many connections; one number means both. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<Clients> clients;

  /** Reads {@link Clients}. */
  static final class Converter implements ITypeConverter<Clients> {
    @Override
    public Clients convert(String text) {
      try {
        return Clients.parse(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "not THREADS or THREADS/CONNECTIONS, such as 8/1 (clients=" + text + ")");
      }
    }
  }

  /** Whether the bench is about requests. */
  boolean areGiven() {
    return requests;
  }

  /** Checks that they are not given without the first of them. */
  void check(BenchOptions common) {
    if (!requests) {
      common.checkNoneWithout(REQUESTS, List.of(CLIENTS));
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
    others.addAll(List.of("--connections", "--network"));
    common.checkNoneWith(REQUESTS, others);
    for (Clients each : clients) {
      common.check(
          each.threads() >= 1 && each.threads() <= MOST_THREADS,
          CLIENTS + " must be 1 to " + MOST_THREADS + " threads",
          "threads",
          each.threads());
      common.check(
          each.connections() >= 1 && each.connections() <= each.threads(),
          CLIENTS + " must have 1 connection, and at most one for each thread",
          "connections",
          each.connections());
    }
    int count = common.oneCount(REQUESTS, SIZE);
    // Before anybody is left out: a mistake is all that is said.
    Duration burst = common.burst(BURST);
    List<Workload> workloads =
        new LinkedHashSet<>(clients).stream().map(each -> Workload.requests(count, each)).toList();
    return common.settings(
        AnswersContenders.participants(common, AnswersContenders.usualAtOnce(), leftOut),
        workloads,
        burst,
        1);
  }
}
