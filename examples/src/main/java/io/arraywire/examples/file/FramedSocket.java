package io.arraywire.examples.file;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Negotiation;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The end of a framed connection that accepts, over a blocking channel, as {@code docs/protocol.md}
 * describes it: the handshake, frame headers and the frames without elements. Elements go past it,
 * straight between the channel and a file. There is one channel, and the peer may send without end:
 * it reads at once what the peer sends. For one thread.
 */
final class FramedSocket implements Closeable {
  /** The largest payload of a frame here, as in the library. */
  static final int MAX_FRAME_BYTES = 1 << 20;

  /** How many pings without an array are answered: peers are anybody. */
  private static final int MOST_PINGS = 200;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private static final long UNLIMITED = 1L << 62;

  /** One channel, credit without end, no heartbeats, no subscriptions. */
  private static final FlowOffer FLOW = new FlowOffer(1, UNLIMITED, UNLIMITED, 0, 0);

  private final SocketChannel channel;
  private final SocketAddress peerAddress;
  private final Patience patience;
  private final Watchdog watchdog;
  private final Offer own;
  private final Offer peer;
  private final FrameHeader out = new FrameHeader();
  private final FrameHeader in = new FrameHeader();
  private final ByteBuffer header = ByteBuffer.allocateDirect(FrameLayout.HEADER_BYTES);
  private long operations;
  private int pings;

  private FramedSocket(
      SocketChannel channel, long maxArrayBytes, SocketAddress peerAddress, Patience patience)
      throws IOException {
    this.channel = channel;
    this.patience = patience;
    this.peerAddress = peerAddress;
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      // No heartbeats are promised: a host that is gone is missed by the kernel.
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }
    own = offer(maxArrayBytes, !sameHost(channel.getLocalAddress(), peerAddress));
    watchdog = new Watchdog(channel);
    watchdog.expect(
        patience.handshake(),
        () ->
            new HandshakeException(
                ErrorCode.HANDSHAKE_TIMEOUT,
                "the peer did not finish its handshake in time; it may not speak Arraywire",
                "peer",
                peerAddress,
                "connectTimeout",
                patience.handshake()));
    try {
      peer = beGreeted();
    } catch (IOException e) {
      if (ErrorCode.BAD_MAGIC.isOf(e) && peerAddress instanceof InetSocketAddress) {
        // A peer in plain mode that only sends would take an orderly end for success.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
      close();
      throw typed(e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Answers. The channel is closed if that fails. */
  static FramedSocket accept(SocketChannel channel, long maxArrayBytes, Patience patience)
      throws IOException {
    return new FramedSocket(channel, maxArrayBytes, channel.getRemoteAddress(), patience);
  }

  private static Offer offer(long maxArrayBytes, boolean checksums) {
    return new Offer(
        Map.of(
            Encoding.RAW_LITTLE_ENDIAN.code(), Encoding.RAW_LITTLE_ENDIAN.name(),
            Encoding.RAW_BIG_ENDIAN.code(), Encoding.RAW_BIG_ENDIAN.name()),
        Arrays.stream(ElementType.values()).map(ElementType::code).collect(Collectors.toSet()),
        ByteOrder.nativeOrder(),
        maxArrayBytes,
        MAX_FRAME_BYTES,
        checksums,
        new byte[0],
        "arraywire files",
        FLOW);
  }

  /** Checksums guard against networks; see ADR 22. */
  private static boolean sameHost(SocketAddress here, SocketAddress there) {
    if (there instanceof UnixDomainSocketAddress) {
      return true;
    }
    InetAddress host = ((InetSocketAddress) there).getAddress();
    return host.isLoopbackAddress() || host.equals(((InetSocketAddress) here).getAddress());
  }

  // Handshake.

  private Offer beGreeted() throws IOException {
    Preamble preamble = readPreamble();
    try {
      HandshakeMessage message = readMessage(preamble);
      int version = Negotiation.version(preamble);
      Offer hello = message.offer();
      if (message.kind() != HandshakeMessage.Kind.HELLO || hello == null) {
        throw unexpected("the handshake message is not a hello");
      }
      Negotiation.agree(own, hello);
      write(preamble(HandshakeMessage.welcome(own, version)));
      return hello;
    } catch (ArraywireException e) {
      tell(e, () -> write(preamble(HandshakeMessage.reject(e))));
      throw e;
    }
  }

  private static ByteBuffer preamble(byte[] message) {
    return ByteBuffer.wrap(Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, message));
  }

  private Preamble readPreamble() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Preamble.BYTES);
    String where = "the peer closed the connection during the handshake";
    // A stranger may say less than a preamble and then wait.
    read(bytes.limit(Integer.BYTES), where);
    Preamble.checkMagic(bytes.order(ByteOrder.LITTLE_ENDIAN), 0);
    read(bytes.limit(Preamble.BYTES), where);
    return Preamble.read(bytes.array());
  }

