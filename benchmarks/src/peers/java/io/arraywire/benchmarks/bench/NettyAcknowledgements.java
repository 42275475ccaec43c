package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/** Counts acknowledgements, each of which is a byte. */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
class NettyAcknowledgements extends ChannelInboundHandlerAdapter {
  private final Acknowledged acknowledged;

  NettyAcknowledgements(Acknowledged acknowledged) {
    this.acknowledged = acknowledged;
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf acks = (ByteBuf) message;
    int arrays = acks.readableBytes();
    acks.release();
    acknowledged.add(arrays);
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    acknowledged.fail(new IOException("the other end closed the connection"));
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    acknowledged.fail(cause);
    context.close();
  }
}
