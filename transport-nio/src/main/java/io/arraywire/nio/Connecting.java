package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Failures;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt to connect: OP_CONNECT, finishConnect, then the handshake. */
final class Connecting implements ReadyHandler {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final SelectorTransport transport;
  private final EventLoop loop;
  private final SocketAddress address;
  private final @Nullable ArrayHandler handler;
  private final Consumer<ProtocolConnection> unstarted;
  private final Duration connectTimeout;
  private final CompletableFuture<NioLink> connected = new CompletableFuture<>();

  // The event loop's.
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;

  Connecting(
      SelectorTransport transport,
      EventLoop loop,
      SocketAddress address,
      @Nullable ArrayHandler handler,
      Consumer<ProtocolConnection> unstarted,
      Duration connectTimeout) {
    this.transport = transport;
    this.loop = loop;
    this.address = resolved(address);
    this.handler = handler;
    this.unstarted = unstarted;
    this.connectTimeout = connectTimeout;
  }

  /** Connects, completes the handshake and returns the connection. */
  ProtocolConnection await() throws ArraywireException, InterruptedException {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw ConnectErrors.connect(address, new UnknownHostException(inet.getHostString()));
    }
    // Not on the loop, which a codec, a pool or a wait strategy may keep.
    Runnable deadline = Deadlines.system().after(connectTimeout, this::timedOut);
    NioLink link;
    try {
      loop.execute(this::begin);
      link = connected.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      connected.cancel(false);
      loop.execute(this::abandon);
      throw e;
    } finally {
      deadline.run();
    }
    link.connection().awaitOpened();
    return link.connection();
  }

  /** An address that was made unresolved is looked up now, which may take long, by the caller. */
  private static SocketAddress resolved(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.isUnresolved()
        ? new InetSocketAddress(inet.getHostString(), inet.getPort())
        : address;
  }

  /** On the thread of deadlines. */
  private void timedOut() {
    if (connected.completeExceptionally(ConnectErrors.connectTimeout(address, connectTimeout))) {
      loop.execute(this::closeChannel);
    }
  }

  private void begin() {
    if (connected.isDone()) {
      return;
    }
    try {
      SocketChannel opened = Channels.open(address, transport.engine().options());
      channel = opened;
      key = opened.register(loop.selector(), SelectionKey.OP_CONNECT, this);
      if (opened.connect(address)) {
        finish(opened);
      }
    } catch (Throwable e) { // Whatever it is, the caller waits for an answer.
      failed(e);
    }
  }

  @Override
  public void ready() {
    SocketChannel connecting = channel;
    if (connecting == null) {
      return;
    }
    try {
      if (connecting.finishConnect()) {
        finish(connecting);
      }
    } catch (Throwable e) { // As above.
      failed(e);
    }
  }

  private void finish(SocketChannel made) throws IOException {
    SelectionKey registered = key;
    if (connected.isDone() || registered == null) {
      // Who gave up has the channel closed.
      return;
    }
    NioLink link = transport.link(loop, made, Role.CONNECTOR, handler, null);
    // From here on the link closes the channel.
    channel = null;
    try {
      unstarted.accept(link.connection());
      link.start(registered);
    } catch (RuntimeException | Error e) {
      link.discard();
      throw e;
    }
    if (!connected.complete(link)) {
      link.discard();
    }
  }

  @Override
  public void loopEnds() {
    fail(SelectorTransport.closedHere());
  }

  /** Nobody waits any more: what was opened is closed, connected or not. */
  private void abandon() {
    closeChannel();
    if (!connected.isCompletedExceptionally()) {
      connected.join().connection().closeNow();
    }
  }

  /** Closed while the name was looked up, the transport has no selector to register with. */
  private void failed(Throwable cause) {
    fail(
        transport.isClosed()
            ? SelectorTransport.closedHere().because(cause)
            : ConnectErrors.connect(address, cause));
  }

  private void fail(ArraywireException cause) {
    connected.completeExceptionally(cause);
    closeChannel();
  }

  private void closeChannel() {
    SocketChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOGGER.log(Level.DEBUG, "closing a channel failed (address=" + address + ")", e);
      }
    }
  }
}
