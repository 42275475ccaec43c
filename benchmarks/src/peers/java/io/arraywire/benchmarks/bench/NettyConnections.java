package io.arraywire.benchmarks.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Many connections over Netty, with the bytes of {@link RawSelector}: pooled direct buffers that
 * are filled and read in bulk, and the next array of a connection is sent on the event loop, where
 * the acknowledgement of the one before has come.
 *
 * @param kind how it waits for sockets
 */
record NettyConnections(NettyContender kind) implements ConnectionsContender {
  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public String summary() {
    return kind.summary() + ", event loops at each end: " + NettyAnswers.loops();
  }

  @Override
  public @Nullable String unavailable(int connections) {
    return kind.unavailable();
  }

  @Override
  public Receiver listen(Targets targets) throws Exception {
    EventLoopGroup group = kind.group(NettyAnswers.loops());
    Channel listening =
        kind.listen(
            group,
            targets.connections(),
            pipeline ->
                pipeline.addLast(new Receiving(targets, new IncomingArray(targets.next()))));
    return Receiver.of(
        Loopback.TCP.number(listening.localAddress()), () -> NettyContender.end(group));
  }

  @Override
  public Sender connect(int port, float[][] sources) throws Exception {
    EventLoopGroup group = kind.group(NettyAnswers.loops());
    List<Sending> connections = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      Sending sending = new Sending(i, new OutgoingArray(sources[i]));
      var unused = kind.connect(group, port, pipeline -> pipeline.addLast(sending));
      connections.add(sending);
    }
    return new Sender() {
      @Override
      public void run(int count, ClosedLoops loops) throws Exception {
        List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
        for (Sending each : connections) {
          ends.add(each.run(count, loops));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get();
      }

      @Override
      public void close() {
        NettyContender.end(group);
      }
    };
  }

  /** Takes the arrays of a connection; on its event loop. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
  private static final class Receiving extends ChannelInboundHandlerAdapter {
    private final Targets targets;
    private final IncomingArray incoming;

    Receiving(Targets targets, IncomingArray incoming) {
      this.targets = targets;
      this.incoming = incoming;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      boolean whole;
      try {
        whole = take(in);
      } finally {
        in.release();
      }
      if (whole) {
        targets.arrived();
        context.writeAndFlush(context.alloc().directBuffer(1).writeZero(1), context.voidPromise());
      }
    }

    private boolean take(ByteBuf in) {
      return incoming.takeMore(
          in.internalNioBuffer(in.readerIndex(), in.readableBytes())
              .order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      System.err.println("no more arrays: " + cause);
      context.close();
    }
  }

  /** Sends the arrays of a connection; on its event loop. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails comes to exceptionCaught.
  private static final class Sending extends ChannelInboundHandlerAdapter {
    private final int number;
    private final OutgoingArray outgoing;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Work work;

    /** What goes on until all loops end. */
    private record Work(int count, ClosedLoops loops, CompletableFuture<@Nullable Void> end) {}

    Sending(int number, OutgoingArray outgoing) {
      this.number = number;
      this.outgoing = outgoing;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    /** From the thread that begins. */
    CompletableFuture<@Nullable Void> run(int count, ClosedLoops loops) {
      CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
      ChannelHandlerContext here = context;
      if (here == null) {
        throw new IllegalStateException("not connected");
      }
      here.executor()
          .execute(() -> {
            Work begun = new Work(count, loops, end);
            work = begun;
            send(here, begun);
          });
      return end;
    }

    private void send(ChannelHandlerContext here, Work begun) {
      begun.loops().begins(number);
      outgoing.begin(begun.count());
      sendOn(here);
    }

    /** As much as the channel has room for; the rest when it says that it has. */
    private void sendOn(ChannelHandlerContext here) {
      while (outgoing.hasRemaining() && here.channel().isWritable()) {
        int most = Math.min(outgoing.left(), NettyContender.CHUNK_BYTES);
        ByteBuf chunk = here.alloc().directBuffer(most);
        var bytes = chunk.internalNioBuffer(0, most).slice().order(ByteOrder.LITTLE_ENDIAN);
        outgoing.stage(bytes);
        outgoing.wrote(bytes.remaining());
        here.write(chunk.writerIndex(bytes.limit()), here.voidPromise());
      }
      here.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext here) {
      if (outgoing.hasRemaining() && here.channel().isWritable()) {
        sendOn(here);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
      ((ByteBuf) message).release();
      Work begun = work;
      if (begun == null) {
        throw new IllegalStateException("an acknowledgement of no array");
      }
      if (begun.loops().acknowledged(number)) {
        send(here, begun);
      } else {
        work = null;
        begun.end().complete(null);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) {
      fail(new IOException("the other end closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
      fail(cause);
      here.close();
    }

    private void fail(Throwable cause) {
      Work begun = work;
      if (begun != null) {
        begun.end().completeExceptionally(cause);
      }
    }
  }
}
