package io.arraywire.benchmarks.bench;

import com.sun.management.OperatingSystemMXBean;
import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import io.arraywire.examples.cli.ProgressMeter;
import io.arraywire.examples.cli.SizeConverter;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arraywire bench}. */
@Command(
    name = "bench",
    description =
        "Compares ways to move a float[] from one JVM into a float[] of another over loopback, from"
            + " the call of send to the acknowledgement, in interleaved rounds. What arrives is"
            + " compared bit by bit before. With --connections: many connections at the same time.",
    footer = {
      "",
      "With --connections each connection has one array on its way: the next is sent when the one"
          + " before is acknowledged. Who takes part are other contenders, compared with "
          + ConnectionsContenders.BASELINE
          + "; see --list. Numbers of connections follow one another, each with JVMs of its own.",
      "",
      "Only the ratios of one run mean something. docs/benchmarks.md says what the columns are."
    })
final class BenchCommand implements Callable<Integer> {
  private static final String PEERS = "--peers";
  private static final String PIPELINE_SIZES = "--pipeline-sizes";
  private static final String WINDOW = "--window";

  private static final List<Long> SIZES = List.of(64L, 1L << 20, 64L << 20);
  private static final List<Long> SIZES_OF_CONNECTIONS = List.of(64L, 64L << 10);
  private static final int BURST = 300;

  /** Of many connections each has a smaller part of the time. */
  private static final int BURST_OF_CONNECTIONS = 500;

  private static final int LEAST_ARRAYS_PER_CONNECTION = 10;

  /** Linux has some 28,000 ports for those who connect. */
  private static final int MOST_CONNECTIONS = 20_000;

  private static final int QUICK_ROUNDS = 7;
  private static final int FULL_ROUNDS = 31;
  private static final int QUICK_WARMUPS = 4;
  private static final int FULL_WARMUPS = 15;

  /** Leaves room within five minutes for what cannot be foreseen. */
  private static final Duration QUICK_BUDGET = Duration.ofSeconds(270);

  private static final Duration FULL_BUDGET = Duration.ofHours(6);
  private static final long MOST_BYTES = 1L << 30;

  private final Console console;

  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Length length;

  /** At most one of them. */
  private static final class Length {
    @Option(names = "--quick", description = "At most five minutes in all. This is the default.")
    @SuppressWarnings("UnusedVariable") // It is what there is without --full.
    private boolean quick;

    @Option(names = "--full", description = "More rounds and longer warm-up; no limit of time.")
    private boolean full;

    @Option(names = "--list", description = "List the contenders and do nothing else.")
    private boolean list;
  }

  @Option(
      names = "--contenders",
      paramLabel = "NAME",
      split = ",",
      description =
          "Who takes part, names with commas between; "
              + Contenders.BASELINE
              + " always does, with --connections "
              + ConnectionsContenders.BASELINE
              + ".")
  private @Nullable List<String> contenders;

  @Option(names = PEERS, description = "Other libraries too: build them, and have them take part.")
  private boolean peers;

  @Option(
      names = "--connections",
      paramLabel = "N",
      split = ",",
      description =
          "How many connections work at the same time, numbers with commas between, such as"
              + " 1,10,100,1000. Not with --peers, --pipeline-sizes, --window.")
  private @Nullable List<Integer> connections;

  @Option(
      names = "--sizes",
      paramLabel = "SIZE",
      split = ",",
      converter = SizeConverter.class,
      description = "Bytes in each array. Default: 64,1M,64M, with --connections 64,64K.")
  private @Nullable List<Long> sizes;

