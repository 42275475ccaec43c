package io.arraywire.benchmarks.network;

/** What the hosts of a network are. */
public enum HostKind {
  /**
   * Containers; where there is no engine for them, network namespaces, which the output says
   * clearly.
   */
  CONTAINERS,
  /** Network namespaces of this machine. */
  NAMESPACES
}
