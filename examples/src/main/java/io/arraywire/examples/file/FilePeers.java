package io.arraywire.examples.file;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.TransportObserver;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a {@link FileReceiver} whose handshake is over. It serves at most {@value
 * #MOST} peers. One more ends the slowest of those that send no array, or send one at a trickle, so
 * that they cannot keep others out. It ends a connection that begins no array, or whose array
 * stalls. Any thread; connections are admitted and ended by one thread of its own.
 */
final class FilePeers implements TransportObserver, Closeable {
  static final int MOST = 64;

  private static final long SLOWEST_CHECK_MILLIS = 1000;

  private final Patience patience;
  private final BiConsumer<SocketAddress, IOException> strangers;
  private final ConcurrentMap<Connection, FilePeer> known = new ConcurrentHashMap<>();

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread made = new Thread(task, "file-peers");
            made.setDaemon(true);
            return made;
          });

  /** Of that thread. */
  private final List<FilePeer> served = new ArrayList<>();

  private volatile boolean closed;

  /**
   * Serves nobody yet.
   *
   * @param strangers told of connections that brought no file; any thread, also one that reads, so
   *     it must not wait
   */
  FilePeers(Patience patience, BiConsumer<SocketAddress, IOException> strangers) {
    this.patience = patience;
    this.strangers = strangers;
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    long least = Math.min(patience.stall().toMillis(), patience.idle().toMillis());
    long period = Math.max(1, Math.min(SLOWEST_CHECK_MILLIS, least / 4));
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(this::endStalled, period, period, TimeUnit.MILLISECONDS);
  }

  /** What is known of a connection. */
  FilePeer of(Connection connection) {
    return known.computeIfAbsent(connection, FilePeer::new);
  }

  @Override
  public void connectionOpened(Connection connection) {
    FilePeer peer = of(connection);
    try {
      // Not here: an observer holds up the thread that reads.
      thread.execute(() -> admit(peer));
    } catch (RejectedExecutionException e) {
      // The file is whole, and everything ends.
    }
  }

  private void admit(FilePeer peer) {
    removeClosed();
    if (!peer.connection.isOpen()) {
      return;
    }
    if (served.size() >= MOST && !makeRoom()) {
      // Of those that are turned away nobody is told: they may be many.
      boolean unused = peer.markTold();
      peer.connection.closeNow();
      return;
    }
    served.add(peer);
  }

  private void removeClosed() {
    served.removeIf(each -> !each.connection.isOpen());
  }

  /** An observer may hear of a connection after its handlers have heard of its end. */
  private void forgetClosed() {
    for (FilePeer each : known.values()) {
      boolean isClosed = !each.connection.isOpen();
      if (isClosed && each.seenClosed && each.stalledNanos() > patience.idle().toNanos()) {
        known.remove(each.connection, each);
      }
      each.seenClosed = isClosed;
    }
  }

  private boolean makeRoom() {
    // The slowest goes first, idle or not: else peers that trickle would have those that have just
    // come make room for each other.
    FilePeer slowest = null;
    long slowestNanos = 0;
    for (FilePeer each : served) {
      long nanos = each.pace.nanos();
      boolean mayGo = !each.isFilling() || nanos > patience.crowded().toNanos();
      if (mayGo && (slowest == null || nanos > slowestNanos)) {
        slowest = each;
        slowestNanos = nanos;
      }
    }
    if (slowest == null) {
      return false;
    }
    end(slowest, displaced(slowest));
    return true;
  }

  private ArraywireException displaced(FilePeer peer) {
    return peer.isFilling()
        ? new ConnectionLostException(
            ErrorCode.SLOW_PEER,
            "the peer sent its array too slowly and had to make room for others",
            "connections",
            MOST,
            "leastBytes",
            Pace.LEAST_BYTES,
            "time",
            patience.crowded())
        : new ConnectionLostException(
            ErrorCode.CONNECTION_RESET,
            "the peer sent nothing and had to make room for others",
            "connections",
            MOST);
  }

  private void endStalled() {
    removeClosed();
    forgetClosed();
    for (FilePeer each : List.copyOf(served)) {
      boolean filling = each.isFilling();
      Duration most = filling ? patience.stall() : patience.idle();
      if (each.stalledNanos() > most.toNanos()) {
        end(each, overdue(each, filling));
      }
    }
  }

  private ArraywireException overdue(FilePeer peer, boolean filling) {
    return filling
        ? new ConnectionLostException(
            ErrorCode.SLOW_PEER,
            "the peer sent next to nothing of its array for too long",
            "peer",
            peer.address(),
            "leastBytes",
            Pace.LEAST_BYTES,
            "stallTimeout",
            patience.stall())
        : new ConnectionLostException(
            ErrorCode.IDLE_TIMEOUT,
            "the peer sent no array for too long and did not go",
            "peer",
            peer.address(),
            "idleTimeout",
            patience.idle());
  }

  private void end(FilePeer peer, ArraywireException why) {
    served.remove(peer);
    tellOnce(peer, why);
    peer.connection.closeNow();
  }

  /** Reports why a connection fails, unless something was reported of it before. */
  void tellOnce(FilePeer peer, IOException why) {
    if (peer.markTold()) {
      tell(peer.connection, why);
    }
  }

  private void tell(Connection connection, IOException why) {
    if (!closed) {
      strangers.accept(connection.remoteAddress(), why);
    }
  }

  /** A connection has ended, after its last array. */
  void closed(Connection connection, @Nullable ArraywireException cause) {
    FilePeer peer = known.remove(connection);
    if (peer != null && !peer.markTold()) {
      return;
    }
    if (cause != null) {
      tell(connection, cause);
    } else {
      boolean began = peer != null && peer.hasBegun();
      tell(
          connection,
          new ConnectionLostException(
              ErrorCode.CONNECTION_RESET,
              began ? "the peer sent no whole array" : "the peer sent no array"));
    }
  }

  /** Admits and ends nobody any more, and tells nobody what becomes of connections. */
  @Override
  public void close() {
    closed = true;
    thread.shutdownNow();
  }
}
