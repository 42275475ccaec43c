package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Netty where each array is a message: the sender writes it with its length before it and flushes
 * when half a window is written, {@link LengthFieldBasedFrameDecoder} cuts the messages, and one
 * byte acknowledges an array. Unlike {@link NettyContender}, the receiver need not know how long
 * arrays are, and the program hands in one after the other.
 *
 * @param kind how it waits for sockets
 */
record NettyMessages(NettyContender kind) implements Contender {
  private static final int BACKLOG = 128;

  @Override
  public String name() {
    return kind.name() + "-messages";
  }

  @Override
  public String summary() {
    return kind.summary() + ", each array a message with its length";
  }

  @Override
  public @Nullable String unavailable() {
    return kind.unavailable();
  }

  @Override
  public Receiver listen(float[] target) throws IOException, InterruptedException {
    EventLoopGroup group = kind.group(1);
    Arrivals arrivals = new Arrivals(target);
    int most = Integer.BYTES + target.length * Float.BYTES;
    Channel listening =
        kind.listen(
            group,
            BACKLOG,
            pipeline ->
                pipeline.addLast(
                    new LengthFieldBasedFrameDecoder(most, 0, Integer.BYTES, 0, Integer.BYTES),
                    new NettyReceiver(arrivals)));
    return arrivals.receiver(
        Loopback.TCP.number(listening.localAddress()), () -> NettyContender.end(group));
  }

  @Override
  public Sender connect(int port, float[] source) throws InterruptedException {
    EventLoopGroup group = kind.group(1);
    Sending sender = new Sending(source, () -> NettyContender.end(group));
    sender.channel =
        kind.connect(
            group,
            port,
            pipeline -> pipeline.addLast(new NettyAcknowledgements(sender.acknowledged)));
    return sender;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
  private static final class Sending extends AcknowledgedSender {
    private final float[] source;
    private final Closeable end;
    private @Nullable Channel channel;

    Sending(float[] source, Closeable end) {
      this.source = source;
      this.end = end;
    }

    @Override
    void write(int count, int arrays) {
      Channel open = channel;
      if (open == null) {
        throw new IllegalStateException("not connected");
      }
      int bytes = count * Float.BYTES;
      for (int i = 0; i < arrays; i++) {
        ByteBuf message = open.alloc().directBuffer(Integer.BYTES + bytes).writeInt(bytes);
        open.write(NettyAnswers.put(message, source, count), open.voidPromise());
      }
      open.flush();
    }

    @Override
    public void close() throws IOException {
      end.close();
    }
  }
}
