package io.arraywire;

import io.arraywire.codec.CompressionReason;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of {@link TransportObserver}, for one or several transports.
 *
 * <p>Any thread. Counting takes no lock; {@link #load()} and {@link #snapshot()} take each open
 * connection's lock for a moment.
 */
public final class TransportCounters implements TransportObserver {
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final LongAdder connectionsOpened = new LongAdder();
  private final LongAdder arraysSent = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder arraysReceived = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();
  private final LongAdder wireBytesSent = new LongAdder();
  private final LongAdder wireBytesReceived = new LongAdder();
  private final LongAdder arraysAcknowledged = new LongAdder();
  private final LongAdder acknowledgementNanos = new LongAdder();
  private final LongAdder rejectedHere = new LongAdder();
  private final LongAdder rejectedByPeers = new LongAdder();
  private final LongAdder backPressureBegan = new LongAdder();
  private final LongAdder backPressureEnded = new LongAdder();
  private final LongAdder backPressureNanos = new LongAdder();
  private final LongAdder sessionsBroken = new LongAdder();
  private final LongAdder sessionsResumed = new LongAdder();
  private final LongAdder permissionsDenied = new LongAdder();
  private final Map<ErrorCode, LongAdder> errors = new ConcurrentHashMap<>();

  /** Has each {@link CompressionReason}, and does not change. */
  private final Map<CompressionReason, LongAdder> reasons = new EnumMap<>(CompressionReason.class);

  private TransportCounters() {
    for (CompressionReason reason : CompressionReason.values()) {
      reasons.put(reason, new LongAdder());
    }
  }

  /**
   * Makes counters, all at zero.
   *
   * @return new counters
   */
  public static TransportCounters create() {
    return new TransportCounters();
  }

  /**
   * All counters and gauges at one time. Each is exact; they are not read at the same instant.
   *
   * @param connectionsOpen connections that are open now
   * @param connectionsOpened connections that have opened
   * @param arraysSent arrays whose last byte the kernel has taken
   * @param bytesSent bytes of their elements, as they are in memory
   * @param arraysReceived arrays that a receive call or a handler was given
   * @param bytesReceived bytes of their elements, as they are in memory
   * @param arraysAcknowledged arrays that peers have acknowledged
   * @param acknowledgementNanos the sum of the times from a send to its acknowledgement, in
   *     nanoseconds
   * @param rejectedHere arrays that were refused here
   * @param rejectedByPeers arrays that peers have refused
   * @param backPressuredNow channels that are held up now, once for each cause
   * @param backPressured how often a channel was held up
   * @param backPressureNanos for how long altogether, in nanoseconds, without channels that are
   *     held up now
   * @param sessionsBroken how often the network connection under a session broke
   * @param sessionsResumed how often a session went on over another one
   * @param errors connections that failed, by code; no entry where there was none
   * @param load what waits in the open connections now
   */
  public record Snapshot(
      long connectionsOpen,
      long connectionsOpened,
      long arraysSent,
      long bytesSent,
      long arraysReceived,
      long bytesReceived,
      long arraysAcknowledged,
      long acknowledgementNanos,
      long rejectedHere,
      long rejectedByPeers,
      long backPressuredNow,
      long backPressured,
      long backPressureNanos,
      long sessionsBroken,
      long sessionsResumed,
      Map<ErrorCode, Long> errors,
      ConnectionLoad load) {

    /** Copies the map. */
    public Snapshot {
      errors = Map.copyOf(errors);
    }
  }

  /**
   * All counters and gauges.
   *
   * @return their values now
   */
  public Snapshot snapshot() {
    return snapshot(load());
  }

  /**
   * All that can be had without a lock: as {@link #snapshot()}, but without the load.
   *
   * @return their values now, with {@link ConnectionLoad#NONE}
   */
  public Snapshot counts() {
    return snapshot(ConnectionLoad.NONE);
  }

  private Snapshot snapshot(ConnectionLoad load) {
    Map<ErrorCode, Long> byCode = new EnumMap<>(ErrorCode.class);
    errors.forEach((code, count) -> byCode.put(code, count.sum()));
    // What has ended is read first, so that no more has ended than has begun.
    long ended = backPressureEnded.sum();
    long began = backPressureBegan.sum();
    return new Snapshot(
        open.size(),
        connectionsOpened.sum(),
        arraysSent.sum(),
        bytesSent.sum(),
        arraysReceived.sum(),
        bytesReceived.sum(),
        arraysAcknowledged.sum(),
        acknowledgementNanos.sum(),
        rejectedHere.sum(),
        rejectedByPeers.sum(),
        began - ended,
        began,
        backPressureNanos.sum(),
        sessionsBroken.sum(),
        sessionsResumed.sum(),
        byCode,
        load);
  }

  /**
   * How often a peer was refused a subscription that its identity may not have.
   *
   * @return the number
   */
  public long permissionsDenied() {
    return permissionsDenied.sum();
  }

  /**
   * Bytes of sent arrays on the connections, frame headers included. With compression it is less
   * than {@code bytesSent} of a snapshot.
   *
   * @return the number
   */
  public long wireBytesSent() {
    return wireBytesSent.sum();
  }

  /**
   * Bytes of received arrays on the connections, frame headers included.
   *
   * @return the number
   */
  public long wireBytesReceived() {
    return wireBytesReceived.sum();
  }

  /**
   * Arrays sent whose receipt has this {@linkplain Receipt#compression() reason}. An array that was
   * sent without a choice has none, and is not counted.
   *
   * @param reason why
   * @return the number
   */
  public long arraysSent(CompressionReason reason) {
    return counter(reason).sum();
  }

  /**
   * What waits in the open connections.
   *
   * @return the sum over them
   */
  public ConnectionLoad load() {
    ConnectionLoad sum = ConnectionLoad.NONE;
    for (Connection connection : open) {
      sum = sum.plus(connection.load());
    }
    return sum;
  }

  /**
   * The open connections, for example to {@linkplain Connection#describe() describe} them.
   *
   * @return an unmodifiable view
   */
  public Set<Connection> connections() {
    return Collections.unmodifiableSet(open);
  }

  private static long bytes(ArrayHeader header) {
    return (long) header.count() * header.type().bytes();
  }

  @Override
  public void connectionOpened(Connection connection) {
    connectionsOpened.increment();
    open.add(connection);
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    open.remove(connection);
  }

  @Override
  public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
    arraysSent.increment();
    bytesSent.add(bytes(header));
    wireBytesSent.add(receipt.wireBytes());
    CompressionReason reason = receipt.compression();
    if (reason != null) {
      counter(reason).increment();
    }
  }

  @Override
  public void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {
    arraysReceived.increment();
    bytesReceived.add(bytes(header));
    wireBytesReceived.add(receipt.wireBytes());
  }

  @Override
  public void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {
    arraysAcknowledged.increment();
    acknowledgementNanos.add(nanos);
  }

  @Override
  public void arrayRejected(Connection connection, Rejection rejection) {
    (rejection.byPeer() ? rejectedByPeers : rejectedHere).increment();
  }

  @Override
  public void backPressureBegan(Connection connection, BackPressure pressure) {
    backPressureBegan.increment();
  }

  @Override
  public void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {
    backPressureEnded.increment();
    backPressureNanos.add(nanos);
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    sessionsBroken.increment();
  }

  @Override
  public void sessionResumed(Connection connection) {
    sessionsResumed.increment();
  }

  @Override
  public void permissionDenied(Connection connection, ArraywireException denial) {
    permissionsDenied.increment();
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    errors.computeIfAbsent(error.code(), code -> new LongAdder()).increment();
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }

  private LongAdder counter(CompressionReason reason) {
    return Objects.requireNonNull(reasons.get(reason), "every reason has a counter");
  }
}
