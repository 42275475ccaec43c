package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * Sends an array in chunks, each encoded when there is room for it, and counts acknowledgements.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettySender extends AcknowledgedSender {
  private final Channel channel;
  private final Closeable end;
  private final Departures departures;

  /** Whether the elements are the event loop's. */
  private volatile boolean departing;

  NettySender(Channel channel, float[] source, Closeable end) {
    this.channel = channel;
    this.end = end;
    departures = new Departures(source);
  }

  ChannelInboundHandler events() {
    return new Events();
  }

  @Override
  void write(int count, int arrays) throws IOException {
    acknowledged.await(() -> !departing);
    departures.begin(count, arrays);
    if (departures.left() <= NettyContender.CHUNK_BYTES / Float.BYTES) {
      channel.writeAndFlush(chunk(), channel.voidPromise());
    } else {
      departing = true;
      channel.eventLoop().execute(this::writeOn);
    }
  }

  private ByteBuf chunk() {
    int most = NettyContender.CHUNK_BYTES / Float.BYTES;
    int bytes = (int) Math.min(departures.left(), most) * Float.BYTES;
    ByteBuf chunk = channel.alloc().directBuffer(bytes);
    departures.take(
        chunk.internalNioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
    return chunk.writerIndex(bytes);
  }

  /** As much as the channel has room for; the rest when it says that it has. */
  private void writeOn() {
    while (departures.left() > 0 && channel.isWritable()) {
      ByteBuf chunk = chunk();
      boolean last = departures.left() == 0;
      channel.write(chunk, channel.voidPromise());
      if (last) {
        departing = false;
        acknowledged.wake();
        break;
      }
    }
    channel.flush();
  }

  private final class Events extends NettyAcknowledgements {
    Events() {
      super(acknowledged);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (departing && channel.isWritable()) {
        writeOn();
      }
    }
  }

  @Override
  public void close() throws IOException {
    end.close();
  }
}
