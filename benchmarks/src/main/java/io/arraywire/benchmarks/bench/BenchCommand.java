package io.arraywire.benchmarks.bench;

import com.sun.management.OperatingSystemMXBean;
import io.arraywire.benchmarks.network.NetworkProfile;
import io.arraywire.benchmarks.network.ProfiledHosts;
import io.arraywire.benchmarks.report.ReportCommand;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Checkout;
import io.arraywire.benchmarks.result.Environment;
import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import io.arraywire.examples.cli.ExitHook;
import io.arraywire.examples.cli.ProgressMeter;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code arraywire bench}. */
@Command(
    name = "bench",
    description =
        "Compares ways to move a float[] from one JVM into a float[] of another over loopback, in"
            + " interleaved rounds. Times are from the call of send to the acknowledgement. What"
            + " arrives is compared bit by bit before. With --connections: many connections at the"
            + " same time; --requests: requests and replies; --rate: the same at a fixed rate."
            + " With --python: from NumPy to a JVM and back.",
    footer = {
      "",
      "With --connections each connection has one array in flight: the next is sent when the one"
          + " before is acknowledged. Other contenders take part, compared with "
          + ConnectionsContenders.BASELINE
          + "; see --list. Numbers of connections follow one another, each with JVMs of its own.",
      "",
      "Only the ratios of one run mean something. docs/benchmarks.md says what the columns are."
    })
final class BenchCommand implements Callable<Integer> {
  private static final int LEAST_ARRAYS_PER_CONNECTION = 10;

