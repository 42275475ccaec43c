package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.security.AcceptLimits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the peers that listeners have accepted, and says which ones are over a limit. Any thread;
 * called a few times for each connection, and calls nothing with its monitor.
 */
final class Admission {
  private static final long SECOND = 1_000_000_000L;

  /** So many refused peers a second are told why; the others are only closed. */
  private static final int TOLD_PER_SECOND = 100;

  /** Addresses without a connection are forgotten when there are more than so many. */
  private static final int MOST_ADDRESSES = 16_384;

  /**
   * An address may have so many misfits for each failure that it may have. An old program that
   * connects again every second must not lock its neighbours out.
   */
  private static final int MISFITS_PER_FAILURE = 10;

  private static final int LINES = 10;
  private static final double LINES_PER_SECOND = 0.2;

  /** Of all addresses together, since one attacker may have many of them. */
  private static final int ALL_LINES = 200;

  private static final double ALL_LINES_PER_SECOND = 20;

  /** What is known of one address. */
  private static final class Address {
    int connections;
    int handshakes;
    int sessions;
    final Bucket connects;
    final Bucket failures;
    final Bucket misfits;
    final LogThrottle lines;

    Address(AcceptLimits limits, LongSupplier clock) {
      int perSecond = connectsOfEach(limits);
      connects = new Bucket(perSecond, perSecond, clock);
      failures = ofMinute(limits.failuresPerMinute(), clock);
      misfits = ofMinute(misfitsPerMinute(limits), clock);
      lines = new LogThrottle(LINES, LINES_PER_SECOND, clock);
    }

    boolean isIdle() {
      return connections == 0
          && handshakes == 0
          && sessions == 0
          && connects.isFull()
          && failures.isFull()
          && misfits.isFull();
    }

    /** Half of a minute's come at once. */
    private static Bucket ofMinute(int most, LongSupplier clock) {
      return new Bucket(Math.max(1, most / 2), most / 60.0, clock);
    }
  }

  /** One host alone must not use up what there is for all. */
  private static int connectsOfEach(AcceptLimits limits) {
    return Math.max(1, limits.connectsPerSecond() / 2);
  }

  private static int misfitsPerMinute(AcceptLimits limits) {
    return (int)
        Math.min(Integer.MAX_VALUE, (long) MISFITS_PER_FAILURE * limits.failuresPerMinute());
  }

  /** So many at once, and so many more each second. */
  private static final class Bucket {
    private final int most;
    private final double perSecond;
    private final LongSupplier clock;
    private double left;
    private long then;

    Bucket(int most, double perSecond, LongSupplier clock) {
      this.most = most;
      this.perSecond = perSecond;
      this.clock = clock;
      left = most;
      then = clock.getAsLong();
    }

    private void fill() {
      long now = clock.getAsLong();
      left = Math.min(most, left + (now - then) / (double) SECOND * perSecond);
      then = now;
    }

    boolean has() {
      fill();
      return left >= 1;
    }

    boolean isFull() {
      fill();
      return left >= most;
    }

    /** Takes one, perhaps on credit: then there is none until that many have come again. */
    void take() {
      fill();
      left--;
    }
  }

  private final AcceptLimits limits;

  /** For peers that have no address. */
  private final LogThrottle linesOfOthers;

  private final LogThrottle lines;

  private final LongSupplier clock;

  @GuardedBy("this")
  private final Map<Object, Address> addresses = new HashMap<>();

  @GuardedBy("this")
  private final Bucket connects;

  @GuardedBy("this")
  private final Bucket told;

  @GuardedBy("this")
  private int connections;

  @GuardedBy("this")
  private int handshakes;

  @GuardedBy("this")
  private int sessions;

  /** When addresses were last looked through for those that can be forgotten. */
  @GuardedBy("this")
  private long lookedThrough;

  /**
   * Counts nobody yet.
   *
   * @param clock nanoseconds that only grow
   */
  Admission(AcceptLimits limits, LongSupplier clock) {
    this.limits = limits;
    this.clock = clock;
    linesOfOthers = new LogThrottle(LINES, LINES_PER_SECOND, clock);
    lines = new LogThrottle(ALL_LINES, ALL_LINES_PER_SECOND, clock);
    int perSecond = limits.connectsPerSecond();
    connects = new Bucket(perSecond, perSecond, clock);
    told = new Bucket(TOLD_PER_SECOND, TOLD_PER_SECOND, clock);
    lookedThrough = clock.getAsLong() - SECOND;
  }

  /** Why a peer that was accepted is refused; null if it is not, and is counted from now on. */
  synchronized @Nullable NoRoomException admit(SocketAddress peer) {
    Address address = address(peer);
    NoRoomException refusal = refusal(address, peer);
    if (refusal == null) {
      connects.take();
      connections++;
      handshakes++;
      if (address != null) {
        address.connects.take();
        address.connections++;
        address.handshakes++;
      }
    }
    return refusal;
  }

