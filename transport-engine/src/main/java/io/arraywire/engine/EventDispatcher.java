package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Receipt;
import io.arraywire.TransportObserver;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of what happens on one connection: the user's observer, and the JDK Flight Recorder if it
 * records.
 *
 * <p>Any thread. An event is noted where it happens, mostly under the connection's lock, and
 * reported by {@link #flush()}, which is called without any lock. Reports come in order, by one
 * thread at a time. Where nobody watches, nothing is allocated and no clock is read.
 */
final class EventDispatcher {
  /** Null where the JDK has no Flight Recorder, or this module does not see it. */
  private static final @Nullable FlightRecords FLIGHT = FlightRecords.ifPresent();

  private final EngineContext context;
  private final @Nullable TransportObserver observer;

  /** What is still to be told, once there was something. */
  private volatile @Nullable Events noted;

  /** What users have in hand. */
  private volatile Connection face;

  private volatile boolean session;

  EventDispatcher(EngineContext context, Connection connection) {
    this.context = context;
    observer = context.options().observer();
    face = connection;
  }

  /** Notes an event for observers. */
  private void note(@Nullable FlightRecords records, Consumer<TransportObserver> event) {
    TransportObserver user = observer;
    events()
        .add(() -> {
          if (records != null) {
            event.accept(records);
          }
          if (user != null) {
            try {
              event.accept(user);
            } catch (RuntimeException | Error thrown) {
              context.observerFailed(thrown);
            }
          }
        });
  }

  /** Tells what was noted, unless another thread does. Not with a lock held. */
  void flush() {
    Events events = noted;
    if (events == null || events.isEmpty() || events.telling.getAndIncrement() != 0) {
      return;
    }
    int missed = 1;
    do {
      for (Runnable event = events.poll(); event != null; event = events.poll()) {
        tell(event);
      }
      missed = events.telling.addAndGet(-missed);
    } while (missed != 0);
  }

  /** Nobody is left to be told that the Flight Recorder or a logger failed; others are told on. */
  @SuppressWarnings("EmptyCatch")
  private static void tell(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | Error thrown) {
      // The observer's own failures were logged before they come here.
    }
  }

  private Events events() {
    Events events = noted;
    if (events == null) {
      synchronized (this) {
        events = noted;
        if (events == null) {
          events = new Events();
          noted = events;
        }
      }
    }
    return events;
  }

  /** Events in order, and how many threads have wanted to tell them. */
  private static final class Events extends ConcurrentLinkedQueue<Runnable> {
    private static final long serialVersionUID = 1;
    private final AtomicInteger telling = new AtomicInteger();
  }

  // What happens.

  /** Whether it matters how long an acknowledgement takes. */
  boolean timesSends() {
    return observer != null || (FLIGHT != null && FLIGHT.seesAcknowledged());
  }

  /** The handshake is over. Under the lock. */
  void opened(Connection connection, boolean ofSession, boolean resumes) {
    face = connection;
    session = ofSession;
    FlightRecords records = FLIGHT != null && FLIGHT.seesConnections() ? FLIGHT : null;
    if (!resumes && (observer != null || records != null)) {
      note(records, to -> to.connectionOpened(connection));
    }
  }

  /** The session goes on here; what carried it before was told of as broken. */
  void resumed() {
    FlightRecords records = FLIGHT != null && FLIGHT.seesConnections() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      note(records, to -> to.sessionResumed(connection));
    }
  }

  /** The connection that users have in hand ended. */
  void ended(ArraywireException cause, boolean wasOpen) {
    boolean orderly = cause instanceof ConnectionClosedException;
    Connection connection = face;
    if (!orderly) {
      FlightRecords records = FLIGHT != null && FLIGHT.seesErrors() ? FLIGHT : null;
      if (observer != null || records != null) {
        note(records, to -> to.error(connection, cause));
      }
    }
    FlightRecords records = FLIGHT != null && FLIGHT.seesConnections() ? FLIGHT : null;
    if (wasOpen && (observer != null || records != null)) {
      note(records, to -> to.connectionClosed(connection, orderly ? null : cause));
    }
  }

  /** Whether the end of this connection is not that of what users have in hand. */
  boolean isOfSession() {
    return session;
  }

  void broken(ArraywireException cause) {
    FlightRecords records = FLIGHT != null && FLIGHT.seesConnections() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      note(records, to -> to.sessionBroken(connection, cause));
    }
  }

  /** The kernel took the last byte. The writing thread's, and under the lock. */
  void sent(OutboundArray transfer) {
    FlightRecords records = FLIGHT != null && FLIGHT.seesSent() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      ArrayHeader header = transfer.header();
      Receipt receipt = transfer.receipt();
      note(records, to -> to.arraySent(connection, header, receipt));
    }
  }

  /** The peer has processed an array, and it was told of as sent. Under the lock. */
  void acknowledged(OutboundArray transfer) {
    if (transfer.acceptedAt == 0) {
      return;
    }
    FlightRecords records = FLIGHT != null && FLIGHT.seesAcknowledged() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      ArrayHeader header = transfer.header();
      long nanos = System.nanoTime() - transfer.acceptedAt;
      note(records, to -> to.arrayAcknowledged(connection, header, nanos));
    }
  }

  /** Whether anybody wants to know of arrays that come. */
  boolean seesReceived() {
    return observer != null || (FLIGHT != null && FLIGHT.seesReceived());
  }

  void received(ArrayHeader header, Receipt receipt) {
    FlightRecords records = FLIGHT != null && FLIGHT.seesReceived() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      note(records, to -> to.arrayReceived(connection, header, receipt));
    }
  }

  void rejected(int channel, long sequence, boolean byPeer, ArraywireException reason) {
    FlightRecords records = FLIGHT != null && FLIGHT.seesRejected() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      Rejection rejection = new Rejection(channel, sequence, byPeer, reason);
      note(records, to -> to.arrayRejected(connection, rejection));
    }
  }

  /** The peer tried what its identity may not. */
  void denied(ArraywireException denial) {
    FlightRecords records = FLIGHT != null && FLIGHT.seesErrors() ? FLIGHT : null;
    if (observer != null || records != null) {
      Connection connection = face;
      note(records, to -> to.permissionDenied(connection, denial));
    }
  }

  /** A channel is held up. Under the lock. */
  void heldUp(OutboundChannel channel, BackPressure.Cause cause) {
    boolean before =
        (cause == BackPressure.Cause.CREDIT ? channel.creditlessSince : channel.fullSince) != 0;
    FlightRecords records = FLIGHT != null && FLIGHT.seesBackPressure() ? FLIGHT : null;
    if (before || (observer == null && records == null)) {
      return;
    }
    long now = System.nanoTime() | 1;
    if (cause == BackPressure.Cause.CREDIT) {
      channel.creditlessSince = now;
    } else {
      channel.fullSince = now;
    }
    Connection connection = face;
    BackPressure pressure = new BackPressure(ChannelId.seen(channel.id), cause);
    note(records, to -> to.backPressureBegan(connection, pressure));
  }

  /** A channel is no longer held up, if it was. Under the lock. */
  void goesOn(OutboundChannel channel, BackPressure.Cause cause) {
    long since = cause == BackPressure.Cause.CREDIT ? channel.creditlessSince : channel.fullSince;
    if (since == 0) {
      return;
    }
    if (cause == BackPressure.Cause.CREDIT) {
      channel.creditlessSince = 0;
    } else {
      channel.fullSince = 0;
    }
    long nanos = System.nanoTime() - since;
    Connection connection = face;
    BackPressure pressure = new BackPressure(ChannelId.seen(channel.id), cause);
    // Also where the recording has been stopped meanwhile: what had begun must not stay open.
    note(FLIGHT, to -> to.backPressureEnded(connection, pressure, nanos));
  }
}
