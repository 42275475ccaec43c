package io.arraywire.examples.file;

import io.arraywire.Connection;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A connection of a {@link FileReceiver}, and how fast it sends. Any thread. */
final class FilePeer {

  /** How an array arrives. */
  final class Arrival {
    private final Pace own = new Pace(System::nanoTime);

    private Arrival() {}

    /** Bytes have come. */
    void moved(long bytes) {
      pace.moved(bytes);
      own.moved(bytes);
    }

    /** All have, or no more will. Perhaps after the next array has begun. */
    void end() {
      idleSince = System.nanoTime();
      arriving.compareAndSet(this, null);
    }
  }

  final Connection connection;

  /** Since the connection opened, over all its arrays. */
  final Pace pace = new Pace(System::nanoTime);

  /** One at a time, since there is one channel. */
  private final AtomicReference<@Nullable Arrival> arriving = new AtomicReference<>();

  /** Since when no array has been arriving; of no meaning while one is. */
  private volatile long idleSince = System.nanoTime();

  private volatile boolean begun;
  private final AtomicBoolean told = new AtomicBoolean();

  /** Whether it was found closed before; of the thread that looks after peers. */
  boolean seenClosed;

  FilePeer(Connection connection) {
    this.connection = connection;
  }

  SocketAddress address() {
    return connection.remoteAddress();
  }

  /** An array begins to arrive. */
  Arrival begin() {
    begun = true;
    Arrival arrival = new Arrival();
    arriving.set(arrival);
    return arrival;
  }

  boolean isFilling() {
    return arriving.get() != null;
  }

  /** Whether it ever began an array. */
  boolean hasBegun() {
    return begun;
  }

  /** Marks the end of this connection as reported; returns false if it was reported before. */
  boolean markTold() {
    return told.compareAndSet(false, true);
  }

  /** For how long next to nothing of its array has come, or it has begun none. */
  long stalledNanos() {
    Arrival arrival = arriving.get();
    return arrival == null ? System.nanoTime() - idleSince : arrival.own.waitingNanos();
  }
}