  private HandshakeMessage readMessage(Preamble preamble) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(preamble.messageBytes());
    read(bytes, "the peer closed the connection during the handshake");
    preamble.checkMessage(bytes.array());
    return HandshakeMessage.read(bytes.array());
  }

  // What was agreed.

  Offer own() {
    return own;
  }

  SocketAddress peerAddress() {
    return peerAddress;
  }

  SocketChannel channel() {
    return channel;
  }

  boolean checksums() {
    return own.checksums() || peer.checksums();
  }

  /** Operations of the channel that moved something, so far. */
  long operations() {
    return operations;
  }

  /** Bytes of an array went past this. */
  void moved(long bytes) {
    operations++;
    pings = 0;
    watchdog.moved(bytes);
  }

  // Frames.

  /** An empty header to be filled in and given to {@link #write(FrameHeader, byte[])}. */
  FrameHeader next(FrameType type) {
    return out.clear(type);
  }

  /** Writes a header and what follows it here. */
  void write(FrameHeader frame, byte[] body) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES + body.length);
    frame.write(bytes);
    write(bytes.put(body).flip());
  }

  /** Writes a frame that has nothing but a type. */
  void write(FrameType type) throws IOException {
    write(next(type), new byte[0]);
  }

  private void writeFault(FrameHeader frame, ArraywireException fault) throws IOException {
    byte[] body = FaultBody.write(fault);
    frame.payloadBytes = body.length;
    if (checksums()) {
      frame.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      frame.payloadChecksum = checksum(body);
    }
    write(frame, body);
  }

  /** Refuses an array that has come whole. */
  void reject(long sequence, ArraywireException fault) throws IOException {
    FrameHeader frame = next(FrameType.REJECTED);
    frame.sequence = sequence;
    writeFault(frame, fault);
  }

  /** Reads the next header; null at the end of the stream. Pings are answered on the way. */
  @Nullable FrameHeader read() throws IOException {
    while (true) {
      header.clear();
      if (channel.read(header) < 0) {
        return null;
      }
      read(header, "the stream ended inside a frame");
      in.read(header.flip());
      if (in.channel != 0) {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE, "a channel that was not agreed", "channel", in.channel);
      }
      if (in.type != FrameType.PING) {
        return in;
      }
      if (++pings > MOST_PINGS) {
        throw new ProtocolException(
            ErrorCode.CONTROL_FLOOD,
            "the peer sends too many control frames without effect",
            "type",
            in.type,
            "limit",
            MOST_PINGS);
      }
      FrameHeader pong = next(FrameType.PONG);
      pong.tag = in.tag;
      write(pong, new byte[0]);
    }
  }

  /** Reads the fault that a frame carries. */
  ArraywireException readFault(FrameHeader frame) throws IOException {
    if (frame.payloadBytes > FrameLayout.MAX_CONTROL_BYTES || frame.attributeBytes > 0) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "a control frame is too large",
          "declared",
          frame.payloadBytes,
          "limit",
          FrameLayout.MAX_CONTROL_BYTES);
    }
    byte[] body = readBytes((int) frame.payloadBytes);
    if (frame.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM)) {
      checkPayload(frame, checksum(body));
    }
    return FaultBody.read(body);
  }

  byte[] readBytes(int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    read(bytes, "the stream ended inside a frame");
    return bytes.array();
  }

  static void checkPayload(FrameHeader frame, int computed) throws ProtocolException {
    if (frame.payloadChecksum != computed) {
      throw new ProtocolException(
          ErrorCode.PAYLOAD_CHECKSUM,
          "a payload was damaged on its way",
          "declared",
          "0x" + Integer.toHexString(frame.payloadChecksum),
          "computed",
          "0x" + Integer.toHexString(computed));
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length);
    return (int) checksum.getValue();
  }

  static ProtocolException unexpected(String text, Object... facts) {
    return new ProtocolException(ErrorCode.PROTOCOL_VIOLATION, text, facts);
  }

  private void read(ByteBuffer bytes, String where) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new ProtocolException(
            ErrorCode.TRUNCATED, where, "received", bytes.position(), "expected", bytes.limit());
      }
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
      operations++;
    }
  }

  // Time and failures.

  /** From now on the peer must take or give something every now and then. */
  void expectMoves() {
    watchdog.expect(
        patience.stall(),
        () ->
            new ConnectionLostException(
                ErrorCode.SLOW_PEER,
                "the peer sent or read next to nothing for too long",
                "peer",
                peerAddress,
                "leastBytes",
                Watchdog.LEAST_BYTES,
                "stallTimeout",
                patience.stall()));
  }

  /** From now on the peer has a while to begin an array, or to go once it has none any more. */
  void expectFrame() {
    watchdog.expect(
        patience.idle(),
        () ->
            new ConnectionLostException(
                ErrorCode.IDLE_TIMEOUT,
                "the peer sent no array for too long and did not go",
                "peer",
                peerAddress,
                "idleTimeout",
                patience.idle()));
  }

  /** Whether a failure to move bytes between a file and the channel is the channel's. */
  boolean isOfChannel(IOException e) {
    String text = String.valueOf(e.getMessage());
    return e instanceof SocketException
        || e instanceof ClosedChannelException
        || e instanceof ArraywireException
        || text.startsWith("Broken pipe")
        || text.startsWith("Connection ");
  }

  /** A failure of the channel as one that says what it means. */
  ArraywireException typed(IOException e) {
    ArraywireException late = watchdog.failure();
    if (late != null) {
      return late;
    }
    return e instanceof ArraywireException known
        ? known
        : new ConnectionLostException(
                ErrorCode.CONNECTION_RESET,
                "the connection broke",
                "peer",
                peerAddress,
                "cause",
                String.valueOf(e.getMessage()))
            .because(e);
  }

  /** Something that may fail when the connection does. */
  private interface Attempt {
    void run() throws IOException;
  }

  /** Tells the peer why this side gives up, and closes. */
  void fail(ArraywireException cause) {
    tell(cause, () -> writeFault(next(FrameType.ERROR), cause));
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * The peer reads the last words only if this side has read what is under way: else the kernel
   * throws away both.
   */
  private void tell(ArraywireException cause, Attempt words) {
    watchdog.expect(CLOSE_TIMEOUT, () -> cause);
    try {
      words.run();
      channel.shutdownOutput();
      ByteBuffer dropped = ByteBuffer.allocate(64 << 10);
      long end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
      while (channel.read(dropped.clear()) >= 0 && System.nanoTime() < end) {
        // It is of no use any more.
      }
    } catch (IOException e) {
      // The peer is gone, or does not listen: it cannot be told.
      cause.addSuppressed(e);
    }
  }

  /**
   * Ends the output and reads to the end of the stream, as a peer expects of a side that closes.
   */
  void endInOrder() throws IOException {
    watchdog.expect(
        CLOSE_TIMEOUT,
        () -> new ConnectionLostException(ErrorCode.CONNECTION_RESET, "the peer does not close"));
    channel.shutdownOutput();
    ByteBuffer dropped = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    while (channel.read(dropped.clear()) >= 0) {
      // Nothing of it is for this side.
    }
    close();
  }

  @Override
  public void close() throws IOException {
    watchdog.close();
    channel.close();
  }
}
