package io.arraywire.chaos.proxy;

import java.util.List;

/**
 * Which faults each connection of a {@link FaultProxy} gets. Called by the proxy's threads; {@code
 * toString()} should say what it would take to have the same again.
 */
@FunctionalInterface
public interface FaultPlan {

  /**
   * The faults of a connection.
   *
   * @param connection its number, counted from 0 as the proxy accepts them
   * @return the faults in any order; those after the same number of bytes happen in this one
   */
  List<Fault> faults(int connection);

  /**
   * No faults.
   *
   * @return the plan
   */
  static FaultPlan none() {
    return inTurn();
  }

  /**
   * The same faults for each connection.
   *
   * @param faults the faults
   * @return the plan
   */
  static FaultPlan always(Fault... faults) {
    List<Fault> all = List.of(faults);
    return named("always " + all, connection -> all);
  }

  /**
   * A script: the first faults for the first connection and so on, and none once it has run out.
   *
   * @param script the faults of each connection
   * @return the plan
   */
  @SafeVarargs
  @SuppressWarnings("varargs")
  static FaultPlan inTurn(List<Fault>... script) {
    List<List<Fault>> all = List.of(script);
    return named(
        "inTurn " + all, connection -> connection < all.size() ? all.get(connection) : List.of());
  }

  /**
   * Faults at random. What a connection gets depends on the seed, the mix and its number only.
   *
   * @param seed any number
   * @param mix which kinds, how often, how hard
   * @return the plan
   */
  static FaultPlan random(long seed, FaultMix mix) {
    return named(
        "random (seed=" + seed + ", mix=" + mix + ")", connection -> mix.draw(seed, connection));
  }

  private static FaultPlan named(String name, FaultPlan plan) {
    return new FaultPlan() {
      @Override
      public List<Fault> faults(int connection) {
        return plan.faults(connection);
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }
}
