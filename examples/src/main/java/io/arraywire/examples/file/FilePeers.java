package io.arraywire.examples.file;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a {@link FileReceiver}, a thread each. There are never more than {@value
 * #MOST}: one more ends the slowest of those that send no array, or send one at a trickle, so that
 * they cannot keep others out.
 */
final class FilePeers implements Closeable {
  static final int MOST = 64;

  /** A connection. */
  private static final class Peer {
    final SocketChannel channel;
    final SocketAddress address;
    final Pace pace = new Pace(System::nanoTime);
    volatile @Nullable Reception reception;

    /** Whether its place was given to another, and that was told. */
    volatile boolean isDisplaced;

    Peer(SocketChannel channel, SocketAddress address) {
      this.channel = channel;
      this.address = address;
    }

    boolean isIdle() {
      Reception greeted = reception;
      return greeted == null || !greeted.isFilling();
    }
  }

  /** Makes a connection of a channel, or closes it. */
  interface Greeting {
    FramedSocket greet(SocketChannel channel) throws IOException;
  }

  private final FileSlot slot;
  private final Greeting greeting;
  private final ReceiveTechnique technique;
  private final Duration crowded;
  private final BiConsumer<SocketAddress, IOException> strangers;
  private final Runnable over;

  // Guarded by this.
  private final List<Peer> peers = new ArrayList<>();
  private @Nullable ReceivedFile received;
  private @Nullable IOException failure;
  private boolean closed;

  FilePeers(
      FileSlot slot,
      Greeting greeting,
      ReceiveTechnique technique,
      Duration crowded,
      BiConsumer<SocketAddress, IOException> strangers,
      Runnable over) {
    this.slot = slot;
    this.greeting = greeting;
    this.technique = technique;
    this.crowded = crowded;
    this.strangers = strangers;
    this.over = over;
  }

  /** Begins to serve a peer. */
  void add(SocketChannel channel) throws IOException {
    Peer peer;
    try {
      peer = new Peer(channel, channel.getRemoteAddress());
    } catch (IOException e) {
      // It has gone already.
      channel.close();
      return;
    }
    if (!makeRoom()) {
      channel.close();
      return;
    }
    synchronized (this) {
      peers.add(peer);
    }
    Thread thread = new Thread(() -> serve(peer), "file-peer " + peer.address);
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized boolean makeRoom() throws IOException {
    if (peers.size() < MOST) {
      return true;
    }
    // The slowest goes first, idle or not: else peers that trickle would have those that have just
    // come make room for each other.
    Peer slowest = null;
    long slowestNanos = 0;
    for (Peer each : peers) {
      long nanos = each.pace.nanos();
      boolean mayGo = each.isIdle() || nanos > crowded.toNanos();
      if (mayGo && (slowest == null || nanos > slowestNanos)) {
        slowest = each;
        slowestNanos = nanos;
      }
    }
    if (slowest == null) {
      return false;
    }
    slowest.isDisplaced = true;
    peers.remove(slowest);
    // Here, since its thread may come to tell it only when the file has come and all is closed.
    strangers.accept(slowest.address, displaced(slowest));
    slowest.channel.close();
    return true;
  }

  private ArraywireException displaced(Peer peer) {
    return peer.isIdle()
        ? new ConnectionLostException(
            ErrorCode.CONNECTION_RESET,
            "the peer sent nothing and had to make room for others",
            "connections",
            MOST)
        : new ConnectionLostException(
            ErrorCode.SLOW_PEER,
            "the peer sent its array too slowly and had to make room for others",
            "connections",
            MOST,
            "leastBytes",
            Watchdog.LEAST_BYTES,
            "time",
            crowded);
  }

  private void serve(Peer peer) {
    Reception reception = null;
    IOException failed = null;
    try (FramedSocket socket = greeting.greet(peer.channel)) {
      reception = new Reception(socket, slot, technique, peer.pace, e -> noRoom(peer, e));
      peer.reception = reception;
      reception.run();
    } catch (IOException e) {
      failed = e;
    } catch (RuntimeException | Error e) {
      failed =
          new ArraywireException(
                  ErrorCode.INTERNAL, "failed in an unforeseen way", "cause", String.valueOf(e))
              .because(e);
    }
    synchronized (this) {
      peers.remove(peer);
      ReceivedFile file = reception == null ? null : reception.received();
      if (file != null) {
        // Whatever came after it: it is whole.
        received = file;
      } else if (closed || peer.isDisplaced) {
        return;
      } else if (failed == null) {
        strangers.accept(
            peer.address,
            new ConnectionLostException(ErrorCode.CONNECTION_RESET, "the peer sent no array"));
      } else if (failed instanceof ArraywireException) {
        strangers.accept(peer.address, failed);
      } else if (!(failed instanceof FullDiskException)) {
        // The file cannot be written at all, so no other peer would fare better.
        failure = failed;
      }
    }
    over.run();
  }

  /**
   * There is no room for a peer's array. Told before the peer is, which may stay: another one's
   * array may be whole in the meantime, and this side over.
   */
  private synchronized void noRoom(Peer peer, FullDiskException failed) {
    if (!closed && !peer.isDisplaced) {
      strangers.accept(peer.address, failed);
    }
  }

  /**
   * What has come.
   *
   * @return the file, or null if none has
   * @throws IOException if none can
   */
  synchronized @Nullable ReceivedFile received() throws IOException {
    if (received == null && failure != null) {
      throw failure;
    }
    return received;
  }

  /** Ends all connections. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    for (Peer peer : peers) {
      peer.channel.close();
    }
  }
}
