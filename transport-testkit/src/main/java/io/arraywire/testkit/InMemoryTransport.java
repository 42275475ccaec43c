package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Engine;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryPool;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transport without sockets: connections through memory, between {@linkplain MemoryAddress names}
 * in this JVM. For tests of programs that use Arraywire, and for tests of Arraywire: bytes can be
 * made to move in {@linkplain Portions any portions} and through pipes of any size.
 *
 * <p>Everything else is as with every other transport. Codecs of raw elements come with it, for
 * users who choose none. Any thread may call any method.
 */
public final class InMemoryTransport implements Transport {
  private final TransportOptions options;
  private final MemoryOptions memory;
  private final Engine engine;
  private final MemoryPool pool;

  // Guarded by this.
  private final Set<MemoryListener> listeners = new HashSet<>();
  private final Set<MemoryLink> links = new HashSet<>();
  private boolean closed;

  private InMemoryTransport(TransportOptions options, MemoryOptions memory) {
    this.options = options;
    this.memory = memory;
    MemoryPool given = options.memoryPool();
    pool = given == null ? HeapMemoryPool.create() : given;
    TransportOptions complete =
        options.codecs().isEmpty()
            ? options.toBuilder()
                .codecs(
                    new PlainCodec(Encoding.RAW_LITTLE_ENDIAN),
                    new PlainCodec(Encoding.RAW_BIG_ENDIAN))
                .build()
            : options;
    engine = Engine.create(name(), complete, List.of(), pool, 0, Deadlines.system());
  }

  /**
   * Makes a transport.
   *
   * @param options its options
   * @return the transport, to be closed by the caller
   */
  public static InMemoryTransport create(TransportOptions options) {
    return create(options, MemoryOptions.defaults());
  }

  /**
   * Makes a transport.
   *
   * @param options its options
   * @param memory how it moves bytes
   * @return the transport, to be closed by the caller
   */
  public static InMemoryTransport create(TransportOptions options, MemoryOptions memory) {
    return new InMemoryTransport(options, memory);
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public TransportOptions options() {
    return options;
  }

  @Override
  public Connection connect(SocketAddress address) throws ArraywireException, InterruptedException {
    return connectWith(address, null);
  }

  @Override
  public Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return connectWith(address, handler);
  }

  private Connection connectWith(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    checkOpen();
    MemoryAddress there = memoryAddress(address);
    return engine.connect(
        (unstarted, connectTimeout) -> {
          checkOpen();
          MemorySocket socket = MemoryNetwork.connect(there, memory.pipeBytes());
          ProtocolConnection connection = begin(socket, Role.CONNECTOR, handler, unstarted);
          connection.awaitOpened();
          return connection;
        },
        handler);
  }

  @Override
  public Listener listen(SocketAddress address) throws ArraywireException {
    return listenWith(address, null);
  }

  @Override
  public Listener listen(SocketAddress address, ArrayHandler handler) throws ArraywireException {
    return listenWith(address, handler);
  }

  private Listener listenWith(SocketAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException {
    checkOpen();
    MemoryListener listener = MemoryListener.open(this, memoryAddress(address), handler);
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        listeners.add(listener);
      }
    }
    if (late) {
      listener.closeNow();
      checkOpen();
    }
    return listener;
  }

  /** Begins a connection on an end of its own; it fails at once if the transport is closed. */
  ProtocolConnection begin(
      MemorySocket socket,
      Role role,
      @Nullable ArrayHandler handler,
      Consumer<ProtocolConnection> unstarted) {
    MemoryLink link = new MemoryLink(socket, engine, role, handler, memory);
    boolean late;
    synchronized (this) {
      late = closed;
      links.add(link);
    }
    var unused =
        link.connection()
            .ended()
            .thenRun(() -> {
              synchronized (this) {
                links.remove(link);
              }
            });
    unstarted.accept(link.connection());
    link.start();
    if (late) {
      link.connection().closeNow();
    }
    return link.connection();
  }

  Engine engine() {
    return engine;
  }

  synchronized void closed(MemoryListener listener) {
    listeners.remove(listener);
  }

  private static MemoryAddress memoryAddress(SocketAddress address) {
    if (address instanceof MemoryAddress memory) {
      return memory;
    }
    throw new IllegalArgumentException(
        "not an address of this transport (address=" + address + ", transport=memory)");
  }

  private synchronized void checkOpen() throws ConnectionClosedException {
    if (closed) {
      throw new ConnectionClosedException("the transport is closed", "transport", name());
    }
  }

  @Override
  public void close() {
    List<MemoryListener> openListeners;
    List<MemoryLink> openLinks;
    synchronized (this) {
      closed = true;
      openListeners = new ArrayList<>(listeners);
      openLinks = new ArrayList<>(links);
    }
    openListeners.forEach(MemoryListener::closeNow);
    engine.closeSessions();
    openLinks.forEach(link -> link.connection().closeNow());
    boolean interrupted = false;
    for (MemoryLink link : openLinks) {
      interrupted |= joinUninterruptibly(link);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (options.memoryPool() == null) {
      pool.close();
    }
  }

  private static boolean joinUninterruptibly(MemoryLink link) {
    boolean interrupted = false;
    while (true) {
      try {
        link.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  @Override
  public String toString() {
    return name() + " " + memory;
  }
}
