package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * {@link AsynchronousSocketChannel} with direct buffers of {@link #CHUNK_BYTES} bytes and one
 * thread at each end. A read that finds something calls its handler on the thread that asked, so it
 * costs no hand-over (the class comment of {@link AsynchronousChannelGroup} says when). The sender
 * writes with futures, because a write that the kernel takes at once then wakes nobody up. One byte
 * acknowledges an array.
 */
record JdkAsync() implements Contender {
  private static final int CHUNK_BYTES = 256 << 10;
  private static final int MOST_ACKS = 1 << 12;

  @Override
  public String name() {
    return "jdk-async";
  }

  @Override
  public String summary() {
    return "AsynchronousSocketChannel, float[] through direct buffers of "
        + (CHUNK_BYTES >> 10)
        + " KiB";
  }

  private static AsynchronousChannelGroup group() throws IOException {
    return AsynchronousChannelGroup.withFixedThreadPool(
        1,
        task -> {
          Thread thread = new Thread(task, "jdk-async");
          thread.setDaemon(true);
          return thread;
        });
  }

  private static ByteBuffer chunk() {
    return ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    AsynchronousChannelGroup group = group();
    return new Receiving(
        group,
        AsynchronousServerSocketChannel.open(group).bind(Loopback.TCP.free()),
        new Arrivals(target));
  }

  @Override
  public Sender connect(int port, float[] source) throws Exception {
    AsynchronousChannelGroup group = group();
    AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(Loopback.TCP.numbered(port)).get();
    Sending sending = new Sending(group, channel, source);
    sending.readAcks();
    return sending;
  }

  /** What comes next, whatever the result is of. */
  @FunctionalInterface
  private interface Next extends CompletionHandler<Integer, Arrivals> {

    void go(int bytes) throws IOException;

    @Override
    default void completed(Integer bytes, Arrivals arrivals) {
      try {
        if (bytes < 0) {
          throw new EOFException("the other end closed the connection");
        }
        go(bytes);
      } catch (IOException | RuntimeException e) {
        arrivals.fail(e);
      }
    }

    @Override
    default void failed(Throwable cause, Arrivals arrivals) {
      arrivals.fail(cause);
    }
  }

  private static final class Receiving implements Receiver {
    private final AsynchronousChannelGroup group;
    private final AsynchronousServerSocketChannel server;
    private final Arrivals arrivals;
    private final ByteBuffer chunk = chunk();
    private final ByteBuffer acks = ByteBuffer.allocateDirect(MOST_ACKS);
    private @Nullable AsynchronousSocketChannel channel;
    private int owed;

    Receiving(
        AsynchronousChannelGroup group, AsynchronousServerSocketChannel server, Arrivals arrivals) {
      this.group = group;
      this.server = server;
      this.arrivals = arrivals;
    }

    @Override
    public int port() throws IOException {
      return Loopback.TCP.number(server.getLocalAddress());
    }

    @Override
    public void serve(int count, Tally tally) throws Exception {
      if (channel == null) {
        AsynchronousSocketChannel peer = server.accept().get();
        peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel = peer;
        read(peer);
      }
      arrivals.serve(count, tally);
    }

    private void read(AsynchronousSocketChannel peer) {
      peer.read(chunk.clear(), arrivals, (Next) bytes -> decode(peer));
    }

    private void decode(AsynchronousSocketChannel peer) {
      owed += arrivals.put(chunk.flip());
      acknowledge(peer);
    }

    /** All that are owed, then reads on. */
    private void acknowledge(AsynchronousSocketChannel peer) {
      int arrays = Math.min(owed, MOST_ACKS);
      if (arrays == 0) {
        read(peer);
        return;
      }
      peer.write(
          acks.clear().limit(arrays),
          arrivals,
          (Next)
              bytes -> {
                owed -= bytes;
                arrivals.acknowledged(bytes);
                acknowledge(peer);
              });
    }

    @Override
    public void close() throws IOException {
      group.shutdownNow();
    }
  }

  private static final class Sending extends AcknowledgedSender {
    private final AsynchronousChannelGroup group;
    private final AsynchronousSocketChannel channel;
    private final Departures departures;
    private final ByteBuffer chunk = chunk();
    private final ByteBuffer acks = ByteBuffer.allocateDirect(MOST_ACKS);

    Sending(AsynchronousChannelGroup group, AsynchronousSocketChannel channel, float[] source) {
      this.group = group;
      this.channel = channel;
      departures = new Departures(source);
    }

    void readAcks() {
      channel.read(
          acks.clear(),
          null,
          new CompletionHandler<Integer, @Nullable Void>() {
            @Override
            public void completed(Integer bytes, @Nullable Void nothing) {
              if (bytes < 0) {
                acknowledged.fail(new EOFException("the other end closed the connection"));
              } else {
                acknowledged.add(bytes);
                channel.read(acks.clear(), null, this);
              }
            }

            @Override
            public void failed(Throwable cause, @Nullable Void nothing) {
              acknowledged.fail(cause);
            }
          });
    }

    @Override
    void write(int count, int arrays) throws InterruptedException, ExecutionException {
      departures.begin(count, arrays);
      while (departures.left() > 0) {
        long before = departures.left();
        departures.take(chunk.clear().asFloatBuffer());
        chunk.limit((int) Math.min(before, CHUNK_BYTES / Float.BYTES) * Float.BYTES);
        while (chunk.hasRemaining()) {
          Future<Integer> written = channel.write(chunk);
          written.get();
        }
      }
    }

    @Override
    public void close() throws IOException {
      group.shutdownNow();
    }
  }
}
