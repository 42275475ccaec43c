package io.arraywire.stream;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Capability;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Engine;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes connections and listeners, and knows those that are open. */
final class BlockingTransport implements Transport {
  static final String NAME = "stream";

  /** The JDK copies between an array and memory that the kernel can use. */
  private static final int HEAP_COPIES = 1;

  private final TransportOptions options;
  private final Sockets sockets;
  private final Threads threads;
  private final MemoryPool pool;
  private final Engine engine;

  private final Set<BlockingListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<ProtocolConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<Dialing> attempts = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  BlockingTransport(TransportOptions options, Sockets sockets, Threads threads) {
    this.options = Objects.requireNonNull(options, "options");
    this.sockets = sockets;
    this.threads = threads;
    EarlyTouch.ensure();
    MemoryPool users = options.memoryPool();
    pool = users == null ? HeapMemoryPool.create() : new ArrayMemoryPool(users);
    engine = Engine.create(NAME, options, preference(), pool, HEAP_COPIES, Deadlines.system());
  }

  /**
   * Bulk copies first, and of these the one that leaves bytes as this host has them; the one with
   * the other order is there for peers that have only that. Then the serialization form, for peers
   * that have nothing else: it takes every element type, which protobuf does not, but three copies
   * to write.
   */
  private static List<String> preference() {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return List.of(
        little ? "buffer-view-le" : "buffer-view",
        little ? "buffer-view" : "buffer-view-le",
        "object-stream",
        "protobuf",
        "data-output-buffered");
  }

  /** No way from a stream into an array but through a buffer. */
  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.UNIX_DOMAIN_SOCKETS);
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
    return dial(address, null);
  }

  @Override
  public Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return dial(address, Objects.requireNonNull(handler, "handler"));
  }

  @Override
  public Listener listen(SocketAddress address) throws ArraywireException {
    return bind(address, null);
  }

  @Override
  public Listener listen(SocketAddress address, ArrayHandler handler) throws ArraywireException {
    return bind(address, Objects.requireNonNull(handler, "handler"));
  }

  private Connection dial(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    check(address);
    return engine.connect(
        (unstarted, connectTimeout) -> dial(address, handler, unstarted, connectTimeout), handler);
  }

  private ProtocolConnection dial(
      SocketAddress address,
      @Nullable ArrayHandler handler,
      Consumer<ProtocolConnection> unstarted,
      Duration connectTimeout)
      throws ArraywireException, InterruptedException {
    checkOpen();
    StreamSocket socket = connected(address, connectTimeout);
    ProtocolConnection connection;
    try {
      connection = open(Role.CONNECTOR, socket, handler, unstarted);
    } catch (AllocationFailedException e) {
      throw ConnectErrors.connect(address, e);
    }
    connection.awaitOpened();
    return connection;
  }

  private StreamSocket connected(SocketAddress address, Duration connectTimeout)
      throws ArraywireException, InterruptedException {
    Dialing attempt = new Dialing(address, sockets, options);
    attempts.add(attempt);
    try {
      if (closed) {
        attempt.cancel();
      }
      return attempt.await(Threads.platform(), connectTimeout);
    } catch (ArraywireException e) {
      if (closed) {
        throw closedHere().because(e);
      }
      throw e;
    } finally {
      attempts.remove(attempt);
    }
  }

  private Listener bind(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException {
    check(address);
    checkOpen();
    BlockingListener listener;
    try {
      listener = BlockingListener.open(this, sockets.listen(address), handler);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw ConnectErrors.bind(address, e);
    }
    listeners.add(listener);
    if (closed) {
      listener.closeNow();
      throw closedHere();
    }
    return listener;
  }

  Engine engine() {
    return engine;
  }

  /**
   * A connection over a connected socket, begun; if this throws, the socket is closed. Its owner
   * sees it before the first byte is read.
   */
  ProtocolConnection open(
      Role role,
      StreamSocket socket,
      @Nullable ArrayHandler handler,
      Consumer<ProtocolConnection> owner)
      throws AllocationFailedException {
    StreamLink link;
    ProtocolConnection connection;
    try {
      link = new StreamLink(socket);
      connection = engine.connection(role, link, handler);
    } catch (RuntimeException | Error e) {
      socket.close();
      throw e;
    }
    connections.add(connection);
    var unused = connection.ended().thenRun(() -> connections.remove(connection));
    owner.accept(connection);
    link.start(role, connection, pool, threads);
    if (closed) {
      connection.closeNow();
    }
    return connection;
  }

  void forget(BlockingListener listener) {
    listeners.remove(listener);
  }

  /** Refuses what is not the address of a stream socket. */
  private static void check(SocketAddress address) {
    Objects.requireNonNull(address, "address");
    if (!(address instanceof InetSocketAddress) && !(address instanceof UnixDomainSocketAddress)) {
      throw new IllegalArgumentException(
          "neither an InetSocketAddress nor a UnixDomainSocketAddress (address="
              + address
              + ", class="
              + address.getClass().getName()
              + ")");
    }
  }

  private void checkOpen() throws ConnectionClosedException {
    if (closed) {
      throw closedHere();
    }
  }

  private static ConnectionClosedException closedHere() {
    return new ConnectionClosedException("the transport is closed", "transport", NAME);
  }

  @Override
  public void close() {
    synchronized (attempts) {
      if (closed) {
        return;
      }
      closed = true;
    }
    listeners.forEach(BlockingListener::closeNow);
    attempts.forEach(Dialing::cancel);
    engine.closeSessions();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (ProtocolConnection connection : connections) {
      ends.add(connection.ended().toCompletableFuture());
      connection.closeNow();
    }
    await(CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0])));
    pool.close();
  }

  /** Waits for what only a codec that does not return can hold up, so not for ever. */
  private void await(CompletableFuture<Void> ends) {
    boolean interrupted = false;
    long start = System.nanoTime();
    long most = Dialing.nanos(options.closeTimeout());
    while (true) {
      try {
        ends.get(most - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        // The pool will say if memory is still out.
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return name() + " transport";
  }
}
