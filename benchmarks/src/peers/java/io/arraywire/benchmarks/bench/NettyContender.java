package io.arraywire.benchmarks.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Netty, as one writes it who knows it: one event loop at each end, pooled direct buffers of 64
 * KiB, filled and read in bulk, no copy in between. Before the elements goes an {@code int}, their
 * number; one byte acknowledges an array.
 *
 * @param name what it is called
 * @param summary what it does
 * @param unavailable why it cannot run here, or null
 * @param loops makes event loops
 * @param socket the kind of channel
 * @param server the kind of channel that accepts
 */
record NettyContender(
    String name,
    String summary,
    @Nullable String unavailable,
    Supplier<IoHandlerFactory> loops,
    Class<? extends Channel> socket,
    Class<? extends ServerChannel> server)
    implements Contender {
  /** Best of 16 KiB to 1 MiB for Netty when last measured: what is read stays in the cache. */
  static final int CHUNK_BYTES = 64 << 10;

  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(4 * CHUNK_BYTES, 8 * CHUNK_BYTES);

  private EventLoopGroup group() {
    return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), loops.get());
  }

  private static void end(EventLoopGroup group) {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
  }

  @Override
  public Receiver listen(float[] target) throws IOException, InterruptedException {
    EventLoopGroup group = group();
    NettyReceiver handler = new NettyReceiver(target);
    Channel listening =
        new ServerBootstrap()
            .group(group)
            .channel(server)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(CHUNK_BYTES))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel peer) {
                    peer.pipeline().addLast(handler);
                  }
                })
            .bind(Loopback.TCP.free())
            .sync()
            .channel();
    return new Receiving(group, listening, handler);
  }

  @Override
  public Sender connect(int port, float[] source) throws InterruptedException {
    EventLoopGroup group = group();
    NettySender handler = new NettySender(source);
    Channel channel =
        new Bootstrap()
            .group(group)
            .channel(socket)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler((ChannelHandler) handler)
            .connect(Loopback.TCP.numbered(port))
            .sync()
            .channel();
    return new Sending(group, channel, handler);
  }

  private record Receiving(EventLoopGroup group, Channel listening, NettyReceiver handler)
      implements Receiver {

    @Override
    public int port() {
      return Loopback.TCP.number(listening.localAddress());
    }

    @Override
    public void serve(int count, Tally tally) throws Exception {
      CompletableFuture<@Nullable Void> all = handler.serve(tally);
      all.get();
    }

    @Override
    public void close() {
      end(group);
    }
  }

  private record Sending(EventLoopGroup group, Channel channel, NettySender handler)
      implements Sender {

    @Override
    public void send(int count) throws IOException {
      handler.send(channel, count);
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) throws IOException {
      return handler.stream(channel, count, window, more);
    }

    @Override
    public void close() {
      end(group);
    }
  }
}
