package io.arraywire.nio;

import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Peers of one listener that were accepted and wait until their event loop makes their connections.
 * A flood of them shares the loop with the peers that are connected: they all have a turn in
 * between.
 */
final class NewPeers extends LoopWork {
  /** A turn ends when it has taken this long. */
  static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int ANY = 1;

  private final EventLoop loop;
  private final Consumer<SocketChannel> make;
  private final Queue<SocketChannel> waiting = new ConcurrentLinkedQueue<>();
  private final Making making = new Making();

  /**
   * Waits for nobody yet.
   *
   * @param make makes a peer's connection, on the loop, or closes its channel; throws nothing
   */
  NewPeers(EventLoop loop, Consumer<SocketChannel> make) {
    this.loop = loop;
    this.make = make;
  }

  /** Adds a peer. */
  void add(SocketChannel peer) {
    waiting.add(peer);
    loop.ask(this, ANY);
  }

  /** Closes the channels of those that wait. Nobody may be added any more; any thread. */
  void close() {
    for (SocketChannel peer = waiting.poll(); peer != null; peer = waiting.poll()) {
      NioAcceptor.closeQuietly(peer);
    }
  }

  /**
   * Somebody came, perhaps in the middle of a turn, which goes on for as long as other threads
   * bring work. What follows is done once the other channels have been served.
   */
  @Override
  void work(int what) {
    loop.ask(making, ANY);
  }

  /** Makes connections. Only the loop itself asks for it. */
  private final class Making extends LoopWork {
    @Override
    void work(int what) {
      long began = System.nanoTime();
      SocketChannel peer = waiting.poll();
      while (peer != null) {
        make.accept(peer);
        // A loop that ends has no further turn.
        boolean over = System.nanoTime() - began > TURN_NANOS && !loop.isStopping();
        peer = over ? null : waiting.poll();
      }
      if (!waiting.isEmpty()) {
        loop.ask(this, ANY);
      }
    }
  }
}
