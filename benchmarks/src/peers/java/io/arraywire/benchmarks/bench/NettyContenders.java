package io.arraywire.benchmarks.bench;

import io.arraywire.nio.NioTransport;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Netty with each of its ways to wait for sockets. */
public final class NettyContenders implements ContenderProvider {
  /** Asks the sockets again and again and does not sleep, but for when it is not its turn. */
  private static final SelectStrategyFactory BUSY =
      () -> (ready, tasks) -> tasks || Turn.isOurs() ? ready.get() : SelectStrategy.SELECT;

  /** For ServiceLoader. */
  public NettyContenders() {}

  @Override
  public List<Contender> contenders() {
    List<Contender> all = new ArrayList<>(sleeping());
    all.add(
        1,
        nio(
            "netty-nio-busy",
            "Netty, java.nio, always polling",
            NioIoHandler.newFactory(SelectorProvider.provider(), BUSY)));
    all.add(
        tls("netty-tls-jdk", "Netty, java.nio, SslHandler, the JDK's engine", null, NettyTls.JDK));
    all.add(
        tls(
            "netty-tls-openssl",
            "Netty, java.nio, SslHandler, BoringSSL",
            missing(OpenSsl.unavailabilityCause()),
            NettyTls.OPENSSL));
    if (OpenSsl.isAvailable()) {
      all.add(
          ArraywireContender.of(
              "nio-tls-openssl",
              "nio over TLS, with the same BoringSSL as Netty's",
              BenchTls.over(NioTransport::create, new OpenSslEngines())));
    }
    all.add(new NettyMessages(sleeping().get(0)));
    return all;
  }

  @Override
  public List<ConnectionsContender> connections() {
    return sleeping().stream().<ConnectionsContender>map(NettyConnections::new).toList();
  }

  @Override
  public List<AnswersContender> answers() {
    return sleeping().stream().<AnswersContender>map(NettyAnswers::new).toList();
  }

  private static List<NettyContender> sleeping() {
    return List.of(
        nio("netty-nio", "Netty, java.nio", NioIoHandler.newFactory()),
        new NettyContender(
            "netty-epoll",
            "Netty, epoll",
            missing(Epoll.unavailabilityCause()),
            EpollIoHandler::newFactory,
            EpollSocketChannel.class,
            EpollServerSocketChannel.class,
            NettyTls.NONE),
        new NettyContender(
            "netty-io_uring",
            "Netty, io_uring",
            missing(IoUring.unavailabilityCause()),
            IoUringIoHandler::newFactory,
            IoUringSocketChannel.class,
            IoUringServerSocketChannel.class,
            NettyTls.NONE));
  }

  private static NettyContender nio(String name, String summary, IoHandlerFactory factory) {
    return new NettyContender(
        name,
        summary,
        null,
        () -> factory,
        NioSocketChannel.class,
        NioServerSocketChannel.class,
        NettyTls.NONE);
  }

  private static NettyContender tls(
      String name, String summary, @Nullable String unavailable, NettyTls tls) {
    return new NettyContender(
        name,
        summary,
        unavailable,
        NioIoHandler::newFactory,
        NioSocketChannel.class,
        NioServerSocketChannel.class,
        tls);
  }

  /** Why natives are missing, in a line; null if they are not. */
  static @Nullable String missing(@Nullable Throwable cause) {
    if (cause == null) {
      return null;
    }
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }
}
