package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.TransportObserver;
import io.arraywire.security.Identity;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * What happens, as events of the JDK Flight Recorder, named {@code io.arraywire.*}. Only touched
 * where there is the module {@code jdk.jfr}.
 *
 * <p>Whether an event is enabled is asked of one event that is never committed: that allocates
 * nothing, and does not load the recorder.
 */
final class FlightRecords implements TransportObserver {
  private final ConnectionEvent anyConnection = new ConnectionEvent();
  private final ArraySentEvent anySent = new ArraySentEvent();
  private final ArrayReceivedEvent anyReceived = new ArrayReceivedEvent();
  private final ArrayAcknowledgedEvent anyAcknowledged = new ArrayAcknowledgedEvent();
  private final ArrayRejectedEvent anyRejected = new ArrayRejectedEvent();
  private final BackPressureEvent anyBackPressure = new BackPressureEvent();
  private final ErrorEvent anyError = new ErrorEvent();

  /** What has begun and not ended, while the recorder records. */
  private final Map<Connection, ConnectionEvent> open = new ConcurrentHashMap<>(0);

  private final Map<HeldUp, BackPressureEvent> heldUp = new ConcurrentHashMap<>(0);

  private record HeldUp(Connection connection, BackPressure pressure) {}

  private FlightRecords() {}

  static @Nullable FlightRecords ifPresent() {
    try {
      return FlightRecorder.isPresent() ? new FlightRecords() : null;
    } catch (RuntimeException | LinkageError e) {
      // Events are worth less than connections.
      return null;
    }
  }

  boolean seesConnections() {
    return anyConnection.isEnabled() || !open.isEmpty();
  }

  boolean seesSent() {
    return anySent.isEnabled();
  }

  boolean seesReceived() {
    return anyReceived.isEnabled();
  }

  boolean seesAcknowledged() {
    return anyAcknowledged.isEnabled();
  }

  boolean seesRejected() {
    return anyRejected.isEnabled();
  }

  boolean seesBackPressure() {
    return anyBackPressure.isEnabled();
  }

  boolean seesErrors() {
    return anyError.isEnabled();
  }

  @Override
  public void connectionOpened(Connection connection) {
    ConnectionEvent event = new ConnectionEvent();
    event.begin();
    open.put(connection, event);
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    ConnectionEvent begun = open.remove(connection);
    ConnectionEvent event = begun == null ? new ConnectionEvent() : begun;
    event.end();
    if (event.shouldCommit()) {
      event.peer = peer(connection);
      event.local = String.valueOf(connection.localAddress());
      event.encoding = connection.agreement().sendEncoding();
      event.strategy = connection.agreement().sendCodec();
      event.cause = cause == null ? null : cause.getMessage();
      event.identity = name(connection);
      event.commit();
    }
  }

  private static @Nullable String name(Connection connection) {
    Identity identity = connection.agreement().identity();
    return identity == null ? null : identity.name();
  }

  @Override
  public void permissionDenied(Connection connection, ArraywireException denial) {
    PermissionDeniedEvent event = new PermissionDeniedEvent();
    event.peer = peer(connection);
    event.identity = name(connection);
    event.message = denial.getMessage();
    event.commit();
  }

