package io.arraywire.testkit.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One simulation, which follows from its seed. */
public final class Simulation {
  private static final long MOST_EVENTS = 400_000;

  /** Kept, or the level would be forgotten with it: broken connections are no news here. */
  private static final Logger QUIET = Logger.getLogger("io.arraywire");

  private static int running;

  private Simulation() {}

  /**
   * What a simulation found.
   *
   * @param seed its seed
   * @param events how many events there were
   * @param occurrences how often what happened
   * @param hash of all that happened
   * @param violations what must not be, none if all is well
   * @param trace what happened, if that was wanted
   */
  record Report(
      long seed,
      long events,
      Occurrences occurrences,
      long hash,
      List<String> violations,
      String trace) {

    /** What was found, and how to see it again. */
    String inWords() {
      return "seed "
          + seed
          + ": "
          + String.join(System.lineSeparator() + "  ", violations)
          + System.lineSeparator()
          + "  replay: mvn test -pl transport-engine -am -Dtest=SimulationTest"
          + " -Darraywire.simulation.seeds=1 -Darraywire.simulation.first="
          + seed;
    }

    /** Writes what happened to a file below target. */
    void writeTrace() throws IOException {
      Path file = Path.of("target", "simulation-" + seed + ".txt");
      Files.createDirectories(file.getParent());
      Files.writeString(file, trace);
      System.out.println("simulation: what happened is in " + file.toAbsolutePath());
    }
  }

  /** Runs a seed. */
  static Report run(long seed, boolean withTrace) {
    quiet(1);
    try {
      return simulate(seed, withTrace);
    } finally {
      quiet(-1);
    }
  }

  /** Other tests in this JVM log again once no simulation runs. */
  private static synchronized void quiet(int more) {
    running += more;
    QUIET.setLevel(running > 0 ? Level.OFF : null);
  }

  private static Report simulate(long seed, boolean withTrace) {
    Length length = Length.of(seed);
    Choices choices = new Choices(seed);
    Trace trace = new Trace(withTrace);
    Scheduler scheduler = new Scheduler(choices.branch(), trace, MOST_EVENTS);
    World world =
        new World(
            scheduler,
            choices.branch(),
            new Choices(~seed),
            new Choices(Long.reverse(seed)),
            trace,
            length);
    Ending ending = new Ending(world, choices.branch(), length);
    new Workload(world, choices.branch(), length).begin(ending::begin);
    List<Scheduler.Wait> stuck = scheduler.run();
    List<String> violations = new ArrayList<>();
    Throwable failure = scheduler.failure();
    if (failure != null) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      violations.add("something threw: " + text);
    } else if (scheduler.isEndless()) {
      violations.add("it does not come to an end (events=" + scheduler.count() + ")");
    } else {
      for (Scheduler.Wait wait : stuck) {
        violations.add("a call never returns: " + wait);
      }
      ending.conclude();
    }
    violations.addAll(0, world.judge.violations());
    Report report =
        new Report(
            seed,
            scheduler.count(),
            world.judge.occurrences(),
            trace.hash(),
            List.copyOf(violations),
            trace.text());
    scheduler.discard();
    // The engine's watch over dropped replies would keep all of this for ever otherwise.
    world.replies.clear();
    return report;
  }

  /** What a seed finds first; empty if nothing. For classes of another loader. */
  public static String violation(long seed) {
    Report report = run(seed, false);
    return report.violations().isEmpty() ? "" : report.violations().get(0);
  }
}
