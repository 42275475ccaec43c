package io.arraywire.testkit;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A blocking socket without any of Arraywire above it, to play a peer, or a stranger. It may speak
 * TLS, by the JDK's own sockets.
 */
final class RawPeer implements AutoCloseable {
  private final SocketChannel channel;
  private final @Nullable SSLSocket tls;
  private final InputStream in;

  private RawPeer(SocketChannel channel, @Nullable SSLSocket tls) throws IOException {
    this.channel = channel;
    this.tls = tls;
    in = tls == null ? Channels.newInputStream(channel) : tls.getInputStream();
  }

  static RawPeer connect(SocketAddress address) throws IOException {
    return connect(address, null);
  }

  static RawPeer connect(SocketAddress address, @Nullable SSLContext context) throws IOException {
    return connect(address, context, tls -> {});
  }

  /** The same where TLS is as a test wants it. */
  static RawPeer connect(
      SocketAddress address, @Nullable SSLContext context, Consumer<SSLSocket> change)
      throws IOException {
    return over(SocketChannel.open(address), context, true, change);
  }

  /** The same from another address of this host. */
  static RawPeer connectFrom(
      InetAddress source, SocketAddress address, @Nullable SSLContext context) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(source, 0)).connect(address);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return over(channel, context, true, tls -> {});
  }

  private static RawPeer over(
      SocketChannel channel,
      @Nullable SSLContext context,
      boolean client,
      Consumer<SSLSocket> change)
      throws IOException {
    if (context == null) {
      return new RawPeer(channel, null);
    }
    SSLSocket tls =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(channel.socket(), "localhost", channel.socket().getPort(), true);
    tls.setUseClientMode(client);
    change.accept(tls);
    try {
      tls.startHandshake();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return new RawPeer(channel, tls);
  }

  /** A listening socket without any of Arraywire above it. */
  static final class Server implements AutoCloseable {
    private final ServerSocketChannel channel;
    private final @Nullable SSLContext context;

    private Server(ServerSocketChannel channel, @Nullable SSLContext context) {
      this.channel = channel;
      this.context = context;
    }

    static Server listen(SocketAddress address, @Nullable SSLContext context) throws IOException {
      ServerSocketChannel channel =
          address instanceof UnixDomainSocketAddress
              ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
              : ServerSocketChannel.open();
      return new Server(channel.bind(address), context);
    }

    SocketAddress address() throws IOException {
      return channel.getLocalAddress();
    }

    RawPeer accept() throws IOException {
      return accept(tls -> {});
    }

    /** The same where TLS is as a test wants it. */
    RawPeer accept(Consumer<SSLSocket> change) throws IOException {
      return over(channel.accept(), context, false, change);
    }

    /** Whether another peer connects within a time. */
    boolean comesWithin(Duration time) throws IOException {
      channel.configureBlocking(false);
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < time.toNanos()) {
        SocketChannel next = channel.accept();
        if (next != null) {
          next.close();
          return true;
        }
        LockSupport.parkNanos(1_000_000);
      }
      return false;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  void send(byte[] bytes) throws IOException {
    if (tls != null) {
      tls.getOutputStream().write(bytes);
    } else {
      sendInClear(bytes);
    }
  }

  /** Sends beneath TLS, where there is any. */
  void sendInClear(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  void send(byte[] bytes, int from, int to) throws IOException {
    send(Arrays.copyOfRange(bytes, from, to));
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(RawFrame frame) throws IOException {
    send(frame.bytes());
  }

  /** Waits until the far side has read all of it; returns false if it has closed before. */
  boolean isRead() throws IOException {
    send(RawFrame.control(FrameType.PING, 0));
    return next(FrameType.PONG) != null;
  }

  /** The far side's next frame of a type; null if it has closed before. */
  @Nullable RawFrame next(FrameType type) throws IOException {
    RawFrame frame = RawFrame.read(in);
    while (frame != null && frame.type() != type) {
      frame = RawFrame.read(in);
    }
    return frame;
  }

  /** The error with which the far side ends the connection; the frames before it are skipped. */
  RawFault nextError() throws IOException {
    RawFrame error = next(FrameType.ERROR);
    if (error == null) {
      throw new AssertionError("the peer was not told");
    }
    return RawFault.read(error.payload());
  }

  InputStream in() {
    return in;
  }

  /** Reads until the other side has closed, in whatever way. */
  byte[] readUntilClosed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (IOException reset) {
      // As good an end as any.
    }
    return all.toByteArray();
  }

  void shutdownOutput() throws IOException {
    if (tls != null) {
      tls.shutdownOutput();
      return;
    }
    channel.shutdownOutput();
  }

  /** What TLS was agreed on. */
  SSLSocket tls() {
    return Objects.requireNonNull(tls, "a peer without TLS");
  }

  /** Ends the stream beneath TLS, which does not say so. */
  void cut() throws IOException {
    channel.shutdownOutput();
  }

  /** Closes with a reset, where there is such a thing. */
  void reset() throws IOException {
    if (channel.getLocalAddress() instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    channel.close();
  }

  @Override
  public void close() throws IOException {
    if (tls == null) {
      channel.close();
    } else {
      tls.close();
    }
  }

  // The handshake.

  void sendHello(RawOffer offer) throws IOException {
    send(RawHandshake.bytes(FrameLayout.VERSION, FrameLayout.VERSION, offer.hello()));
  }

  void sendWelcome(RawOffer offer) throws IOException {
    send(
        RawHandshake.bytes(
            FrameLayout.VERSION, FrameLayout.VERSION, offer.welcome(FrameLayout.VERSION)));
  }

  RawHandshake readHandshake() throws IOException {
    return RawHandshake.read(in);
  }

  /** Completes the handshake as the side that connects, and returns this. */
  RawPeer shakeHands() throws IOException {
    return shakeHands(RawOffer.plain());
  }

  /** The same as one that gives so much credit. */
  RawPeer shakeHands(long credit) throws IOException {
    return shakeHands(RawOffer.plain().with(256, credit, credit, 0, 64));
  }

  /** The same as one that wants a session. */
  RawPeer opensSession() throws IOException {
    send(
        RawHandshake.bytes(
            FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.manyChannels().helloOfSession()));
    return welcomed();
  }

  RawPeer shakeHands(RawOffer offer) throws IOException {
    sendHello(offer);
    return welcomed();
  }

  private RawPeer welcomed() throws IOException {
    RawHandshake answer = readHandshake();
    if (answer.kind() != RawHandshake.Kind.WELCOME) {
      throw new ProtocolException(ErrorCode.NEGOTIATION_FAILED, answer.toString());
    }
    return this;
  }
}
