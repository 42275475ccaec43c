package io.arraywire.security;

import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;

/**
 * How many peers the listeners of a transport take: the value of {@link
 * TransportOptions#acceptLimits()}. Immutable; each method with an argument returns another value.
 * Any thread.
 *
 * <p>All listeners of a transport count together. A peer over a limit is refused with {@link
 * ErrorCode#TOO_MANY_CONNECTIONS} and the limit's name, at both ends; peers that are connected
 * notice nothing. Over TLS the refused peer hears the code alone, before any handshake. In plain
 * mode, and when more than a hundred a second are refused, it only sees that its connection is
 * closed. Connections that this side makes are not counted.
 *
 * <p>An address is an IPv4 address, or the first 64 bits of an IPv6 address, since one host may
 * have all addresses that share them. Peers of Unix domain sockets have none, so the limits per
 * address do not hold for them.
 *
 * @param connections the most connections at a time
 * @param connectionsPerAddress the most connections at a time of one address
 * @param connectsPerSecond the most new connections in a second, which may all come at once; a
 *     single address gets half of it
 * @param handshakes the most connections at a time whose handshake is not over
 * @param handshakesPerAddress the same of one address
 * @param failuresPerMinute how many handshakes of one address may fail in a minute, by wrong tokens
 *     or by silence for example. Half of them may fail at once. If more fail because they were let
 *     in together, the address waits correspondingly longer. Ten times as many peers may come that
 *     have no version or encoding in common with this side, or do not trust its certificate
 * @param sessions the most sessions that are kept; fewer if the heap has less than 32 KiB for each
 * @param sessionsPerAddress the same of one address, the one that has opened them
 */
public record AcceptLimits(
    int connections,
    int connectionsPerAddress,
    int connectsPerSecond,
    int handshakes,
    int handshakesPerAddress,
    int failuresPerMinute,
    int sessions,
    int sessionsPerAddress) {
  private enum Limit {
    CONNECTIONS,
    CONNECTIONS_PER_ADDRESS,
    CONNECTS_PER_SECOND,
    HANDSHAKES,
    HANDSHAKES_PER_ADDRESS,
    FAILURES_PER_MINUTE,
    SESSIONS,
    SESSIONS_PER_ADDRESS
  }

  private static final AcceptLimits DEFAULTS =
      new AcceptLimits(20_000, 5000, 1000, 1000, 500, 300, 65_536, 5000);
  private static final AcceptLimits NONE =
      new AcceptLimits(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  /**
   * Checks each limit.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public AcceptLimits {
    Least.check("connections", connections, 1);
    Least.check("connectionsPerAddress", connectionsPerAddress, 1);
    Least.check("connectsPerSecond", connectsPerSecond, 1);
    Least.check("handshakes", handshakes, 1);
    Least.check("handshakesPerAddress", handshakesPerAddress, 1);
    Least.check("failuresPerMinute", failuresPerMinute, 1);
    Least.check("sessions", sessions, 1);
    Least.check("sessionsPerAddress", sessionsPerAddress, 1);
  }

  /**
   * Limits that no service of usual size reaches and that keep one host from taking all of it.
   *
   * @return the defaults
   */
  public static AcceptLimits defaults() {
    return DEFAULTS;
  }

  /**
   * No limits, for measurements and for listeners that only trusted peers can reach.
   *
   * @return {@link Integer#MAX_VALUE} for each
   */
  public static AcceptLimits none() {
    return NONE;
  }

  /**
   * The same with another limit.
   *
   * @param number the most connections at a time; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits connections(int number) {
    return with(Limit.CONNECTIONS, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the most connections at a time of one address; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits connectionsPerAddress(int number) {
    return with(Limit.CONNECTIONS_PER_ADDRESS, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the most new connections in a second, which may all come at once; a single
   *     address gets half of it; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits connectsPerSecond(int number) {
    return with(Limit.CONNECTS_PER_SECOND, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the most connections at a time whose handshake is not over; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits handshakes(int number) {
    return with(Limit.HANDSHAKES, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the same of one address; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits handshakesPerAddress(int number) {
    return with(Limit.HANDSHAKES_PER_ADDRESS, number);
  }

  /**
   * The same with another limit.
   *
   * @param number how many handshakes of one address may fail in a minute, wrong tokens for
   *     example; half of them at once; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits failuresPerMinute(int number) {
    return with(Limit.FAILURES_PER_MINUTE, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the most sessions that are kept; fewer if the heap has less than 32 KiB for each;
   *     at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits sessions(int number) {
    return with(Limit.SESSIONS, number);
  }

  /**
   * The same with another limit.
   *
   * @param number the same of one address, the one that has opened them; at least 1
   * @return the other value
   * @throws IllegalArgumentException if the number is less than 1
   */
  public AcceptLimits sessionsPerAddress(int number) {
    return with(Limit.SESSIONS_PER_ADDRESS, number);
  }

  private AcceptLimits with(Limit changed, int number) {
    return new AcceptLimits(
        changed == Limit.CONNECTIONS ? number : connections,
        changed == Limit.CONNECTIONS_PER_ADDRESS ? number : connectionsPerAddress,
        changed == Limit.CONNECTS_PER_SECOND ? number : connectsPerSecond,
        changed == Limit.HANDSHAKES ? number : handshakes,
        changed == Limit.HANDSHAKES_PER_ADDRESS ? number : handshakesPerAddress,
        changed == Limit.FAILURES_PER_MINUTE ? number : failuresPerMinute,
        changed == Limit.SESSIONS ? number : sessions,
        changed == Limit.SESSIONS_PER_ADDRESS ? number : sessionsPerAddress);
  }
}