  @GuardedBy("this")
  private @Nullable NoRoomException refusal(@Nullable Address address, SocketAddress peer) {
    if (address != null && !address.failures.has()) {
      return over(
          "too many handshakes of this address failed, and it has to wait",
          "failuresPerMinute",
          limits.failuresPerMinute(),
          peer);
    }
    if (address != null && !address.misfits.has()) {
      return over(
          "too many peers of this address had no version or encoding in common with this side, or"
              + " refused it, and it has to wait",
          "failuresPerMinute",
          misfitsPerMinute(limits),
          peer);
    }
    if (address != null && address.connections >= limits.connectionsPerAddress()) {
      return over(
          "this address has too many connections",
          "connectionsPerAddress",
          limits.connectionsPerAddress(),
          peer);
    }
    if (address != null && address.handshakes >= limits.handshakesPerAddress()) {
      return over(
          "this address has too many unfinished handshakes",
          "handshakesPerAddress",
          limits.handshakesPerAddress(),
          peer);
    }
    if (address != null && !address.connects.has()) {
      return over(
          "this address makes too many new connections at a time",
          "connectsPerSecond",
          connectsOfEach(limits),
          peer);
    }
    if (connections >= limits.connections()) {
      return over("there are too many connections", "connections", limits.connections(), peer);
    }
    if (handshakes >= limits.handshakes()) {
      return over(
          "there are too many unfinished handshakes", "handshakes", limits.handshakes(), peer);
    }
    if (!connects.has()) {
      return over(
          "there are too many new connections at a time",
          "connectsPerSecond",
          limits.connectsPerSecond(),
          peer);
    }
    return null;
  }

  private static NoRoomException over(String what, String limit, int most, SocketAddress peer) {
    return new NoRoomException(
        ErrorCode.TOO_MANY_CONNECTIONS,
        what + "; connect again later, or raise acceptLimits at the listener",
        "limit",
        limit,
        "most",
        most,
        "peer",
        peer);
  }

  /** Whether a peer that is refused is to be told so. */
  synchronized boolean tells() {
    boolean tells = told.has();
    if (tells) {
      told.take();
    }
    return tells;
  }

  /** A peer's handshake is over. */
  synchronized void handshakeOver(SocketAddress peer, PeerFault fault) {
    handshakes--;
    Address address = address(peer);
    if (address != null) {
      address.handshakes--;
      // As many may fail as were let in together, and all of them are to be paid for.
      if (fault == PeerFault.DENIED) {
        address.failures.take();
      } else if (fault == PeerFault.MISFIT) {
        address.misfits.take();
      }
    }
  }

  /** The connection of a peer that was admitted has ended. */
  synchronized void ended(SocketAddress peer) {
    connections--;
    Address address = address(peer);
    if (address != null) {
      address.connections--;
    }
  }

  /**
   * A peer wants a session.
   *
   * @param mostOfHeap how many sessions the heap has room for
   * @throws NoRoomException if there are too many; else it is counted from now on
   */
  synchronized void opensSession(SocketAddress peer, long mostOfHeap) throws NoRoomException {
    Address address = address(peer);
    if (address != null && address.sessions >= limits.sessionsPerAddress()) {
      throw over(
          "this address has too many sessions",
          "sessionsPerAddress",
          limits.sessionsPerAddress(),
          peer);
    }
    int most = (int) Math.min(limits.sessions(), mostOfHeap);
    if (sessions >= most) {
      throw over("there are too many sessions", "sessions", most, peer);
    }
    sessions++;
    if (address != null) {
      address.sessions++;
    }
  }

  /** A session is kept no longer that a peer from there has opened. */
  synchronized void sessionOver(SocketAddress peer) {
    sessions--;
    Address address = address(peer);
    if (address != null) {
      address.sessions--;
    }
  }

  /**
   * How many lines about peers that were not accepted were held back before one that is to be
   * logged now, or {@link LogThrottle#HELD_BACK}.
   */
  long before(SocketAddress peer) {
    Address address;
    synchronized (this) {
      address = address(peer);
    }
    long ofAddress = (address == null ? linesOfOthers : address.lines).before();
    if (ofAddress == LogThrottle.HELD_BACK) {
      return ofAddress;
    }
    long ofAll = lines.before();
    if (ofAll == LogThrottle.HELD_BACK) {
      lines.heldBack(ofAddress);
      return ofAll;
    }
    return ofAddress + ofAll;
  }

  /** How many addresses are known. */
  synchronized int addresses() {
    return addresses.size();
  }

  /** Null for a peer without an address. */
  @GuardedBy("this")
  private @Nullable Address address(SocketAddress peer) {
    Object key = key(peer);
    if (key == null) {
      return null;
    }
    Address known = addresses.get(key);
    if (known == null) {
      if (addresses.size() >= MOST_ADDRESSES && clock.getAsLong() - lookedThrough >= SECOND) {
        lookedThrough = clock.getAsLong();
        addresses.values().removeIf(Address::isIdle);
      }
      known = new Address(limits, clock);
      addresses.put(key, known);
    }
    return known;
  }

  /** What peers are counted by; null for one without an address. */
  static @Nullable Object key(SocketAddress peer) {
    InetAddress address = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(address.getAddress()).getLong()
        : address;
  }
}
