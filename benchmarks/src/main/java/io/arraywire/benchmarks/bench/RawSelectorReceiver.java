package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The receiving end of {@link RawSelector}, on a thread of its own. */
final class RawSelectorReceiver implements ConnectionsContender.Receiver {
  private final Targets targets;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final ByteBuffer chunk = RawSelector.chunk();
  private final ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
  private volatile boolean closing;

  private RawSelectorReceiver(Targets targets, Selector selector, ServerSocketChannel server) {
    this.targets = targets;
    this.selector = selector;
    this.server = server;
  }

  static RawSelectorReceiver start(Targets targets) throws IOException {
    ServerSocketChannel server = RawSocket.listen(Loopback.TCP, targets.connections());
    server.configureBlocking(false);
    Selector selector = Selector.open();
    server.register(selector, SelectionKey.OP_ACCEPT);
    RawSelectorReceiver receiver = new RawSelectorReceiver(targets, selector, server);
    Thread thread = new Thread(receiver::run, "raw-selector");
    thread.setDaemon(true);
    thread.start();
    return receiver;
  }

  @Override
  public int port() throws IOException {
    return Loopback.TCP.number(server.getLocalAddress());
  }

  private void run() {
    try {
      serve();
    } catch (IOException | RuntimeException e) {
      // The senders see it as the end of their connections.
      System.err.println("raw-selector ended: " + e);
    }
  }

  private void serve() throws IOException {
    try {
      while (!closing) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.attachment() instanceof Incoming incoming) {
            read(key, incoming);
          } else {
            accept();
          }
        }
        selector.selectedKeys().clear();
      }
    } finally {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    }
  }

  private void accept() throws IOException {
    SocketChannel channel = server.accept();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(
        selector, SelectionKey.OP_READ, new Incoming(channel, new IncomingArray(targets.next())));
  }

  private void read(SelectionKey key, Incoming incoming) throws IOException {
    incoming.array().stage(chunk);
    if (incoming.channel().read(chunk) < 0) {
      key.cancel();
      incoming.channel().close();
      return;
    }
    if (incoming.array().take(chunk.flip())) {
      targets.arrived();
      // The only one in flight, so there is room for it.
      incoming.channel().write(acknowledgement.clear());
    }
  }

  @Override
  public void close() {
    closing = true;
    selector.wakeup();
  }

  /** The end of a connection. */
  private record Incoming(SocketChannel channel, IncomingArray array) {}
}
