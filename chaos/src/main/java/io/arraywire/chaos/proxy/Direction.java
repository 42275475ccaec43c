package io.arraywire.chaos.proxy;

/** Which way bytes go through a {@link FaultProxy}. */
public enum Direction {
  /** From the side that connected to the side that it wants to reach. */
  TO_TARGET,
  /** Back to the side that connected. */
  TO_CLIENT
}