  @Override
  public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
    ArraySentEvent event = new ArraySentEvent();
    event.fill(connection, header);
    event.wireBytes = receipt.wireBytes();
    event.copiedBytes = receipt.copiedBytes();
    event.channelOperations = receipt.channelOperations();
    event.commit();
  }

  @Override
  public void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {
    ArrayReceivedEvent event = new ArrayReceivedEvent();
    event.fill(connection, header);
    event.wireBytes = receipt.wireBytes();
    event.copiedBytes = receipt.copiedBytes();
    event.channelOperations = receipt.channelOperations();
    event.commit();
  }

  @Override
  public void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {
    ArrayAcknowledgedEvent event = new ArrayAcknowledgedEvent();
    event.fill(connection, header);
    event.acknowledgedAfter = nanos;
    event.commit();
  }

  @Override
  public void arrayRejected(Connection connection, Rejection rejection) {
    ArrayRejectedEvent event = new ArrayRejectedEvent();
    event.peer = peer(connection);
    event.channel = rejection.channel();
    event.sequence = rejection.sequence();
    event.byPeer = rejection.byPeer();
    event.code = rejection.reason().code().name();
    event.reason = rejection.reason().getMessage();
    event.commit();
  }

  @Override
  public void backPressureBegan(Connection connection, BackPressure pressure) {
    BackPressureEvent event = new BackPressureEvent();
    event.begin();
    heldUp.put(new HeldUp(connection, pressure), event);
  }

  @Override
  public void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {
    BackPressureEvent event = heldUp.remove(new HeldUp(connection, pressure));
    if (event == null) {
      return;
    }
    event.end();
    if (event.shouldCommit()) {
      event.peer = peer(connection);
      event.channel = pressure.channel();
      event.cause = pressure.cause().name();
      event.commit();
    }
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    SessionBrokenEvent event = new SessionBrokenEvent();
    event.peer = peer(connection);
    event.cause = cause.getMessage();
    event.commit();
  }

  @Override
  public void sessionResumed(Connection connection) {
    SessionResumedEvent event = new SessionResumedEvent();
    event.peer = peer(connection);
    event.commit();
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    ErrorEvent event = new ErrorEvent();
    event.peer = peer(connection);
    event.code = error.code().name();
    event.message = error.getMessage();
    event.commit();
  }

  private static String peer(Connection connection) {
    return String.valueOf(connection.remoteAddress());
  }

  @Category("Arraywire")
  @StackTrace(false)
  abstract static class PeerEvent extends Event {
    @Label("Peer")
    @Nullable String peer;
  }

  abstract static class ArrayEvent extends PeerEvent {
    @Label("Channel")
    int channel;

    @Label("Sequence")
    long sequence;

    @Label("Tag")
    long tag;

    @Label("Element Type")
    @Nullable String elementType;

    @Label("Elements")
    int elements;

    final void fill(Connection connection, ArrayHeader header) {
      peer = peer(connection);
      channel = header.channel();
      sequence = header.sequence();
      tag = header.attributes().tag();
      elementType = header.type().typeName();
      elements = header.count();
    }
  }

  abstract static class MovedEvent extends ArrayEvent {
    @Label("Bytes on the Wire")
    @DataAmount
    long wireBytes;

    @Label("Copied Bytes")
    @Description("Bytes copied in user space, -1 if not known")
    @DataAmount
    long copiedBytes;

    @Label("Channel Operations")
    @Description("System calls that moved bytes of the array")
    long channelOperations;
  }

  @Name("io.arraywire.Connection")
  @Label("Connection")
  @Description("From the end of the handshake to the end of the connection")
  static final class ConnectionEvent extends PeerEvent {
    @Label("Local Address")
    @Nullable String local;

    @Label("Encoding Sent")
    @Description("The encoding in which this end sends by default")
    @Nullable String encoding;

    @Label("Codec")
    @Description("The codec with which this end sends by default")
    @Nullable String strategy;

    @Label("Identity")
    @Description("Who the peer is, at the end that accepted it; null if that is not known")
    @Nullable String identity;

    @Label("Cause")
    @Description("Why it failed; null if it ended in an orderly way")
    @Nullable String cause;
  }

  @Name("io.arraywire.ArraySent")
  @Label("Array Sent")
  @Description("The kernel took the last byte of an array")
  static final class ArraySentEvent extends MovedEvent {}

  @Name("io.arraywire.ArrayReceived")
  @Label("Array Received")
  @Description("A receive call or a handler took an array")
  static final class ArrayReceivedEvent extends MovedEvent {}

  @Name("io.arraywire.ArrayAcknowledged")
  @Label("Array Acknowledged")
  @Description("The peer has processed an array")
  static final class ArrayAcknowledgedEvent extends ArrayEvent {
    @Label("Acknowledged After")
    @Description("Since the array was accepted to be sent")
    @Timespan(Timespan.NANOSECONDS)
    long acknowledgedAfter;
  }

  @Name("io.arraywire.ArrayRejected")
  @Label("Array Rejected")
  @Description("An array was refused, here or by the peer")
  static final class ArrayRejectedEvent extends PeerEvent {
    @Label("Channel")
    int channel;

    @Label("Sequence")
    long sequence;

    @Label("Rejected by Peer")
    boolean byPeer;

    @Label("Code")
    @Nullable String code;

    @Label("Reason")
    @Nullable String reason;
  }

  @Name("io.arraywire.BackPressure")
  @Label("Back-Pressure")
  @Description("Arrays to be sent on a channel were held up")
  static final class BackPressureEvent extends PeerEvent {
    @Label("Channel")
    int channel;

    @Label("Cause")
    @Nullable String cause;
  }

  @Name("io.arraywire.SessionBroken")
  @Label("Session Broken")
  @Description("The connection of a session broke; the session goes on over another one if it can")
  static final class SessionBrokenEvent extends PeerEvent {
    @Label("Cause")
    @Nullable String cause;
  }

  @Name("io.arraywire.SessionResumed")
  @Label("Session Resumed")
  @Description("A session goes on over another connection")
  static final class SessionResumedEvent extends PeerEvent {}

  @Name("io.arraywire.PermissionDenied")
  @Label("Permission Denied")
  @Description("A peer tried something that its identity does not permit")
  static final class PermissionDeniedEvent extends PeerEvent {
    @Label("Identity")
    @Nullable String identity;

    @Label("Message")
    @Nullable String message;
  }

  @Name("io.arraywire.Error")
  @Label("Error")
  @Description("A connection failed")
  static final class ErrorEvent extends PeerEvent {
    @Label("Code")
    @Nullable String code;

    @Label("Message")
    @Nullable String message;
  }
}
