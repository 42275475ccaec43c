package io.arraywire.stream;

import io.arraywire.NoRoomException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.EarlyTouch;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.EngineTransport;
import io.arraywire.engine.Opening;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireLayer;
import io.arraywire.spi.Capability;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The blocking transport: its sockets and their threads. */
final class BlockingTransport extends EngineTransport {
  static final String NAME = "stream";

  /** The JDK copies between an array and memory that the kernel can use. */
  private static final int HEAP_COPIES = 1;

  private static final EarlyTouch EARLY_TOUCH = new EarlyTouch(BlockingTransport::touch);

  private final Sockets sockets;
  private final Threads threads;

  BlockingTransport(TransportOptions options, Sockets sockets, Threads threads) {
    this(options, sockets, threads, null);
  }

  /** One whose connections pass through a layer. */
  BlockingTransport(
      TransportOptions options, Sockets sockets, Threads threads, @Nullable WireLayer layer) {
    super(engine(options).layered(layer), true);
    this.sockets = sockets;
    this.threads = threads;
  }

  private static Engine engine(TransportOptions options) {
    Objects.requireNonNull(options, "options");
    EARLY_TOUCH.ensure();
    MemoryPool users = options.memoryPool();
    MemoryPool pool = users == null ? HeapMemoryPool.create() : new ArrayMemoryPool(users);
    return Engine.create(NAME, options, preference(), pool, HEAP_COPIES, Deadlines.system());
  }

  private static void touch() throws IOException, ClassNotFoundException {
    Pipe pipe = Pipe.open();
    pipe.source().close();
    pipe.sink().close();
    // Not bound, not connected: options are enough for all of the JDK's network code.
    try (ServerSocket server = new ServerSocket();
        Socket socket = new Socket()) {
      server.setReuseAddress(true);
      socket.setTcpNoDelay(true);
    }
    try {
      ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
    } catch (UnsupportedOperationException e) {
      // A system without them.
    }
    // Where virtual threads wait, if the JDK has them. By name, since it can only be used by using
    // it.
    Class.forName("sun.nio.ch.Poller");
  }

  /**
   * Bulk copies first, and of these the one that leaves bytes as this host has them. The one with
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

  /**
   * Each attempt has a thread of its own, because a thread that connects a {@code Socket} or looks
   * up a name cannot be interrupted. Closing the socket ends the attempt. It is a platform thread,
   * for two reasons. A lookup would hold on to a virtual one's carrier. And on a virtual thread the
   * JDK takes a Unix domain socket whose listener's queue is full for connected.
   */
  @Override
  protected Runnable dial(
      SocketAddress address, Opening opening, CompletableFuture<EngineConnection> connected)
      throws IOException {
    StreamSocket socket = sockets.unconnected(address);
    Runnable connect =
        () -> {
          try {
            socket.setBuffers(options());
            socket.connect(address);
            EngineConnection connection = begin(Role.CONNECTOR, socket, opening);
            if (!connected.complete(connection)) {
              connection.closeNow();
            }
          } catch (Throwable e) { // Whatever it is, somebody waits for it.
            connected.completeExceptionally(e);
            socket.close();
          }
        };
    try {
      Threads.platform().unstarted("arraywire-stream-connect " + address, connect).start();
    } catch (RuntimeException | Error e) {
      socket.close();
      throw e;
    }
    return socket::close;
  }

  @Override
  protected Acceptor bind(SocketAddress address) throws IOException {
    return new BlockingAcceptor(this, sockets.listen(address));
  }

  /** Begins a connection over a connected socket; if this throws, the socket is closed. */
  EngineConnection begin(Role role, StreamSocket socket, Opening opening) throws NoRoomException {
    StreamLink link;
    EngineConnection connection;
    try {
      link = new StreamLink(socket);
      connection = opening.open(link);
    } catch (RuntimeException | Error e) {
      socket.close();
      throw e;
    }
    link.start(role, connection.wire(), engine().pool(), threads);
    return connection;
  }
}
