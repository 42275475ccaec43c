package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The asking end of {@link NettyAnswers}. Requests that several threads make at the same time leave
 * with one system call, for which Netty has {@link FlushConsolidationHandler}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
final class NettyRequests implements AnswersContender.Client, AnswersContender.Asking {
  /** At most so many writes share one flush; the default of Netty. */
  private static final int CONSOLIDATED =
      FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES;

  private final Channel channel;
  private final Map<Integer, AnswerTarget> open;
  private final AtomicInteger numbers = new AtomicInteger();

  private NettyRequests(Channel channel, Map<Integer, AnswerTarget> open) {
    this.channel = channel;
    this.open = open;
  }

  static NettyRequests connect(NettyContender kind, EventLoopGroup group, int port, int count)
      throws InterruptedException {
    Map<Integer, AnswerTarget> open = new ConcurrentHashMap<>();
    Channel channel =
        kind.connect(
            group,
            port,
            pipeline ->
                pipeline.addLast(
                    new FlushConsolidationHandler(CONSOLIDATED, true),
                    NettyAnswers.decoder(count),
                    new Answers(open)));
    return new NettyRequests(channel, open);
  }

  @Override
  public void request(float[] request, float[] answer) throws IOException {
    OpenRequest waiting = new OpenRequest(answer);
    begin(request, waiting);
    waiting.await();
  }

  @Override
  public void ask(PacedRequest request) {
    begin(request.request(), request);
  }

  private void begin(float[] request, AnswerTarget waiting) {
    int number = numbers.getAndIncrement();
    open.put(number, waiting);
    channel.writeAndFlush(NettyAnswers.frame(channel, number, request), channel.voidPromise());
    if (!channel.isActive()) {
      // If the connection closed before this request was in the map, nothing else fails it.
      waiting.fail(new IOException("the connection is closed"));
    }
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
  }

  /** On the event loop. */
  private static final class Answers extends ChannelInboundHandlerAdapter {
    private final Map<Integer, AnswerTarget> open;

    Answers(Map<Integer, AnswerTarget> open) {
      this.open = open;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf frame = (ByteBuf) message;
      AnswerTarget waiting = open.remove(frame.readInt());
      if (waiting == null) {
        throw new IllegalStateException("an answer to no request");
      }
      NettyAnswers.elements(frame, waiting.answer());
      frame.release();
      waiting.answered();
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
      open.values().forEach(each -> each.fail(cause));
    }
  }
}
