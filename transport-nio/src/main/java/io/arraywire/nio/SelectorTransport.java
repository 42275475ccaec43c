package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Capability;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Engine;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nonblocking transport: its event loops, listeners and connections. */
final class SelectorTransport implements Transport {
  static final String NAME = "nio";

  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** Bulk in host order first: one copy and no conversion. */
  private static final List<String> PREFERENCE =
      List.of(
          "direct",
          "direct-be",
          "direct-le",
          "protobuf",
          "buffer-view-le",
          "buffer-view",
          "data-output-buffered",
          "object-stream");

  /** A year, so that a time of centuries does not overflow. */
  private static final long MOST_SECONDS = 365L * 24 * 60 * 60;

  private static final AtomicInteger TRANSPORTS = new AtomicInteger();

  private final TransportOptions options;
  private final MemoryPool pool;
  private final boolean ownsPool;
  private final long closeNanos;
  private final Engine engine;
  private final EventLoop[] loops;
  private final Function<SocketChannel, SocketIo> socketIo;
  private final NioOptions nioOptions;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<NioListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<NioLink> links = ConcurrentHashMap.newKeySet();
  private final Consumer<NioLink> forget = links::remove;

  SelectorTransport(
      TransportOptions options, NioOptions nioOptions, Function<SocketChannel, SocketIo> socketIo) {
    this.options = Objects.requireNonNull(options, "options");
    this.socketIo = socketIo;
    this.nioOptions = Objects.requireNonNull(nioOptions, "nioOptions");
    EarlyTouch.ensure();
    MemoryPool given = options.memoryPool();
    ownsPool = given == null;
    closeNanos =
        Math.min(MOST_SECONDS, options.closeTimeout().toSeconds()) * 1_000_000_000L
            + options.closeTimeout().toNanosPart();
    pool = given == null ? new NettyMemoryPool() : given;
    engine = Engine.create(NAME, options, PREFERENCE, pool, 1, Deadlines.system());
    loops = new EventLoop[nioOptions.eventLoops()];
    int number = TRANSPORTS.incrementAndGet();
    try {
      for (int i = 0; i < loops.length; i++) {
        loops[i] =
            new EventLoop(
                "arraywire-nio-" + number + "-" + i,
                Objects.requireNonNull(nioOptions.waitStrategy().get(), "waitStrategy.get()"),
                pool);
      }
      for (EventLoop loop : loops) {
        loop.start();
      }
    } catch (IOException e) {
      discard();
      throw new UncheckedIOException(
          "no selector could be opened; the process may be out of descriptors", e);
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
  }

  /** Closes what was made of a transport that nobody gets; its own pool has lent nothing. */
  private void discard() {
    for (EventLoop loop : loops) {
      if (loop != null) {
        loop.discard();
      }
    }
    if (ownsPool) {
      pool.close();
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return nioOptions.arrayDirect() && NativeSocket.obstacle() == null
        ? Set.of(Capability.UNIX_DOMAIN_SOCKETS, Capability.ARRAY_DIRECT)
        : Set.of(Capability.UNIX_DOMAIN_SOCKETS);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public TransportOptions options() {
    return options;
  }

  @Override
  public Connection connect(SocketAddress address) throws ArraywireException, InterruptedException {
    return connectTo(address, null);
  }

  @Override
  public Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return connectTo(address, Objects.requireNonNull(handler, "handler"));
  }

  private Connection connectTo(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    Channels.check(address);
    checkOpen();
    return engine.connect(
        (unstarted, connectTimeout) ->
            new Connecting(this, anyLoop(), address, handler, unstarted, connectTimeout).await(),
        handler);
  }

  @Override
  public Listener listen(SocketAddress address) throws ArraywireException {
    return listenAt(address, null);
  }

  @Override
  public Listener listen(SocketAddress address, ArrayHandler handler) throws ArraywireException {
    return listenAt(address, Objects.requireNonNull(handler, "handler"));
  }

  private Listener listenAt(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException {
    Channels.check(address);
    checkOpen();
    NioListener listener = NioListener.open(this, anyLoop(), address, handler);
    own(listener);
    return listener;
  }

  /** Has the listener closed with this transport, which may have been closed meanwhile. */
  void own(NioListener listener) throws ConnectionClosedException {
    listeners.add(listener);
    if (closed.get()) {
      listener.closeNow();
      throw closedHere();
    }
    if (listener.isClosed()) {
      // Its loop could not serve it, and has had it removed before it was added.
      listeners.remove(listener);
    }
  }

  private void checkOpen() throws ConnectionClosedException {
    if (closed.get()) {
      throw closedHere();
    }
  }

  static ConnectionClosedException closedHere() {
    return new ConnectionClosedException("the transport is closed", "transport", NAME);
  }

  boolean isClosed() {
    return closed.get();
  }

  long closeNanos() {
    return closeNanos;
  }

  Engine engine() {
    return engine;
  }

  EventLoop anyLoop() {
    return loops[Math.floorMod(nextLoop.getAndIncrement(), loops.length)];
  }

  /** Makes the link of a connected channel; it is closed with this transport. */
  NioLink link(
      EventLoop loop,
      SocketChannel channel,
      Role role,
      @Nullable ArrayHandler handler,
      @Nullable NioListener acceptedBy)
      throws IOException {
    NioLink link =
        new NioLink(
            loop,
            channel,
            socketIo.apply(channel),
            nioOptions,
            engine,
            role,
            handler,
            acceptedBy,
            forget);
    links.add(link);
    return link;
  }

  /** The connections that a listener has accepted and that have not ended. */
  List<ProtocolConnection> connectionsFrom(NioListener listener) {
    return links.stream()
        .filter(link -> listener.equals(link.acceptedBy()))
        .map(NioLink::connection)
        .toList();
  }

  void closed(NioListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    for (NioListener listener : listeners) {
      // Its loop closes the channel before it ends.
      listener.stop();
    }
    long start = System.nanoTime();
    try {
      closeLinks();
    } finally {
      for (EventLoop loop : loops) {
        loop.stop();
      }
    }
    if (awaitLoops(start + closeNanos) && ownsPool) {
      pool.close();
    }
  }

  /**
   * Closes all connections before any loop ends, so that none takes the end of another for that of
   * its peer. On a thread of its own, since a codec that does not return keeps the array that its
   * connection withdraws. What is not closed in half of the time is left to the loops.
   */
  private void closeLinks() {
    if (links.isEmpty()) {
      engine.closeSessions();
      return;
    }
    Thread closer =
        new Thread(
            () -> {
              engine.closeSessions();
              links.forEach(link -> link.connection().closeNow());
            },
            "arraywire-nio-close");
    closer.setDaemon(true);
    closer.start();
    try {
      TimeUnit.NANOSECONDS.timedJoin(closer, closeNanos / 2);
    } catch (InterruptedException e) {
      // The loops end all the same, and are not waited for.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for what only a codec, a pool or a wait strategy that does not return can hold up, so not
   * for ever. Returns whether every loop is known to have ended; if not, the loops end all the
   * same, and a pool with memory out would be reported wrongly.
   */
  private boolean awaitLoops(long deadline) {
    boolean interrupted = false;
    boolean ended = true;
    for (EventLoop loop : loops) {
      try {
        if (!loop.awaitEnd(deadline - System.nanoTime())) {
          ended = false;
          if (loop.inLoop()) {
            // The caller's own, which ends when the caller returns.
            continue;
          }
          LOGGER.log(
              Level.WARNING,
              "an event loop has not ended; a codec, a pool or a wait strategy keeps it (thread="
                  + loop
                  + ", closeTimeout="
                  + options.closeTimeout()
                  + ")");
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended && !interrupted;
  }

  @Override
  public String toString() {
    return name() + " transport, event loops: " + loops.length;
  }
}
