package io.arraywire.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.testkit.simulation.Simulation.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
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
class SimulationTest {
  private static final int USUAL_SEEDS = 1000;
  private static final int MOST_FAILURES = 5;
  private static final long LEAST_EVENTS = 500;

  @Test
  @Timeout(value = 7, unit = java.util.concurrent.TimeUnit.DAYS)
  void everySeedKeepsWhatWasPromised() throws Exception {
    long first = Long.getLong("arraywire.simulation.first", 1);
    long number = Long.getLong("arraywire.simulation.seeds", USUAL_SEEDS);
    List<String> failures = new ArrayList<>();
    long events = 0;
    long delivered = 0;
    long least = Long.MAX_VALUE;
    for (long seed = first; seed < first + number && failures.size() < MOST_FAILURES; seed++) {
      Report report = Simulation.run(seed, number == 1);
      events += report.events();
      delivered += report.delivered();
      least = Math.min(least, report.events());
      if (!report.violations().isEmpty()) {
        failures.add(report.inWords());
      }
      if (number == 1) {
        report.writeTrace();
      }
    }
    assertThat(failures).as("what seeds from %s on have found", first).isEmpty();
    assertThat(least).as("events of the shortest simulation").isGreaterThan(LEAST_EVENTS);
    // Nothing is wrong with nothing.
    assertThat(delivered).as("arrays delivered").isGreaterThan(number);
    System.out.printf(
        "simulation: seeds %d to %d, %d events, %d arrays delivered%n",
        first, first + number - 1, events, delivered);
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
