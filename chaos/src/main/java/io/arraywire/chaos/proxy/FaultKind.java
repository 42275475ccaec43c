package io.arraywire.chaos.proxy;

/** What a {@link FaultProxy} can do to a connection, or to all. */
public enum FaultKind {
  /** Ends a connection in an orderly way, both ends at once: each reads FIN. */
  CUT,
  /** Ends a connection with RST at both ends. */
  RESET,
  /** Stops forwarding for a while. */
  STALL,
  /** Forwards no faster than a rate, from here on. */
  THROTTLE,
  /** Inverts one bit. */
  FLIP,
  /** Holds each portion back for a while, from here on. */
  DELAY,
  /** Forwards in small writes, from here on. */
  SPLIT,
  /** Stalls every connection, and new ones too, for a while. */
  PARTITION,
  /** Refuses new connections for a while. */
  REFUSE
}
