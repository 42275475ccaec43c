package io.arraywire.benchmarks.bench;

import io.arraywire.examples.cli.SizeConverter;
import io.arraywire.examples.report.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code arraywire bench} with one connection and with many. */
final class BenchOptions {
  static final String SIZES = "--sizes";

  private static final int QUICK_ROUNDS = 7;
  private static final int FULL_ROUNDS = 31;
  private static final int QUICK_WARMUPS = 25;
  private static final int FULL_WARMUPS = 60;

  /** Leaves room within five minutes for what cannot be foreseen. */
  private static final Duration QUICK_BUDGET = Duration.ofSeconds(270);

  static final Duration FULL_BUDGET = Duration.ofHours(6);
  private static final long MOST_BYTES = 1L << 30;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @ArgGroup private @Nullable Length length;

  /** At most one of them. */
  private static final class Length {
    @Option(names = "--quick", description = "At most five minutes in all. This is the default.")
    @SuppressWarnings("UnusedVariable") // It is what there is without --full.
    private boolean quick;

    @Option(
        names = "--full",
        description =
            "More rounds and longer warm-up; hours, if it takes them. With --json it can be"
                + " interrupted: the same command goes on.")
    private boolean full;

    @Option(names = "--list", description = "List the contenders and do nothing else.")
    private boolean list;
  }

  @Option(
      names = "--contenders",
      paramLabel = "NAME",
      split = ",",
      description =
          "Contenders, names with commas between; "
              + Contenders.BASELINE
              + " always takes part, with --connections "
              + ConnectionsContenders.BASELINE
              + ", with --rate, --requests and --slow-answers "
              + AnswersContenders.BASELINE
              + ", with --python "
              + PythonContenders.BASELINE
              + ".")
  private @Nullable List<String> contenders;

  @Option(
      names = SIZES,
      paramLabel = "SIZE",
      split = ",",
      converter = SizeConverter.class,
      description =
          "Bytes in each array. Default: 64,1M,64M, with --connections 64,64K, with --requests 512,"
              + " with --rate and --slow-answers 64.")
  private @Nullable List<Long> sizes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to measure each. Default: 7, with --full 31.")
  private @Nullable Integer rounds;

  @Option(
      names = "--burst",
      paramLabel = "MILLIS",
      description =
          "How long each works in a round. Default: 300, with --connections, --rate and --requests"
              + " 500.")
  private @Nullable Integer burst;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "For the JVMs of all contenders, such as -XX:+UseSerialGC; may be repeated.")
  private List<String> jvmOptions = new ArrayList<>();

  /** Whether it may take hours. */
  boolean full() {
    return length != null && length.full;
  }

  /** Whether nothing is to be measured. */
  boolean list() {
    return length != null && length.list;
  }

  /**
   * The contenders that are to take part.
   *
   * @param named finds a contender, or throws IllegalArgumentException
   * @param baseline the name of the one that always does
   * @param usual the others, if the command line names none
   */
  <T> Set<T> contenders(Function<String, T> named, String baseline, List<T> usual) {
    Set<T> chosen = new LinkedHashSet<>();
    chosen.add(named.apply(baseline));
    if (contenders == null) {
      chosen.addAll(usual);
      return chosen;
    }
    for (String name : contenders) {
      try {
        chosen.add(named.apply(name));
      } catch (IllegalArgumentException e) {
        throw usage(String.valueOf(e.getMessage()));
      }
    }
    return chosen;
  }

  /** Whether the command line says who takes part. */
  boolean namesContenders() {
    return contenders != null;
  }

  /** Whether the command line names that contender. */
  boolean isNamed(String name) {
    return contenders != null && contenders.contains(name);
  }

  /** How many elements each array has. */
  List<Integer> counts(List<Long> usualSizes) {
    return (sizes == null ? usualSizes : sizes)
        .stream().map(size -> elements(SIZES, size)).toList();
  }

  /** The same for an option that takes one size. */
  int oneCount(String option, long usualSize) {
    List<Integer> counts = counts(List.of(usualSize));
    check(counts.size() == 1, "one of " + SIZES + " with " + option, "sizes", counts.size());
    return counts.get(0);
  }

  /** The elements in an array of so many bytes. */
  int elements(String option, long bytes) {
    check(
        bytes >= Float.BYTES && bytes <= MOST_BYTES && bytes % Float.BYTES == 0,
        option + " must be multiples of 4 bytes, from 4 bytes to " + Units.bytes(MOST_BYTES),
        "size",
        bytes);
    return (int) (bytes / Float.BYTES);
  }

  /** How often each contender works. */
  int rounds(int usual) {
    int wanted = rounds == null ? usual : rounds;
    check(wanted >= 1, "--rounds must be at least 1", "rounds", wanted);
    return wanted;
  }

  /** How long each contender works in a round. */
  Duration burst(int usualMillis) {
    int millis = burst == null ? usualMillis : burst;
    check(millis >= 1 && millis <= 60_000, "--burst must be 1 to 60000", "burst", millis);
    return Duration.ofMillis(millis);
  }

  /**
   * What the options say.
   *
   * @param runs how many share the time
   */
  BenchSettings settings(
      List<? extends Participant> participants,
      List<Workload> workloads,
      Duration duration,
      int runs) {
    boolean full = full();
    return BenchSettings.of(participants, workloads)
        .rounds(rounds(full ? FULL_ROUNDS : QUICK_ROUNDS))
        .burst(duration)
        .warmups(full ? FULL_WARMUPS : QUICK_WARMUPS)
        .budget((full ? FULL_BUDGET : QUICK_BUDGET).dividedBy(runs))
        .jvmOptions(jvmOptions)
        .build();
  }

  /** Checks that none of the others is given beside an option that is. */
  void checkNoneWith(String option, List<String> others) {
    for (String each : others) {
      if (isGiven(each)) {
        throw usage(each + " does not go with " + option);
      }
    }
  }

  /** Checks that none of the others is given without an option that is not. */
  void checkNoneWithout(String option, List<String> others) {
    for (String each : others) {
      if (isGiven(each)) {
        throw usage(each + " does not go without " + option);
      }
    }
  }

  /** Whether the command line has that option. */
  boolean isGiven(String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  void check(boolean holds, String text, String name, long value) {
    if (!holds) {
      throw usage(text + " (" + name + "=" + value + ")");
    }
  }

  ParameterException usage(String text) {
    return new ParameterException(command.commandLine(), text);
  }
}
