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
  private static final int NOT_KNOWN = -1;

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
    ServerSocketChannel server = RawSocket.listen(targets.connections());
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
    return RawSocket.port(server);
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
    channel.register(selector, SelectionKey.OP_READ, new Incoming(channel, targets.next()));
  }

  private void read(SelectionKey key, Incoming incoming) throws IOException {
    chunk.clear().put(incoming.rest.flip());
    incoming.rest.clear();
    if (incoming.channel.read(chunk) < 0) {
      key.cancel();
      incoming.channel.close();
      return;
    }
    if (incoming.take(chunk.flip())) {
      targets.arrived();
      // The only one on its way, so there is room for it.
      incoming.channel.write(acknowledgement.clear());
    }
  }

  @Override
  public void close() {
    closing = true;
    selector.wakeup();
  }

  /** An array that comes. */
  private static final class Incoming {
    private final SocketChannel channel;
    private final float[] target;

    /** What came of the header or of an element. */
    private final ByteBuffer rest = ByteBuffer.allocate(Float.BYTES);

    private int count = NOT_KNOWN;
    private int filled;

    Incoming(SocketChannel channel, float[] target) {
      this.channel = channel;
      this.target = target;
    }

    /** Takes bytes, and says whether all of the array is there. */
    boolean take(ByteBuffer bytes) {
      if (count == NOT_KNOWN && bytes.remaining() >= RawSelector.HEADER_BYTES) {
        count = bytes.getInt();
      }
      if (count != NOT_KNOWN) {
        int some = Math.min(count - filled, bytes.remaining() / Float.BYTES);
        bytes.asFloatBuffer().get(target, filled, some);
        bytes.position(bytes.position() + some * Float.BYTES);
        filled += some;
      }
      rest.clear().put(bytes);
      if (filled != count) {
        return false;
      }
      count = NOT_KNOWN;
      filled = 0;
      return true;
    }
  }
}
