package io.arraywire.benchmarks.bench;

import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures contenders of this build beside the same of another build. Each launch starts fresh
 * pairs of JVMs of both builds and has them work in turn, all alive at the same time. Launches go
 * on until each interval is narrow enough or the time is over.
 */
final class BuildComparison {
  private final BenchSettings settings;
  private final OtherBuild other;
  private final Duration limit;

  /** Of each workload, of each contender. */
  private final List<List<BuildRatio>> ratios;

  private boolean timeIsOver;

  /**
   * Makes one that has not measured.
   *
   * @param settings the contenders of this build, and what is measured; a launch has its rounds
   * @param other the other build
   * @param limit how long all of it may take, apart from the launch that has begun by then
   */
  BuildComparison(BenchSettings settings, OtherBuild other, Duration limit) {
    this.settings = settings;
    this.other = other;
    this.limit = limit;
    ratios =
        settings.workloads().stream()
            .map(workload ->
                settings.contenders().stream().map(contender -> new BuildRatio()).toList())
            .toList();
  }

  /** What takes part in a launch: each contender of this build, and the same of the other. */
  static List<Participant> participants(List<Participant> own, OtherBuild other) {
    List<Participant> all = new ArrayList<>(own);
    own.forEach(each -> all.add(other.participant(each)));
    return List.copyOf(all);
  }

  /**
   * Measures.
   *
   * @param log where the children's standard error goes, or null for nowhere
   * @param says told what is done
   */
  void run(@Nullable PrintStream log, Consumer<String> says) throws IOException {
    long begin = System.nanoTime();
    for (int launch = 1; !open().isEmpty(); launch++) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
      if (launch > 1 && elapsed.compareTo(limit) >= 0) {
        timeIsOver = true;
        return;
      }
      launch(launch, log, says);
      says.accept("launch " + launch + ": " + soFar());
    }
  }

  /** The workloads whose intervals are not narrow enough. */
  private List<Integer> open() {
    return IntStream.range(0, ratios.size())
        .filter(each -> !ratios.get(each).stream().allMatch(BuildRatio::isPrecise))
        .boxed()
        .toList();
  }

  private void launch(int launch, @Nullable PrintStream log, Consumer<String> says)
      throws IOException {
    List<Integer> open = open();
    List<Participant> all = participants(settings.contenders(), other);
    int half = settings.contenders().size();
    // The build that starts first takes turns: the place of a process may matter.
    List<Participant> order = new ArrayList<>(all.subList(launch % 2 * half, all.size()));
    order.addAll(all.subList(0, launch % 2 * half));
    List<List<List<Burst>>> rounds = new ArrayList<>();
    var unused =
        new Rounds(
                settings.with(order, open.stream().map(settings.workloads()::get).toList()),
                new Rounds.Keeper() {
                  @Override
                  public List<List<List<Burst>>> done() {
                    return List.of();
                  }

                  @Override
                  public void add(List<List<Burst>> round) {
                    rounds.add(round);
                  }
                })
            .run(
                log,
                step -> {},
                phase -> {
                  if (phase.startsWith(Rounds.WARNING)) {
                    says.accept(phase);
                  }
                });
    for (int i = 0; i < open.size(); i++) {
      for (int who = 0; who < half; who++) {
        ratios
            .get(open.get(i))
            .get(who)
            .add(
                bursts(rounds, i, order.indexOf(all.get(who))),
                bursts(rounds, i, order.indexOf(all.get(half + who))));
      }
    }
  }

  private static List<Burst> bursts(List<List<List<Burst>>> rounds, int workload, int who) {
    return rounds.stream().map(round -> round.get(workload).get(who)).toList();
  }

  private String soFar() {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < ratios.size(); i++) {
      for (BuildRatio each : ratios.get(i)) {
        words.add(
            settings.workloads().get(i).label()
                + " "
                + String.format(Locale.ROOT, "%.2f", each.ratio())
                + (each.isPrecise() ? " (done)" : ""));
      }
    }
    return String.join("; ", words);
  }

  /** A table, and what it does not say. */
  List<String> lines() {
    TextTable table =
        new TextTable(
            "<Contender",
            "<Array",
            "this build",
            other.name(),
            "x " + other.name(),
            Math.round(BuildRatio.CONFIDENCE * 100) + " % interval",
            "CPU x " + other.name(),
            "launches",
            "<");
    for (int i = 0; i < ratios.size(); i++) {
      for (int who = 0; who < settings.contenders().size(); who++) {
        BuildRatio ratio = ratios.get(i).get(who);
        table.add(
            settings.contenders().get(who).label(),
            settings.workloads().get(i).label(),
            Units.time(Math.round(ratio.nanos())),
            Units.time(Math.round(ratio.otherNanos())),
            String.format(Locale.ROOT, "%.3f", ratio.ratio()),
            ratio.interval().words(),
            String.format(Locale.ROOT, "%.2f", ratio.expense()),
            Integer.toString(ratio.launches()),
            ratio.verdict());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (timeIsOver) {
      lines.add(
          "! the time limit of "
              + limit.toMinutes()
              + " min was reached: intervals may be wider than "
              + Units.percent(BuildRatio.PRECISION)
              + "; take a larger --limit, or a quieter machine");
    }
    return lines;
  }

  /** Whether the time was over before each interval was narrow enough. */
  boolean timeIsOver() {
    return timeIsOver;
  }
}
