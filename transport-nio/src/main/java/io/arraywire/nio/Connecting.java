package io.arraywire.nio;

import io.arraywire.ArraywireException;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Failures;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.Opening;
import io.arraywire.engine.ProtocolConnection;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One attempt to connect: OP_CONNECT, finishConnect, and the beginning of the handshake. */
final class Connecting implements ReadyHandler {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final EventLoop loop;
  private final LinkFactory links;
  private final SocketAddress address;
  private final Opening opening;
  private final Duration connectTimeout;
  private final CompletableFuture<NioLink> connected = new CompletableFuture<>();

  // The event loop's.
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;

  Connecting(
      EventLoop loop,
      LinkFactory links,
      SocketAddress address,
      Opening opening,
      Duration connectTimeout) {
    this.loop = loop;
    this.links = links;
    this.address = resolved(address);
    this.opening = opening;
    this.connectTimeout = connectTimeout;
  }

  /** Connects, begins the handshake and returns the connection. */
  ProtocolConnection await() throws ArraywireException, InterruptedException {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw ConnectErrors.connect(address, new UnknownHostException(inet.getHostString()));
    }
    // Not on the loop, which a codec, a pool or a wait strategy may keep.
    Runnable deadline = Deadlines.system().after(connectTimeout, this::timedOut);
    try {
      loop.execute(this::begin);
      return connected.get().connection();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      connected.cancel(false);
      loop.execute(this::abandon);
      throw e;
    } finally {
      deadline.run();
    }
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
      SocketChannel opened = links.channel(address);
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
    NioLink link = links.link(loop, made, opening);
    // From here on the link closes the channel.
    channel = null;
    try {
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
    failed(new ClosedSelectorException());
  }

  /** Nobody waits any more: what was opened is closed, connected or not. */
  private void abandon() {
    closeChannel();
    if (!connected.isCompletedExceptionally()) {
      connected.join().connection().closeNow();
    }
  }

  private void failed(Throwable cause) {
    connected.completeExceptionally(ConnectErrors.connect(address, cause));
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
