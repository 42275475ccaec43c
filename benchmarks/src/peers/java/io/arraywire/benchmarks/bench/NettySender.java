package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends an array in chunks, each encoded when there is room for it, and counts acknowledgements.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettySender extends ChannelInboundHandlerAdapter {
  /** Less than a wake-up costs; then the caller sleeps. */
  private static final long SPIN_NANOS = 50_000;

  private final float[] source;

  /** How many arrays were ever sent; the calling thread's. */
  private long sent;

  private volatile long acknowledged;
  private volatile @Nullable Thread waiting;
  private volatile @Nullable Throwable failure;

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
    await(sent);
  }

  long stream(Channel channel, int count, int window, BooleanSupplier more) throws IOException {
    // Half a window at a time, as the contenders without a library do: one flush for all of them.
    int batch = Math.max(1, window / 2);
    long before = sent;
    while (more.getAsBoolean()) {
      await(sent + batch - window);
      writeSmall(channel, count, batch);
      sent += batch;
    }
    await(sent);
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
    // Written by this thread only.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    long now = acknowledged + acks.readableBytes();
    acks.release();
    acknowledged = now;
    LockSupport.unpark(waiting);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(new IOException("the other end closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause);
    context.close();
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    LockSupport.unpark(waiting);
  }

  private void await(long arrays) throws IOException {
    long start = System.nanoTime();
    while (acknowledged < arrays) {
      Throwable failed = failure;
      if (failed != null) {
        throw new IOException("the connection failed", failed);
      }
      if (System.nanoTime() - start < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        waiting = Thread.currentThread();
        if (acknowledged < arrays && failure == null) {
          LockSupport.park(this);
        }
        waiting = null;
      }
    }
  }
}
