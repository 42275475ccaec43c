package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

/**
 * Sends an array in chunks, each encoded when there is room for it, and counts acknowledgements.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettySender extends ChannelInboundHandlerAdapter {
  private final float[] source;

  /** How many arrays were ever sent; the calling thread's. */
  private long sent;

  private final Acknowledged acknowledged = new Acknowledged();

  /** What the event loop sends: elements of the present array that went, and all of them. */
  private int position;

  private int end;

  NettySender(float[] source) {
    this.source = source;
  }

  void send(Channel channel, int count) throws IOException {
    if (count * Float.BYTES + Integer.BYTES <= NettyContender.CHUNK_BYTES) {
      writeSmall(channel, count, 1);
    } else {
      channel.eventLoop().execute(() -> begin(channel, count));
    }
    sent++;
    acknowledged.await(sent);
  }

  long stream(Channel channel, int count, int window, BooleanSupplier more) throws IOException {
    // Half a window at a time, as the contenders without a library do: one flush for all of them.
    int batch = Math.max(1, window / 2);
    long before = sent;
    while (more.getAsBoolean()) {
      acknowledged.await(sent + batch - window);
      writeSmall(channel, count, batch);
      sent += batch;
    }
    acknowledged.await(sent);
    return sent - before;
  }

  private void writeSmall(Channel channel, int count, int arrays) {
    int bytes = count * Float.BYTES;
    ByteBuf out = channel.alloc().directBuffer(arrays * (Integer.BYTES + bytes));
    for (int i = 0; i < arrays; i++) {
      out.writeIntLE(count);
      put(out, 0, count);
    }
    channel.writeAndFlush(out, channel.voidPromise());
  }

  private void put(ByteBuf out, int from, int count) {
    int bytes = count * Float.BYTES;
    out.internalNioBuffer(out.writerIndex(), bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(source, from, count);
    out.writerIndex(out.writerIndex() + bytes);
  }

  private void begin(Channel channel, int count) {
    channel.write(
        channel.alloc().directBuffer(Integer.BYTES).writeIntLE(count), channel.voidPromise());
    position = 0;
    end = count;
    writeOn(channel);
  }

  /** As much as the channel has room for; the rest when it says that it has. */
  private void writeOn(Channel channel) {
    while (position < end && channel.isWritable()) {
      int some = Math.min(end - position, NettyContender.CHUNK_BYTES / Float.BYTES);
      ByteBuf chunk = channel.alloc().directBuffer(NettyContender.CHUNK_BYTES);
      int from = position;
      position += some;
      put(chunk, from, some);
      channel.write(chunk, channel.voidPromise());
    }
    channel.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (position < end && context.channel().isWritable()) {
      writeOn(context.channel());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf acks = (ByteBuf) message;
    int arrays = acks.readableBytes();
    acks.release();
    acknowledged.add(arrays);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    acknowledged.fail(new IOException("the other end closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    acknowledged.fail(cause);
    context.close();
  }
}
