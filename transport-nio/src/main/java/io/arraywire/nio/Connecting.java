package io.arraywire.nio;

import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.Opening;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One attempt to connect: OP_CONNECT, finishConnect, and the beginning of the handshake. */
final class Connecting implements ReadyHandler {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final EventLoop loop;
  private final LinkFactory links;
  private final SocketAddress address;
  private final Opening opening;
  private final CompletableFuture<EngineConnection> connected;

  // The event loop's.
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;

  private Connecting(
      EventLoop loop,
      LinkFactory links,
      SocketAddress address,
      Opening opening,
      CompletableFuture<EngineConnection> connected) {
    this.loop = loop;
    this.links = links;
    this.address = address;
    this.opening = opening;
    this.connected = connected;
  }

  /**
   * Begins an attempt; returns what gives it up. An address that was made unresolved is looked up
   * now, which may take long, by the caller.
   */
  static Runnable begin(
      EventLoop loop,
      LinkFactory links,
      SocketAddress address,
      Opening opening,
      CompletableFuture<EngineConnection> connected)
      throws UnknownHostException {
    SocketAddress resolved = address;
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      InetSocketAddress found = new InetSocketAddress(inet.getHostString(), inet.getPort());
      if (found.isUnresolved()) {
        throw new UnknownHostException(inet.getHostString());
      }
      resolved = found;
    }
    Connecting attempt = new Connecting(loop, links, resolved, opening, connected);
    loop.execute(attempt::connect);
    return () -> loop.execute(attempt::closeChannel);
  }

  private void connect() {
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
      // The caller that gave up closes the channel.
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
    if (!connected.complete(link.connection())) {
      link.discard();
    }
  }

  @Override
  public void loopEnds() {
    failed(new ClosedSelectorException());
  }

  private void failed(Throwable cause) {
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
