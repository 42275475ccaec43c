package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
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
    InetSocketAddress address = new InetSocketAddress(RawSocket.loopback(), port);
    for (int i = 0; i < sources.length; i++) {
      SocketChannel channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      SelectionKey key = channel.register(sender.selector, SelectionKey.OP_READ);
      Outgoing outgoing = new Outgoing(i, sources[i], channel, key);
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
          if (loops.acknowledged(outgoing.number)) {
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
    loops.begins(outgoing.number);
    outgoing.count = count;
    outgoing.written = 0;
    write(outgoing);
  }

  private void write(Outgoing outgoing) throws IOException {
    while (outgoing.written < outgoing.bytes()) {
      outgoing.stage(chunk);
      outgoing.written += outgoing.channel.write(chunk);
      if (chunk.hasRemaining()) {
        outgoing.key.interestOps(SelectionKey.OP_WRITE);
        return;
      }
    }
    outgoing.key.interestOps(SelectionKey.OP_READ);
  }

  private void takeAcknowledgement(Outgoing outgoing) throws IOException {
    if (outgoing.channel.read(acknowledgement.clear()) < 1) {
      throw new EOFException("the other end closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    for (Outgoing each : connections) {
      each.channel.close();
    }
    selector.close();
  }

  /** An array on its way. */
  private static final class Outgoing {
    private final int number;
    private final float[] source;
    private final SocketChannel channel;
    private final SelectionKey key;
    private int count;

    /** Bytes of header and elements. */
    private int written;

    Outgoing(int number, float[] source, SocketChannel channel, SelectionKey key) {
      this.number = number;
      this.source = source;
      this.channel = channel;
      this.key = key;
    }

    int bytes() {
      return RawSelector.HEADER_BYTES + count * Float.BYTES;
    }

    /** Fills the chunk with what comes next; the kernel may have taken a part of an element. */
    void stage(ByteBuffer chunk) {
      chunk.clear();
      int from = 0;
      if (written < RawSelector.HEADER_BYTES) {
        chunk.putInt(count);
      } else {
        from = (written - RawSelector.HEADER_BYTES) / Float.BYTES;
      }
      int some = Math.min(count - from, chunk.remaining() / Float.BYTES);
      chunk.asFloatBuffer().put(source, from, some);
      chunk.limit(chunk.position() + some * Float.BYTES).position(written % Float.BYTES);
    }
  }
}