  private final Console console;

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions common;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there, too.")
  private @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "DIRECTORY",
      description =
          "Make a page of HTML there with conclusions, charts and tables. Without --json the figures"
              + " are there, too, in figures.json.")
  private @Nullable Path report;

  /** The contenders left out and why, told once it is known that anything is measured. */
  private final List<String> leftOut = new ArrayList<>();

  /** There is a progress bar, if somebody watches. */
  private boolean isMeasuring;

  /** What a user that interrupts this now has of it. */
  private volatile String left = "no figures are kept";

  @Mixin private OneConnectionOptions oneConnection;
  @Mixin private ManyConnectionsOptions manyConnections;
  @Mixin private NetworkOptions network;
  @Mixin private SlowAnswersOptions slowAnswers;
  @Mixin private RequestsOptions requests;
  @Mixin private RateOptions rate;
  @Mixin private PythonOptions python;
  @Mixin private AgainstOptions against;

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (common.list()) {
      list();
      return 0;
    }
    List<BenchSettings> runs = runs();
    if (against.areGiven()) {
      compareBuilds(runs);
      return 0;
    }
    runs.forEach(this::checkMemory);
    checkReport();
    checkJson();
    leftOut.forEach(console::complain);
    ExitHook hook = new ExitHook(() -> console.complain("bench: interrupted; " + left));
    try {
      measureEverywhere(runs);
      if (report != null && json != null) {
        ReportCommand.write(List.of(json), report, false, console);
      }
    } finally {
      hook.cancel();
    }
    return 0;
  }

  /** Measures this build beside that of another commit, and prints what differs. */
  private void compareBuilds(List<BenchSettings> runs) throws IOException {
    List<BenchSettings> own = runs.stream().map(each -> against.settings(common, each)).toList();
    OtherBuild other = against.build(common, this::tell);
    ArrayData data = runs.get(0).data();
    if (data != null && !other.knows(data)) {
      throw common.usage(
          "that build cannot send this data, and would send noise (build="
              + other.name()
              + ", data="
              + data.label()
              + ")");
    }
    own.stream()
        .map(each ->
            each.with(BuildComparison.participants(each.contenders(), other), each.workloads()))
        .forEach(this::checkMemory);
    leftOut.forEach(console::complain);
    if (!network.areGiven()) {
      compareBuilds(own, other);
    }
    for (NetworkProfile profile : network.profiles(common)) {
      try (ProfiledHosts hosts =
          network.open(profile, files(runs, List.of(other.archive())), this::tell, log())) {
        console.print(hosts.report().line());
        compareBuilds(own.stream().map(each -> each.on(hosts)).toList(), other);
      }
    }
  }

  private void compareBuilds(List<BenchSettings> own, OtherBuild other) throws IOException {
    for (BenchSettings settings : own) {
      console.print(
          String.format(
              "%sthis build (%s) beside %s (Java %s, TCP %s); a ratio above 1: this build is faster",
              settings.connectionsLabel(),
              Checkout.here().label(),
              other.name(),
              settings.hosts().java(),
              Environment.congestionControl()));
      BuildComparison comparison = new BuildComparison(settings, other, against.limit());
      comparison.run(log(), this::tell);
      console.print("");
      comparison.lines().forEach(console::print);
      console.print("");
    }
  }

  /** What the hosts of a network need beside this build. */
  private static List<Path> files(List<BenchSettings> runs, List<Path> archives) {
    List<Path> files = new ArrayList<>(archives);
    ArrayData data = runs.get(0).data();
    if (data != null) {
      files.addAll(data.files());
    }
    return List.copyOf(files);
  }

  private void measureEverywhere(List<BenchSettings> runs) throws IOException {
    // Now: the sources may change while it runs. Where nothing is written git need not be asked.
    Environment environment = json == null ? null : Environment.here(command());
    List<BenchResult> results = new ArrayList<>();
    if (!network.areGiven()) {
      measure(runs, environment, results);
    }
    for (NetworkProfile profile : network.profiles(common)) {
      try (ProfiledHosts hosts = network.open(profile, files(runs, List.of()), this::tell, log())) {
        console.print(hosts.report().line());
        measure(runs.stream().map(each -> each.on(hosts)).toList(), environment, results);
      }
    }
  }

  /**
   * Measures, and writes the file if there is an environment for it.
   *
   * @param results what was measured before; more is added
   */
  private void measure(
      List<BenchSettings> runs, @Nullable Environment environment, List<BenchResult> results)
      throws IOException {
    try (RoundJournal journal = journal(runs, environment)) {
      if (journal != null) {
        left = "the same command goes on after the rounds that are done";
      }
      List<BenchResult> here = new ArrayList<>();
      for (int i = 0; i < runs.size(); i++) {
        here.add(measure(runs.get(i), journal == null ? Rounds.Keeper.none() : journal.run(i)));
      }
      if (manyConnections.areGiven()) {
        // Of one network: those of another are no further numbers of connections.
        new ConnectionsResult(here).lines().forEach(console::print);
      }
      results.addAll(here);
      if (json != null && environment != null) {
        List<Map<String, @Nullable Object>> members =
            results.stream().map(BenchResult::members).toList();
        Files.writeString(json, BenchFile.text(environment, members) + "\n");
        left = "the figures of what was done are kept (json=" + json + ")";
      }
      if (journal != null) {
        journal.delete();
      }
    }
  }

  private BenchResult measure(BenchSettings settings, Rounds.Keeper keeper) throws IOException {
    console.print(settings.heading());
    BenchResult result = run(settings, keeper);
    result.lines().forEach(console::print);
    if (manyConnections.areGiven()) {
      complainOfShortBursts(result);
      console.print("");
    }
    return result;
  }

  /** Where rounds are kept that take hours; null if they are not. */
  private @Nullable RoundJournal journal(
      List<BenchSettings> runs, @Nullable Environment environment) throws IOException {
    if (!common.full()) {
      return null;
    }
    if (json == null || environment == null) {
      console.complain("bench: without --json this cannot be interrupted and continued");
      return null;
    }
    Path path = json.resolveSibling(json.getFileName() + ".rounds");
    RoundJournal journal = RoundJournal.open(path, environment, ProgramDigest.here(), runs);
    console.complain(
        "bench: if this is interrupted, the same command goes on (file="
            + path
            + ", rounds="
            + journal.size()
            + ")");
    return journal;
  }

  /** Says what is done, unless somebody watches the bar, which has no place for it. */
  private void tell(String what) {
    if (!console.terminal() || !isMeasuring || what.contains(Rounds.WARNING)) {
      console.complain("bench: " + what);
    }
  }

  private @Nullable PrintStream log() {
    return ArraywireCommand.verbose(spec) ? console.err() : null;
  }

  /** The command line, as the launcher was given it. */
  private List<String> command() {
    List<String> command = new ArrayList<>(List.of("./arraywire"));
    command.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return command;
  }

  private BenchResult run(BenchSettings settings, Rounds.Keeper keeper) throws IOException {
    int done = keeper.done().size() * settings.workloads().size() * settings.contenders().size();
    try (ProgressMeter progress =
        new ProgressMeter(console, "bench", "bursts", 1, settings.steps() - done)) {
      isMeasuring = true;
      return new Rounds(settings, keeper)
          .run(
              log(),
              progress::step,
              // A user at a terminal sees the bar, which has the time left.
              phase -> tell(settings.connectionsLabel() + phase));
    } finally {
      isMeasuring = false;
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
              result.settings().connectionsLabel(),
              LEAST_ARRAYS_PER_CONNECTION,
              least));
    }
  }

  private void list() {
    listOfOneConnection();
    list("<With --connections", ConnectionsContenders.all());
    list("<With --requests, --rate, --slow-answers", AnswersContenders.all());
    list("<With --python", PythonContenders.all());
  }

  private void list(String heading, List<? extends Participant> contenders) {
    console.print("");
    TextTable table = new TextTable(heading, "<What it does");
    contenders.forEach(each -> table.add(each.name(), each.summary()));
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

  private void leaveOut(Participant participant, String why) {
    leftOut.add("bench: " + participant.name() + " is left out: " + why);
  }

  /** What the options say: one run, or one for each number of connections. */
  List<BenchSettings> runs() {
    against.check(common);
    oneConnection.check(common);
    slowAnswers.check(common);
    requests.check(common);
    rate.check(common);
    if (slowAnswers.areGiven()) {
      return List.of(slowAnswers.settings(common, this::leaveOut));
    }
    if (python.areGiven()) {
      return List.of(python.settings(common));
    }
    if (rate.areGiven()) {
      return List.of(rate.settings(common, this::leaveOut));
    }
    if (requests.areGiven()) {
      return List.of(requests.settings(common, this::leaveOut));
    }
    List<BenchSettings> runs =
        manyConnections.areGiven()
            ? manyConnections.settings(common, this::leaveOut)
            : List.of(oneConnection.settings(common, network, this::leaveOut));
    network.check(common, runs);
    return runs;
  }

  /** A machine that swaps measures its disk. */
  private void checkMemory(BenchSettings settings) {
    long needed = settings.memoryBytes();
    long there =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    if (needed > there) {
      throw common.usage(
          "not enough memory; name fewer --contenders, smaller --sizes or fewer --connections"
              + " (needed="
              + Units.bytes(needed)
              + ", memory="
              + Units.bytes(there)
              + ")");
    }
  }

  /** Before the measuring: afterwards it would be for nothing. */
  private void checkReport() throws IOException {
    if (report == null) {
      return;
    }
    try {
      Files.createDirectories(report);
    } catch (FileAlreadyExistsException e) {
      throw common.usage("cannot write there: it is no directory (report=" + report + ")");
    } catch (NoSuchFileException e) {
      throw common.usage("cannot make that directory (report=" + report + ")");
    }
    if (json == null) {
      json = report.resolve("figures.json");
    }
  }

  /** The same. */
  private void checkJson() throws IOException {
    if (json == null) {
      return;
    }
    Path directory = json.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(json)) {
      throw common.usage("cannot write there: no such directory, or it is one (json=" + json + ")");
    }
    boolean isNew = Files.notExists(json);
    // What an earlier run has written stays there until there is something in its place.
    Files.newOutputStream(json, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    if (isNew) {
      // A user that interrupts this run is left without a file, and not with an empty one.
      Files.delete(json);
    }
  }
}
