package io.arraywire.examples.pipe;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.EngineListener;
import io.arraywire.engine.EngineTransport;
import io.arraywire.engine.Opening;
import io.arraywire.engine.WireLayer;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A transport of your own: connections within this JVM, each over two {@linkplain Pipe pipes}, one
 * for each direction. It says how to connect and to listen; {@link PipeLink} moves the bytes. Any
 * thread may call any method.
 */
public final class PipeTransport extends EngineTransport {
  private static final ConcurrentHashMap<SocketAddress, Door> DOORS = new ConcurrentHashMap<>();
  private static final AtomicLong CONNECTORS = new AtomicLong();

  private PipeTransport(TransportOptions options, @Nullable WireLayer layer) {
    super(engine(options).layered(layer), options.memoryPool() == null);
  }

  /** With codecs for users that choose none. The JDK copies what lies on the heap, once. */
  private static Engine engine(TransportOptions options) {
    return Engine.withCodecs(
        "pipe",
        options,
        List.of(
            StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN), StandardCodecs.raw(ByteOrder.BIG_ENDIAN)),
        1);
  }

  /**
   * Makes a transport.
   *
   * @param options its options
   * @return the transport, to be closed by the caller
   */
  public static Transport create(TransportOptions options) {
    return create(options, null);
  }

  /** One whose connections pass through a layer, for tests. */
  static Transport create(TransportOptions options, @Nullable WireLayer layer) {
    return new PipeTransport(options, layer);
  }

  /**
   * An address to listen at and to connect to.
   *
   * @param name any text; it is known in this JVM only
   * @return the address
   */
  public static SocketAddress address(String name) {
    return new PipeAddress(name);
  }

  @Override
  protected List<Class<? extends SocketAddress>> addressTypes() {
    return List.of(PipeAddress.class);
  }

  @Override
  protected Runnable dial(
      SocketAddress address, Opening opening, CompletableFuture<EngineConnection> connected)
      throws IOException {
    Door door = DOORS.get(address);
    if (door == null) {
      throw new ConnectException("connection refused");
    }
    SocketAddress own = address("connector-" + CONNECTORS.incrementAndGet());
    PipeLink.Pair pair = PipeLink.pair(own, address);
    try {
      door.pass(pair.accepting());
      EngineConnection connection = begin(pair.connecting(), opening);
      if (!connected.complete(connection)) {
        connection.closeNow(); // The transport was closed meanwhile.
      }
    } catch (RuntimeException | Error e) {
      pair.connecting().close();
      throw e;
    }
    return () -> {};
  }

  @Override
  protected Acceptor bind(SocketAddress address) {
    return new Door(address);
  }

  private EngineConnection begin(PipeLink link, Opening opening) {
    try {
      EngineConnection connection = opening.open(link);
      link.start(connection.wire(), engine());
      return connection;
    } catch (RuntimeException | Error e) { // No memory, or no thread.
      link.close();
      throw e;
    }
  }

  /** Where a listener takes the ends that connectors pass to it, in their threads. */
  private final class Door implements Acceptor {
    private final SocketAddress address;
    private volatile Opening opening =
        link -> {
          throw new IllegalStateException("not started");
        };

    Door(SocketAddress address) {
      this.address = address;
    }

    void pass(PipeLink accepted) {
      EngineConnection unused = begin(accepted, opening);
    }

    @Override
    public SocketAddress address() {
      return address;
    }

    @Override
    public void start(EngineListener listener) throws BindException {
      opening = listener::open;
      if (DOORS.putIfAbsent(address, this) != null) {
        throw new BindException("address already in use");
      }
    }

    @Override
    public void stop() {
      DOORS.remove(address, this);
    }

    @Override
    public boolean awaitStopped(long nanos) {
      return true;
    }
  }
}
