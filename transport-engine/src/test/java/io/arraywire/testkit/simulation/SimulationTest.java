package io.arraywire.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.testkit.simulation.Simulation.Report;
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
  private static final int USUAL_SEEDS = 500;

  /** So many seeds meet everything that they are there to meet. */
  private static final int ENOUGH_SEEDS = 10_000;

  @Test
  @Timeout(value = 7, unit = TimeUnit.DAYS)
  void everySeedKeepsWhatWasPromised() throws Exception {
    long first = Long.getLong("arraywire.simulation.first", 1);
    int number = Integer.getInteger("arraywire.simulation.seeds", USUAL_SEEDS);
    SeedRange seeds = new SeedRange(first, number);
    seeds.run();
    assertThat(seeds.failures()).as("what seeds from %s on have found", first).isEmpty();
    assertThat(seeds.leastEvents())
        .as("events of the shortest simulation")
        .isGreaterThanOrEqualTo(Workload.LEAST_EVENTS);
    // Nothing is wrong with nothing.
    long arrays = Occurrence.ARRIVALS.stream().mapToLong(seeds.occurrences()::of).sum();
    assertThat(arrays).as("arrays delivered").isGreaterThan(number);
    if (number >= ENOUGH_SEEDS) {
      assertThat(seeds.occurrences().missing()).as("what never happened").isEmpty();
    }
  }

  @Test
  void aSeedIsTheSameEveryTime() {
    // One of them is long.
    for (long seed : LongStream.rangeClosed(90, 110).toArray()) {
      Report once = Simulation.run(seed, false);
      Report again = Simulation.run(seed, true);
      assertThat(again.hash()).as("what happens with seed %d", seed).isEqualTo(once.hash());
      assertThat(again.events()).isEqualTo(once.events());
    }
  }
}
