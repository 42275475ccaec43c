package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests over Netty, written for speed: a length and a number precede the elements, {@link
 * LengthFieldBasedFrameDecoder} cuts the frames, pooled buffers are filled and read in bulk. The
 * handler answers on the event loop, and all answers to what was read at once leave with one flush;
 * a slow one is answered by the event loop's timer.
 *
 * @param kind how it waits for sockets
 */
record NettyAnswers(NettyContender kind) implements AnswersContender {
  static final int HEADER_BYTES = 2 * Integer.BYTES;
  private static final int BACKLOG = 1_024;

  /** Event loops of all clients of a process, by the name of their contender. */
  private static final Map<String, EventLoopGroup> GROUPS = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public String summary() {
    return kind.summary() + ", length fields, event loops at each end: " + loops();
  }

  @Override
  public @Nullable String unavailable() {
    return kind.unavailable();
  }

  /** Both ends are on one machine, and more loops than processors get in each other's way. */
  static int loops() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  static LengthFieldBasedFrameDecoder decoder(int count) {
    return new LengthFieldBasedFrameDecoder(
        HEADER_BYTES + count * Float.BYTES, 0, Integer.BYTES, 0, Integer.BYTES);
  }

  /** A frame for the decoder. */
  static ByteBuf frame(Channel channel, int number, float[] elements) {
    int bytes = HEADER_BYTES + elements.length * Float.BYTES;
    ByteBuf frame = channel.alloc().directBuffer(bytes);
    frame.writeInt(bytes - Integer.BYTES).writeInt(number);
    return put(frame, elements, elements.length);
  }

  /** Adds elements to a frame that has room for them. */
  static ByteBuf put(ByteBuf frame, float[] elements, int count) {
    int at = frame.writerIndex();
    int bytes = count * Float.BYTES;
    frame
        .internalNioBuffer(at, bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(elements, 0, count);
    return frame.writerIndex(at + bytes);
  }

  /** The elements of a frame, whose number was read. */
  static void elements(ByteBuf frame, float[] elements) {
    frame
        .internalNioBuffer(frame.readerIndex(), frame.readableBytes())
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(elements);
  }

  @Override
  public int listen(SlowAnswers slow, int count) throws Exception {
    Channel listening =
        kind.listen(
            kind.group(loops()),
            BACKLOG,
            pipeline -> pipeline.addLast(decoder(count), new Answering(slow, new float[count])));
    return Loopback.TCP.number(listening.localAddress());
  }

  @Override
  public Client connect(int port, int count) throws Exception {
    return requests(port, count);
  }

  @Override
  public boolean asks() {
    return true;
  }

  @Override
  public Asking ask(int port, int count) throws Exception {
    return requests(port, count);
  }

  private NettyRequests requests(int port, int count) throws InterruptedException {
    EventLoopGroup group = GROUPS.computeIfAbsent(name(), any -> kind.group(loops()));
    return NettyRequests.connect(kind, group, port, count);
  }

  /** Answers; on the event loop of the connection. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
  private static final class Answering extends ChannelInboundHandlerAdapter {
    private final SlowAnswers slow;
    private final float[] array;

    Answering(SlowAnswers slow, float[] array) {
      this.slow = slow;
      this.array = array;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf request = (ByteBuf) message;
      int number = request.readInt();
      elements(request, array);
      request.release();
      ByteBuf answer = frame(context.channel(), number, array);
      if (slow.isSlow(AnswersContender.number(array[0]))) {
        context
            .executor()
            .schedule(
                () -> context.writeAndFlush(answer, context.voidPromise()),
                slow.delay().toMillis(),
                TimeUnit.MILLISECONDS);
      } else {
        context.write(answer, context.voidPromise());
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      System.err.println("no more requests: " + cause);
      context.close();
    }
  }
}
