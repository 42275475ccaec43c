package io.arraywire.nio;

import io.arraywire.TransportOptions;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.EarlyTouch;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.EngineTransport;
import io.arraywire.engine.Opening;
import io.arraywire.engine.WireLayer;
import io.arraywire.spi.Capability;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nonblocking transport: its event loops, and the channels on them. */
class SelectorTransport extends EngineTransport {
  static final String NAME = "nio";

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

  private static final EarlyTouch EARLY_TOUCH = new EarlyTouch(SelectorTransport::touch);
  private static final AtomicInteger TRANSPORTS = new AtomicInteger();

  private final NioOptions nioOptions;
  private final LinkFactory links;
  private final EventLoop[] loops;
  private final AtomicInteger nextLoop = new AtomicInteger();

  SelectorTransport(
      TransportOptions options, NioOptions nioOptions, Function<SocketChannel, SocketIo> socketIo) {
    this(options, nioOptions, socketIo, null);
  }

  /** One whose connections pass through a layer. */
  SelectorTransport(
      TransportOptions options,
      NioOptions nioOptions,
      Function<SocketChannel, SocketIo> socketIo,
      @Nullable WireLayer layer) {
    super(engine(options).layered(layer), options.memoryPool() == null);
    this.nioOptions = Objects.requireNonNull(nioOptions, "nioOptions");
    links = new LinkFactory(options, nioOptions, socketIo, engine().readingMemory());
    loops = new EventLoop[nioOptions.eventLoops()];
    int number = TRANSPORTS.incrementAndGet();
    try {
      for (int i = 0; i < loops.length; i++) {
        loops[i] =
            new EventLoop(
                "arraywire-nio-" + number + "-" + i,
                Objects.requireNonNull(nioOptions.waitStrategy().get(), "waitStrategy.get()"),
                engine().pool());
      }
      for (EventLoop loop : loops) {
        loop.start();
      }
    } catch (IOException e) {
      discard();
      throw new UncheckedIOException(
          "no selector could be opened; the process may be out of file descriptors, raise the"
              + " limit (ulimit -n)",
          e);
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
  }

  private static Engine engine(TransportOptions options) {
    Objects.requireNonNull(options, "options");
    EARLY_TOUCH.ensure();
    MemoryPool given = options.memoryPool();
    MemoryPool pool = given == null ? new NettyMemoryPool() : given;
    return Engine.create(NAME, options, PREFERENCE, pool, 1, Deadlines.system());
  }

  private static void touch() throws IOException {
    Selector.open().close();
    // What closes a socket opens a pair of its own.
    Pipe pipe = Pipe.open();
    pipe.source().close();
    pipe.sink().close();
    SocketChannel.open().close();
    ServerSocketChannel.open().close();
    try {
      ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
    } catch (UnsupportedOperationException e) {
      // A system without them.
    }
  }

  /** Closes what was made of a transport that nobody gets; its own pool has lent nothing. */
  private void discard() {
    for (EventLoop loop : loops) {
      if (loop != null) {
        loop.discard();
      }
    }
    if (options().memoryPool() == null) {
      engine().pool().close();
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return nioOptions.arrayDirect() && NativeSocket.obstacle() == null
        ? Set.of(Capability.UNIX_DOMAIN_SOCKETS, Capability.ARRAY_DIRECT)
        : Set.of(Capability.UNIX_DOMAIN_SOCKETS);
  }

  @Override
  protected Runnable dial(
      SocketAddress address, Opening opening, CompletableFuture<EngineConnection> connected)
      throws IOException {
    return Connecting.begin(anyLoop(), links, address, opening, connected);
  }

  @Override
  protected Acceptor bind(SocketAddress address) throws IOException {
    return NioAcceptor.bind(address, anyLoop(), this::anyLoop, links);
  }

  EventLoop anyLoop() {
    return loops[Math.floorMod(nextLoop.getAndIncrement(), loops.length)];
  }

  /** The loops close what is still open, so this waits for them only. */
  @Override
  protected boolean awaitEnd(long deadline) {
    for (EventLoop loop : loops) {
      loop.stop();
    }
    boolean ended = true;
    for (EventLoop loop : loops) {
      if (!await(loop::awaitEnd, deadline)) {
        ended = false;
        if (!loop.inLoop()) {
          // The caller's own ends when the caller returns.
          logKept("event loop " + loop);
        }
      }
    }
    return ended;
  }

  @Override
  public String toString() {
    return super.toString() + ", event loops: " + loops.length;
  }
}
