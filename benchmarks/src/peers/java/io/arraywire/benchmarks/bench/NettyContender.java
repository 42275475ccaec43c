package io.arraywire.benchmarks.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Netty, as its experts use it: one event loop at each end, pooled direct buffers of 64 KiB, filled
 * and read in bulk, no copy in between; one byte acknowledges an array.
 *
 * @param name what it is called
 * @param summary what it does
 * @param unavailable why it cannot run here, or null
 * @param loops makes event loops
 * @param socket the kind of channel
 * @param server the kind of channel that accepts
 * @param tls makes what lies between arrays and socket
 */
record NettyContender(
    String name,
    String summary,
    @Nullable String unavailable,
    Supplier<IoHandlerFactory> loops,
    Class<? extends Channel> socket,
    Class<? extends ServerChannel> server,
    NettyTls tls)
    implements Contender {
  /** Best of 16 KiB to 1 MiB for Netty when last measured: what is read stays in the cache. */
  static final int CHUNK_BYTES = 64 << 10;

  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(4 * CHUNK_BYTES, 8 * CHUNK_BYTES);

  private EventLoopGroup group() {
    return group(1);
  }

  /** So many event loops, whose threads do not keep the process alive. */
  EventLoopGroup group(int number) {
    return new MultiThreadIoEventLoopGroup(
        number, new DefaultThreadFactory(name, true), loops.get());
  }

  /**
   * Opens a server of small messages.
   *
   * @param handlers adds those of a connection
   */
  Channel listen(EventLoopGroup group, int backlog, Consumer<ChannelPipeline> handlers)
      throws IOException, InterruptedException {
    return new ServerBootstrap()
        .group(group)
        .channel(server)
        .option(ChannelOption.SO_BACKLOG, backlog)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(initializer(handlers))
        .bind(Loopback.TCP.free())
        .sync()
        .channel();
  }

  /** Connects to it. */
  Channel connect(EventLoopGroup group, int port, Consumer<ChannelPipeline> handlers)
      throws InterruptedException {
    return new Bootstrap()
        .group(group)
        .channel(socket)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(initializer(handlers))
        .connect(Loopback.TCP.numbered(port))
        .sync()
        .channel();
  }

  private static ChannelInitializer<Channel> initializer(Consumer<ChannelPipeline> handlers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel peer) {
        handlers.accept(peer.pipeline());
      }
    };
  }

  @Override
  public boolean usual() {
    return tls == NettyTls.NONE;
  }

  static void end(EventLoopGroup group) {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
  }

  @Override
  public Receiver listen(float[] target) throws IOException, InterruptedException {
    EventLoopGroup group = group();
    Arrivals arrivals = new Arrivals(target);
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
                  protected void initChannel(Channel peer) throws SSLException {
                    tls.addTo(peer, false);
                    peer.pipeline().addLast(new NettyReceiver(arrivals));
                  }
                })
            .bind(Loopback.TCP.free())
            .sync()
            .channel();
    return arrivals.receiver(Loopback.TCP.number(listening.localAddress()), () -> end(group));
  }

  @Override
  public Sender connect(int port, float[] source) throws SSLException, InterruptedException {
    EventLoopGroup group = group();
    Channel channel =
        new Bootstrap()
            .group(group)
            .channel(socket)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel peer) throws SSLException {
                    tls.addTo(peer, true);
                  }
                })
            .connect(Loopback.TCP.numbered(port))
            .sync()
            .channel();
    NettyTls.check(channel);
    NettySender sender = new NettySender(channel, source, () -> end(group));
    channel.pipeline().addLast(sender.events());
    return sender;
  }
}
