package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import io.arraywire.wire.SessionOffer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A blocking socket without any of Arraywire above it, to play a peer, or a stranger. */
final class RawPeer implements AutoCloseable {
  /** Credit that no test uses up. */
  private static final long PLENTY = 1L << 60;

  private final SocketChannel channel;
  private final InputStream in;

  private RawPeer(SocketChannel channel) {
    this.channel = channel;
    in = Channels.newInputStream(channel);
  }

  static RawPeer connect(SocketAddress address) throws IOException {
    return new RawPeer(SocketChannel.open(address));
  }

  /** A listening socket without any of Arraywire above it. */
  static final class Server implements AutoCloseable {
    private final ServerSocketChannel channel;

    private Server(ServerSocketChannel channel) {
      this.channel = channel;
    }

    static Server listen(SocketAddress address) throws IOException {
      ServerSocketChannel channel =
          address instanceof UnixDomainSocketAddress
              ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
              : ServerSocketChannel.open();
      return new Server(channel.bind(address));
    }

    SocketAddress address() throws IOException {
      return channel.getLocalAddress();
    }

    RawPeer accept() throws IOException {
      return new RawPeer(channel.accept());
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  void send(byte[] bytes) throws IOException {
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
    channel.close();
  }

  // The handshake.

  /** An offer of everything that has plain elements, without checksums. */
  static Offer offer() {
    return offer(
        Map.of(
            Encoding.RAW_LITTLE_ENDIAN.code(), Encoding.RAW_LITTLE_ENDIAN.name(),
            Encoding.RAW_BIG_ENDIAN.code(), Encoding.RAW_BIG_ENDIAN.name()),
        new byte[0]);
  }

  static Offer offer(Map<Integer, String> encodings, byte[] token) {
    Set<Integer> types = new TreeSet<>();
    for (ElementType type : ElementType.values()) {
      types.add(type.code());
    }
    return new Offer(
        encodings,
        types,
        ByteOrder.nativeOrder(),
        1 << 30,
        1 << 20,
        false,
        token,
        "raw peer",
        new FlowOffer(1, PLENTY, PLENTY, 0, 0));
  }

  /** The same of a peer that says something else of credit, channels and heartbeats. */
  static Offer offer(FlowOffer flow) {
    Offer plain = offer();
    return new Offer(
        plain.encodings(),
        plain.elementTypes(),
        plain.nativeOrder(),
        plain.maxArrayBytes(),
        plain.maxFrameBytes(),
        plain.checksums(),
        plain.token(),
        plain.library(),
        flow);
  }

  void sendHello(Offer offer) throws IOException {
    send(Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, HandshakeMessage.hello(offer)));
  }

  void sendWelcome(Offer offer) throws IOException {
    send(
        Preamble.write(
            FrameLayout.VERSION,
            FrameLayout.VERSION,
            HandshakeMessage.welcome(offer, FrameLayout.VERSION)));
  }

  HandshakeMessage readHandshake() throws IOException {
    Preamble preamble = Preamble.read(whole(Preamble.BYTES));
    byte[] message = whole(preamble.messageBytes());
    preamble.checkMessage(message);
    return HandshakeMessage.read(message);
  }

  private byte[] whole(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(
          "the stream ended inside the handshake (received="
              + bytes.length
              + ", expected="
              + length
              + ")");
    }
    return bytes;
  }

  /** An offer of one that gives so much credit for a channel and for all. */
  static Offer offer(long credit) {
    return offer(new FlowOffer(256, credit, credit, 0, 64));
  }

  /** Completes the handshake as the side that connects, and returns this. */
  RawPeer shakeHands() throws IOException {
    return shakeHands(offer());
  }

  /** The same as one that gives so much credit. */
  RawPeer shakeHands(long credit) throws IOException {
    return shakeHands(offer(credit));
  }

  /** The same as one that wants a session. */
  RawPeer opensSession() throws IOException {
    SessionOffer wanted = new SessionOffer(Integer.MAX_VALUE, new byte[0], new byte[0]);
    send(
        Preamble.write(
            FrameLayout.VERSION,
            FrameLayout.VERSION,
            HandshakeMessage.hello(offer(PLENTY), wanted)));
    return welcomed();
  }

  RawPeer shakeHands(Offer offer) throws IOException {
    sendHello(offer);
    return welcomed();
  }

  private RawPeer welcomed() throws IOException {
    HandshakeMessage answer = readHandshake();
    if (answer.kind() != HandshakeMessage.Kind.WELCOME) {
      throw new ProtocolException(ErrorCode.NEGOTIATION_FAILED, answer.toString());
    }
    return this;
  }
}
