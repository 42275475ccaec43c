package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Puts elements into an array as they come; on the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettyReceiver extends ChannelInboundHandlerAdapter {
  private static final int NO_ARRAY = -1;

  private record Serving(Contender.Tally tally, CompletableFuture<@Nullable Void> all) {}

  private final float[] target;
  private volatile @Nullable Serving serving;

  /** Elements of the present array that came and that are to come. */
  private int done;

  private int left = NO_ARRAY;

  /** Bytes of an element or header whose rest is in the next buffer. */
  private int partialBits;

  private int partialBytes;

  /** Arrays that came with the present buffers. */
  private int whole;

  NettyReceiver(float[] target) {
    this.target = target;
  }

  CompletableFuture<@Nullable Void> serve(Contender.Tally tally) {
    CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
    serving = new Serving(tally, all);
    return all;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable()) {
        if (left > 0 && partialBytes == 0 && in.readableBytes() >= Float.BYTES) {
          takeMany(in);
        } else {
          takeByte(in);
        }
      }
    } finally {
      in.release();
    }
  }

  private void takeMany(ByteBuf in) {
    int some = Math.min(left, in.readableBytes() / Float.BYTES);
    int bytes = some * Float.BYTES;
    in.internalNioBuffer(in.readerIndex(), bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(target, done, some);
    in.skipBytes(bytes);
    advance(some);
  }

  private void takeByte(ByteBuf in) {
    partialBits |= in.readUnsignedByte() << (Byte.SIZE * partialBytes);
    partialBytes++;
    if (partialBytes < Integer.BYTES) {
      return;
    }
    int bits = partialBits;
    partialBits = 0;
    partialBytes = 0;
    if (left == NO_ARRAY) {
      left = bits;
      done = 0;
    } else {
      target[done] = Float.intBitsToFloat(bits);
      advance(1);
    }
  }

  private void advance(int some) {
    done += some;
    left -= some;
    if (left == 0) {
      left = NO_ARRAY;
      whole++;
    }
  }

  /** Acknowledges what came with one write, however many arrays it was. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    int arrays = whole;
    if (arrays == 0) {
      return;
    }
    whole = 0;
    context.writeAndFlush(
        context.alloc().directBuffer(arrays).writeZero(arrays), context.voidPromise());
    Serving now = serving;
    if (now != null && !now.tally().add(arrays)) {
      serving = null;
      now.all().complete(null);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Serving now = serving;
    if (now != null) {
      now.all().completeExceptionally(cause);
    }
    context.close();
  }
}
