package io.arraywire.engine;

/** Which side of a connection this is. */
public enum Role {
  /** The side that connects. */
  CONNECTOR,
  /** The side that listens. */
  ACCEPTOR
}
