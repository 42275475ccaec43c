package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The sending end of {@link RawSelector}, on the thread that calls. */
final class RawSelectorSender implements ConnectionsContender.Sender {
  private final Selector selector;
  private final ByteBuffer chunk = RawSelector.chunk();
  private final ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
  private final List<Outgoing> connections = new ArrayList<>();

  private RawSelectorSender(Selector selector) {
    this.selector = selector;
  }

  static RawSelectorSender connect(int port, float[][] sources) throws IOException {
    RawSelectorSender sender = new RawSelectorSender(Selector.open());
    SocketAddress address = Loopback.TCP.numbered(port);
    for (int i = 0; i < sources.length; i++) {
      SocketChannel channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      SelectionKey key = channel.register(sender.selector, SelectionKey.OP_READ);
      Outgoing outgoing = new Outgoing(i, channel, key, new OutgoingArray(sources[i]));
      key.attach(outgoing);
      sender.connections.add(outgoing);
    }
    return sender;
  }

  @Override
  public void run(int count, ClosedLoops loops) throws IOException {
    for (Outgoing each : connections) {
      begin(each, count, loops);
    }
    int open = connections.size();
    while (open > 0) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        Outgoing outgoing = (Outgoing) key.attachment();
        if (key.isWritable()) {
          write(outgoing);
        } else {
          takeAcknowledgement(outgoing);
          if (loops.acknowledged(outgoing.number())) {
            begin(outgoing, count, loops);
          } else {
            open--;
          }
        }
      }
      selector.selectedKeys().clear();
    }
  }

  private void begin(Outgoing outgoing, int count, ClosedLoops loops) throws IOException {
    loops.begins(outgoing.number());
    outgoing.array().begin(count);
    write(outgoing);
  }

  private void write(Outgoing outgoing) throws IOException {
    OutgoingArray array = outgoing.array();
    while (array.hasRemaining()) {
      array.stage(chunk);
      array.wrote(outgoing.channel().write(chunk));
      if (chunk.hasRemaining()) {
        outgoing.key().interestOps(SelectionKey.OP_WRITE);
        return;
      }
    }
    outgoing.key().interestOps(SelectionKey.OP_READ);
  }

  private void takeAcknowledgement(Outgoing outgoing) throws IOException {
    if (outgoing.channel().read(acknowledgement.clear()) < 1) {
      throw new EOFException("the other end closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    for (Outgoing each : connections) {
      each.channel().close();
    }
    selector.close();
  }

  /** The end of a connection. */
  private record Outgoing(
      int number, SocketChannel channel, SelectionKey key, OutgoingArray array) {}
}
