package io.arraywire.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds bugs: each of {@link Plants} within {@link #MOST_SEEDS} seeds, with the seed
 * that docs/simulation.md names or, since every change of the engine changes what happens with a
 * seed, with the first that does.
 */
@Tag("ci")
@Tag("newest")
class PlantedBugTest {
  /** So many seeds a bug has to be found. */
  static final long MOST_SEEDS = 10_000;

  private static final Path SOURCES = Path.of("src", "main", "java");

  static List<Plant> plants() {
    return Plants.ALL;
  }

  @ParameterizedTest
  @MethodSource("plants")
  @Timeout(600)
  void aPlantedBugIsFound(Plant plant) throws Exception {
    assertFound(plant);
  }

  /** After a change of the engine it may take minutes to find another seed. */
  @Test
  @Tag("variant")
  @Timeout(1800)
  void aBugThatFewSeedsMeetIsFound() throws Exception {
    assertFound(Plants.RARE);
  }

  private static void assertFound(Plant plant) throws Exception {
    PlantedClasses classes = PlantedClasses.with(plant, SOURCES);
    String found = classes.violation(plant.seed());
    long seed = plant.seed();
    for (long next = 1; next <= MOST_SEEDS && found.isEmpty(); next++) {
      seed = next;
      found = classes.violation(seed);
    }
    assertThat(found).as("what %d seeds found of: %s", MOST_SEEDS, plant).isNotEmpty();
    if (seed != plant.seed()) {
      System.out.printf("planted bug: %s: seed %d finds it now%n", plant, seed);
    }
  }
}
