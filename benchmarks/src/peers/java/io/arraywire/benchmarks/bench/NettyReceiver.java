package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Puts elements into an array as they come; on the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettyReceiver extends ChannelInboundHandlerAdapter {
  private final Arrivals arrivals;

  /** Arrays that came with the present buffers. */
  private int whole;

  NettyReceiver(Arrivals arrivals) {
    this.arrivals = arrivals;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      whole += arrivals.put(in.internalNioBuffer(in.readerIndex(), in.readableBytes()));
    } finally {
      in.release();
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
    arrivals.acknowledged(arrays);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    arrivals.fail(cause);
    context.close();
  }
}