  @Option(
      names = PIPELINE_SIZES,
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "64",
      converter = SizeConverter.class,
      description =
          "Bytes in arrays that are sent without waiting for each; 0 for none. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<Long> pipelineSizes;

  @Option(
      names = WINDOW,
      paramLabel = "N",
      defaultValue = "256",
      description = "How many of those may be on their way. Default: ${DEFAULT-VALUE}.")
  private int window;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to measure each. Default: 7, with --full 31.")
  private @Nullable Integer rounds;

  @Option(
      names = "--burst",
      paramLabel = "MILLIS",
      description = "How long each works in a round. Default: 300, with --connections 500.")
  private @Nullable Integer burst;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "For the JVMs of all contenders, such as -XX:+UseSerialGC; may be repeated.")
  private List<String> jvmOptions = new ArrayList<>();

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there, too.")
  private @Nullable Path json;

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (length != null && length.list) {
      list();
      return 0;
    }
    List<BenchSettings> runs =
        connections == null ? List.of(settings()) : connectionsSettings(connections);
    runs.forEach(this::checkMemory);
    checkJson();
    List<BenchResult> results = new ArrayList<>();
    for (BenchSettings each : runs) {
      console.print(heading(each));
      BenchResult result = run(each);
      result.lines().forEach(console::print);
      if (connections != null) {
        complainOfShortBursts(result);
        console.print("");
      }
      results.add(result);
    }
    String text;
    if (connections == null) {
      text = results.get(0).json();
    } else {
      ConnectionsResult result = new ConnectionsResult(results);
      result.lines().forEach(console::print);
      text = result.json();
    }
    if (json != null) {
      Files.writeString(json, text + "\n");
    }
    return 0;
  }

  private String heading(BenchSettings settings) {
    return String.format(
        "%s%d contenders, each with a JVM that sends and one that receives (Java %s, %d"
            + " processors, heaps of %s, -XX:+AlwaysPreTouch%s)",
        label(settings),
        settings.contenders().size(),
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors(),
        Units.bytes(settings.heapBytes()),
        jvmOptions.isEmpty() ? "" : " " + String.join(" ", jvmOptions));
  }

  private static String label(BenchSettings settings) {
    Workload first = settings.workloads().get(0);
    return first.concurrent() ? first.connectionsLabel() + ": " : "";
  }

  private BenchResult run(BenchSettings settings) throws IOException {
    PrintStream log = ArraywireCommand.verbose(spec) ? console.err() : null;
    try (ProgressMeter progress =
        new ProgressMeter(console, "bench", "bursts", 1, settings.steps())) {
      return new Rounds(settings)
          .run(
              log,
              progress::step,
              phase -> {
                // Who watches sees the bar, which has the time left.
                if (!console.terminal()) {
                  console.complain("bench: " + label(settings) + phase);
                }
              });
    }
  }

  /** Of two arrays one connection, and of one another, is not unfair. */
  private void complainOfShortBursts(BenchResult result) {
    double least =
        result.figures().stream()
            .flatMap(List::stream)
            .mapToDouble(Figures::arraysPerConnection)
            .min()
            .orElseThrow();
    if (least < LEAST_ARRAYS_PER_CONNECTION) {
      console.complain(
          String.format(
              Locale.ROOT,
              "bench: %sfewer than %d arrays for a connection in a burst, so least/mean and Jain"
                  + " say little; take a longer --burst (least=%.1f)",
              label(result.settings()),
              LEAST_ARRAYS_PER_CONNECTION,
              least));
    }
  }

  private void list() {
    listOfOneConnection();
    console.print("");
    TextTable table = new TextTable("<With --connections", "<What it does");
    for (ConnectionsContender each : ConnectionsContenders.all()) {
      table.add(each.name(), each.summary());
    }
    table.lines().forEach(console::print);
  }

  private void listOfOneConnection() {
    TextTable table = new TextTable("<Contender", "<Default", "<What it does");
    List<Contender> usual = Contenders.usual();
    for (Contender each : Contenders.all()) {
      String unavailable = each.unavailable();
      table.add(
          each.name(),
          usual.contains(each) ? "yes" : "",
          each.summary() + (unavailable == null ? "" : "; not here: " + unavailable));
    }
    table.lines().forEach(console::print);
  }

  /** What the options say, without {@code --connections}. */
  BenchSettings settings() {
    check(window >= 2 && window <= 65_536, "--window must be 2 to 65536", "window", window);
    return settings(participants(), workloads(), burst(BURST), 1);
  }

  /** What the options say, for each number of connections. */
  List<BenchSettings> connectionsSettings(List<Integer> numbers) {
    for (String each : List.of(PEERS, PIPELINE_SIZES, WINDOW)) {
      if (spec.commandLine().getParseResult().hasMatchedOption(each)) {
        throw usage(each + " does not go with --connections");
      }
    }
    Set<Integer> distinct = new LinkedHashSet<>(numbers);
    for (int each : distinct) {
      check(
          each >= 1 && each <= MOST_CONNECTIONS,
          "--connections must be 1 to " + MOST_CONNECTIONS,
          "connections",
          each);
      String shortage = FileDescriptors.shortage(each, FileDescriptors.limit());
      if (shortage != null) {
        throw usage(shortage);
      }
    }
    List<ConnectionsContender> wanted = connectionsContenders();
    Duration duration = burst(BURST_OF_CONNECTIONS);
    List<BenchSettings> runs = new ArrayList<>();
    for (int each : distinct) {
      List<Workload> workloads =
          sizes(SIZES_OF_CONNECTIONS).stream()
              .map(size -> Workload.concurrent(elements("--sizes", size), each))
              .distinct()
              .toList();
      runs.add(settings(available(wanted, each), workloads, duration, distinct.size()));
    }
    return runs;
  }

  private BenchSettings settings(
      List<Participant> participants, List<Workload> workloads, Duration duration, int runs) {
    boolean full = length != null && length.full;
    int roundsWanted = rounds != null ? rounds : full ? FULL_ROUNDS : QUICK_ROUNDS;
    check(roundsWanted >= 1, "--rounds must be at least 1", "rounds", roundsWanted);
    return new BenchSettings(
        participants,
        workloads,
        roundsWanted,
        duration,
        full ? FULL_WARMUPS : QUICK_WARMUPS,
        (full ? FULL_BUDGET : QUICK_BUDGET).dividedBy(runs),
        List.copyOf(jvmOptions));
  }

  private Duration burst(int usual) {
    int millis = burst == null ? usual : burst;
    check(millis >= 1 && millis <= 60_000, "--burst must be 1 to 60000", "burst", millis);
    return Duration.ofMillis(millis);
  }

  private List<Long> sizes(List<Long> usual) {
    return sizes == null ? usual : sizes;
  }

  private List<ConnectionsContender> connectionsContenders() {
    if (contenders == null) {
      return ConnectionsContenders.all();
    }
    Set<ConnectionsContender> all = new LinkedHashSet<>();
    all.add(ConnectionsContenders.named(ConnectionsContenders.BASELINE));
    for (String name : contenders) {
      try {
        all.add(ConnectionsContenders.named(name));
      } catch (IllegalArgumentException e) {
        throw usage(String.valueOf(e.getMessage()));
      }
    }
    return List.copyOf(all);
  }

  private List<Participant> available(List<ConnectionsContender> wanted, int number) {
    List<Participant> available = new ArrayList<>();
    for (ConnectionsContender each : wanted) {
      String unavailable = each.unavailable(number);
      if (unavailable == null) {
        available.add(each);
      } else {
        console.complain("bench: " + each.name() + " is left out: " + unavailable);
      }
    }
    return List.copyOf(available);
  }

  private List<Workload> workloads() {
    Set<Workload> workloads = new LinkedHashSet<>();
    for (long size : sizes(SIZES)) {
      workloads.add(Workload.oneByOne(elements("--sizes", size)));
    }
    for (long size : pipelineSizes) {
      if (size > 0) {
        workloads.add(Workload.pipelined(elements("--pipeline-sizes", size), window));
      }
    }
    return List.copyOf(workloads);
  }

  private int elements(String option, long bytes) {
    check(
        bytes >= Float.BYTES && bytes <= MOST_BYTES && bytes % Float.BYTES == 0,
        option + " must be multiples of 4 bytes, at most " + Units.bytes(MOST_BYTES),
        "size",
        bytes);
    return (int) (bytes / Float.BYTES);
  }

  private List<Participant> participants() {
    if (peers && Contenders.ofPeers().isEmpty()) {
      throw usage(
          "the contenders of other libraries were not built; run './arraywire bench --peers'");
    }
    Set<Contender> all = new LinkedHashSet<>();
    all.add(Contenders.named(Contenders.BASELINE));
    if (contenders == null) {
      for (Contender each : Contenders.usual()) {
        String unavailable = each.unavailable();
        if (unavailable == null) {
          all.add(each);
        } else {
          console.complain("bench: " + each.name() + " is left out: " + unavailable);
        }
      }
    } else {
      contenders.forEach(name -> all.add(participant(name)));
    }
    return List.copyOf(all);
  }

  private Contender participant(String name) {
    Contender contender;
    try {
      contender = Contenders.named(name);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    String unavailable = contender.unavailable();
    if (unavailable != null) {
      throw usage(name + " cannot run here: " + unavailable);
    }
    return contender;
  }

  /** A machine that swaps measures its disk. */
  private void checkMemory(BenchSettings settings) {
    long needed =
        2L * settings.contenders().size() * (settings.heapBytes() + settings.arrayBytes());
    long there =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    if (needed > there) {
      throw usage(
          "not enough memory; name fewer --contenders, smaller --sizes or fewer --connections"
              + " (needed="
              + Units.bytes(needed)
              + ", memory="
              + Units.bytes(there)
              + ")");
    }
  }

  /** Before the measuring: afterwards it would be for nothing. */
  private void checkJson() throws IOException {
    if (json == null) {
      return;
    }
    Path directory = json.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(json)) {
      throw usage("cannot write there: no such directory, or it is one (json=" + json + ")");
    }
    Files.writeString(json, "");
  }

  private void check(boolean holds, String text, String name, long value) {
    if (!holds) {
      throw usage(text + " (" + name + "=" + value + ")");
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
