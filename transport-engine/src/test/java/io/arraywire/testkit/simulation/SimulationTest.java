package io.arraywire.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.testkit.simulation.Simulation.Report;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs whole engines against a simulated network, clock and scheduler, each run from one seed:
 * handshake, credit, acknowledgements, requests, subscriptions, heartbeats and sessions, with
 * delays, cuts at any byte, half-open connections and slow readers. See docs/simulation.md.
 *
 * <p>{@code -Darraywire.simulation.seeds=1000000} runs more of them, {@code
 * -Darraywire.simulation.first=SEED} others, and with one seed alone its trace is written to {@code
 * target/simulation-SEED.txt}.
 */
@Tag("newest")
class SimulationTest {
  private static final int USUAL_SEEDS = 100;
  private static final int MOST_FAILURES = 5;

  /** From here on every processor runs some. */
  private static final long MANY_SEEDS = 10_000;

  private static final long LEAST_EVENTS = 500;

  @Test
  @Timeout(value = 7, unit = TimeUnit.DAYS)
  void everySeedKeepsWhatWasPromised() throws Exception {
    long first = Long.getLong("arraywire.simulation.first", 1);
    long number = Long.getLong("arraywire.simulation.seeds", USUAL_SEEDS);
    Seeds seeds = new Seeds(first, number);
    seeds.run(number < MANY_SEEDS ? 1 : Runtime.getRuntime().availableProcessors());
    assertThat(seeds.failures).as("what seeds from %s on have found", first).isEmpty();
    assertThat(seeds.least).as("events of the shortest simulation").isGreaterThan(LEAST_EVENTS);
    // Nothing is wrong with nothing.
    assertThat(seeds.delivered).as("arrays delivered").isGreaterThan(number);
    System.out.printf(
        "simulation: seeds %d to %d, %d events, %d arrays delivered, %d of them over TLS;"
            + " %d peers were one too many%n",
        first, first + number - 1, seeds.events, seeds.delivered, seeds.encrypted, seeds.refused);
    if (number >= USUAL_SEEDS) {
      assertThat(seeds.encrypted).as("arrays delivered over TLS").isGreaterThan(number);
      assertThat(seeds.refused).as("peers that were one too many").isPositive();
    }
  }

  /** A range of seeds, which threads may share: no simulation knows of another one. */
  private static final class Seeds {
    private final long end;
    private final boolean alone;
    private long next;

    // Guarded by this, as the next one is.
    final List<String> failures = new ArrayList<>();
    long events;
    long delivered;
    long encrypted;
    long refused;
    long least = Long.MAX_VALUE;

    Seeds(long first, long number) {
      next = first;
      end = first + number;
      alone = number == 1;
    }

    void run(int threads) throws Exception {
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        Callable<Boolean> some = this::runSome;
        for (Future<Boolean> each : pool.invokeAll(Collections.nCopies(threads, some))) {
          assertThat(each.get()).isTrue();
        }
      } finally {
        pool.shutdownNow();
      }
    }

    private boolean runSome() throws Exception {
      for (long seed = take(); seed < end; seed = take()) {
        Report report = Simulation.run(seed, alone);
        if (alone) {
          report.writeTrace();
        }
        note(report);
      }
      return true;
    }

    private synchronized long take() {
      return failures.size() < MOST_FAILURES ? next++ : end;
    }

    private synchronized void note(Report report) {
      events += report.events();
      delivered += report.delivered();
      encrypted += report.encrypted() ? report.delivered() : 0;
      refused += report.refused();
      least = Math.min(least, report.events());
      if (!report.violations().isEmpty()) {
        failures.add(report.inWords());
      }
    }
  }

  @Test
  void aSeedIsTheSameEveryTime() {
    for (long seed : LongStream.range(1, 21).toArray()) {
      Report once = Simulation.run(seed, false);
      Report again = Simulation.run(seed, true);
      assertThat(again.hash()).as("what happens with seed %d", seed).isEqualTo(once.hash());
      assertThat(again.events()).isEqualTo(once.events());
    }
  }
}
