package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the contenders work in turn. All processes are started first, every contender's arrays are
 * compared bit by bit, and all get warm. Then each works for a moment in each round, so that what
 * disturbs the machine for a while disturbs them alike.
 */
final class Rounds {
  /** How a phase begins that is no phase, but what a reader of the figures has to know. */
  static final String WARNING = "!!! ";

  /** Part of the time that warming up may take, so that some rounds are left. */
  private static final int WARMUP_PART = 2;

  /** Keeps the rounds that are done, in case that the others are interrupted. */
  interface Keeper {

    /** Forgets them. */
    static Keeper none() {
      return new Keeper() {
        @Override
        public List<List<List<Burst>>> done() {
          return List.of();
        }

        @Override
        public void add(List<List<Burst>> round) {
          // Nobody asks for it.
        }
      };
    }

    /**
     * Those that an interrupted run has done.
     *
     * @return of each round, of each workload, the bursts of each contender
     */
    List<List<List<Burst>>> done();

    /** A round is done. */
    void add(List<List<Burst>> round) throws IOException;
  }

  /** For compilers that are not done with what has got warm. */
  private static final Duration TO_REST = Duration.ofSeconds(20);

  private final BenchSettings settings;
  private final Keeper keeper;
  private final long start = System.nanoTime();

  Rounds(BenchSettings settings, Keeper keeper) {
    this.settings = settings;
    this.keeper = keeper;
  }

  /**
   * Runs all.
   *
   * @param log where the children's standard error goes, or null for nowhere
   * @param progress told how many steps are done
   * @param phase told what begins
   */
  BenchResult run(@Nullable PrintStream log, IntConsumer progress, Consumer<String> phase)
      throws IOException {
    // Before any round is added to them.
    List<List<List<Burst>>> done = List.copyOf(keeper.done());
    if (done.size() >= settings.rounds()) {
      return BenchResult.of(settings, byWorkload(done));
    }
    List<Pair> pairs = new ArrayList<>();
    try {
      phase.accept("starting " + settings.contenders().size() + " pairs of processes");
      for (Participant each : settings.contenders()) {
        Pair pair = each.start(settings, log);
        pairs.add(pair);
        for (Workload workload : settings.workloads()) {
          pair.verify(workload);
        }
        progress.accept(1);
      }
      phase.accept("warming up");
      for (Workload workload : settings.workloads()) {
        List<String> cold = warmUp(pairs, workload, progress);
        if (!cold.isEmpty()) {
          phase.accept(WARNING + "not warm, " + workload.label() + ": " + String.join(", ", cold));
        }
      }
      Rest.await(settings.contenders(), pairs, TO_REST);
      return measure(pairs, done, progress, phase);
    } finally {
      pairs.forEach(Pair::close);
    }
  }

  /**
   * Lets all work until they are warm, or there is no more time for it.
   *
   * @return the names of those that are not warm
   */
  private List<String> warmUp(List<Pair> pairs, Workload workload, IntConsumer progress)
      throws IOException {
    List<Warmth> warmths = Stream.generate(Warmth::new).limit(pairs.size()).toList();
    for (int round = 0; round < settings.warmups(); round++) {
      for (int i = 0; i < pairs.size(); i++) {
        Warmth warmth = warmths.get(i);
        if (!warmth.isWarm() && elapsed().compareTo(settings.budget().dividedBy(WARMUP_PART)) < 0) {
          warmth.add(pairs.get(i).burst(workload, settings.burst()).nanosPerArray());
        }
        progress.accept(1);
      }
    }
    return IntStream.range(0, pairs.size())
        .filter(i -> !warmths.get(i).isWarm())
        .mapToObj(i -> settings.contenders().get(i).name())
        .toList();
  }

  private BenchResult measure(
      List<Pair> pairs, List<List<List<Burst>>> done, IntConsumer progress, Consumer<String> phase)
      throws IOException {
    List<List<List<Burst>>> rounds = new ArrayList<>(done);
    Duration longest = Duration.ZERO;
    for (int round = rounds.size(); round < settings.rounds(); round++) {
      Duration begin = elapsed();
      if (round > 0 && begin.plus(longest).compareTo(settings.budget()) > 0) {
        phase.accept("no time for more than " + round + " rounds of " + settings.rounds());
        break;
      }
      phase.accept(
          "round "
              + (round + 1)
              + " of "
              + settings.rounds()
              + (longest.isZero()
                  ? ""
                  : ", about "
                      + longest.multipliedBy(settings.rounds() - round).toSeconds()
                      + " s left"));
      List<List<Burst>> bursts = new ArrayList<>();
      for (Workload workload : settings.workloads()) {
        bursts.add(round(pairs, round, workload, progress));
      }
      rounds.add(bursts);
      keeper.add(bursts);
      Duration taken = elapsed().minus(begin);
      longest = taken.compareTo(longest) > 0 ? taken : longest;
    }
    return BenchResult.of(settings, byWorkload(rounds));
  }

  private List<List<List<Burst>>> byWorkload(List<List<List<Burst>>> rounds) {
    List<List<List<Burst>>> workloads = new ArrayList<>();
    for (int i = 0; i < settings.workloads().size(); i++) {
      int workload = i;
      workloads.add(rounds.stream().map(round -> round.get(workload)).toList());
    }
    return workloads;
  }

  /** One burst of each, in the order of the pairs; another one begins in each round. */
  private List<Burst> round(List<Pair> pairs, int round, Workload workload, IntConsumer progress)
      throws IOException {
    Burst[] bursts = new Burst[pairs.size()];
    for (int i = 0; i < bursts.length; i++) {
      int who = (round + i) % bursts.length;
      bursts[who] = pairs.get(who).burst(workload, settings.burst());
      progress.accept(1);
    }
    return List.of(bursts);
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
