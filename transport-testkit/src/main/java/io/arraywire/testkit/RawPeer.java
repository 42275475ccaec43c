package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A peer that speaks bytes: well, badly, or something else altogether. For tests of what a
 * transport does with them, over TCP, Unix domain sockets or memory.
 *
 * <p>Its methods block; one thread may read while another writes.
 */
public final class RawPeer implements AutoCloseable {
  private static final int PIPE_BYTES = 64 << 10;

  private final RawSocket socket;
  private final InputStream in;
  private final OutputStream out;

  private RawPeer(RawSocket socket) {
    this.socket = socket;
    in = socket.inputStream();
    out = socket.outputStream();
  }

  /**
   * Connects to a listener, and says nothing.
   *
   * @param address a {@link MemoryAddress}, or an address of a {@link SocketChannel}
   * @return the peer, to be closed by the caller
   * @throws IOException if it cannot connect
   */
  public static RawPeer connect(SocketAddress address) throws IOException {
    return new RawPeer(
        address instanceof MemoryAddress memory
            ? RawSocket.of(MemoryNetwork.connect(memory, PIPE_BYTES))
            : RawSocket.of(SocketChannel.open(address)));
  }

  /**
   * Listens, so that connectors meet a raw peer.
   *
   * @param address where to listen
   * @return the door, to be closed by the caller
   * @throws IOException if it cannot be listened on
   */
  public static Door listen(SocketAddress address) throws IOException {
    return address instanceof MemoryAddress memory ? memoryDoor(memory) : socketDoor(address);
  }

  /** Where connectors meet raw peers. */
  public interface Door extends AutoCloseable {

    /**
     * Where it listens.
     *
     * @return the address, with the real port
     */
    SocketAddress address();

    /**
     * Waits for a connector.
     *
     * @return the accepting end, to be closed by the caller
     * @throws Exception if it fails or is interrupted
     */
    RawPeer accept() throws Exception;

    @Override
    void close() throws IOException;
  }

  private static Door memoryDoor(MemoryAddress address) throws IOException {
    LinkedBlockingQueue<MemorySocket> waiting = new LinkedBlockingQueue<>();
    Consumer<MemorySocket> door = waiting::add;
    MemoryNetwork.listen(address, door);
    return new Door() {
      @Override
      public SocketAddress address() {
        return address;
      }

      @Override
      public RawPeer accept() throws InterruptedException {
        return new RawPeer(RawSocket.of(waiting.take()));
      }

      @Override
      public void close() {
        MemoryNetwork.leave(address, door);
      }
    };
  }

  private static Door socketDoor(SocketAddress address) throws IOException {
    boolean unix = address instanceof UnixDomainSocketAddress;
    ServerSocketChannel channel =
        unix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
    channel.bind(address);
    SocketAddress bound = channel.getLocalAddress();
    return new Door() {
      @Override
      public SocketAddress address() {
        return bound;
      }

      @Override
      public RawPeer accept() throws IOException {
        return new RawPeer(RawSocket.of(channel.accept()));
      }

      @Override
      public void close() throws IOException {
        channel.close();
        if (bound instanceof UnixDomainSocketAddress file) {
          Files.deleteIfExists(file.getPath());
        }
      }
    };
  }

  /**
   * What a peer says of itself that understands everything and wants no checksums.
   *
   * @return the offer
   */
  public static Offer offer() {
    Map<Integer, String> encodings = new TreeMap<>();
    for (Encoding encoding :
        new Encoding[] {
          Encoding.RAW_LITTLE_ENDIAN,
          Encoding.RAW_BIG_ENDIAN,
          Encoding.JAVA_OBJECT,
          Encoding.PROTOBUF
        }) {
      encodings.put(encoding.code(), encoding.name());
    }
    Set<Integer> types = new TreeSet<>();
    for (ElementType type : ElementType.values()) {
      types.add(type.code());
    }
    return new Offer(
        encodings,
        types,
        ByteOrder.LITTLE_ENDIAN,
        Long.MAX_VALUE,
        1 << 20,
        false,
        new byte[0],
        "raw peer");
  }

  /**
   * A handshake message with its preamble.
   *
   * @param message the message, as {@link HandshakeMessage} writes it, or not
   * @return the bytes
   */
  public static byte[] preambled(byte[] message) {
    return Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, message);
  }

  /**
   * Sends bytes.
   *
   * @param pieces one after the other
   * @return this
   * @throws IOException if the connection is broken
   */
  public RawPeer send(byte[]... pieces) throws IOException {
    for (byte[] piece : pieces) {
      out.write(piece);
    }
    out.flush();
    return this;
  }

  /**
   * Sends frames.
   *
   * @param frames one after the other
   * @return this
   * @throws IOException if the connection is broken
   */
  public RawPeer send(RawFrame... frames) throws IOException {
    for (RawFrame frame : frames) {
      send(frame.bytes());
    }
    return this;
  }

  /**
   * Does the handshake as the connecting side.
   *
   * @param offer what to say of itself
   * @return this
   * @throws IOException if it fails
   */
  public RawPeer hello(Offer offer) throws IOException {
    send(preambled(HandshakeMessage.hello(offer)));
    HandshakeMessage answer = readHandshake();
    if (answer.kind() != HandshakeMessage.Kind.WELCOME) {
      throw new AssertionError("no welcome: " + answer);
    }
    return this;
  }

  /**
   * Does the handshake as the listening side.
   *
   * @param offer what to say of itself
   * @return this
   * @throws IOException if it fails
   */
  public RawPeer welcome(Offer offer) throws IOException {
    HandshakeMessage hello = readHandshake();
    if (hello.kind() != HandshakeMessage.Kind.HELLO) {
      throw new AssertionError("no hello: " + hello);
    }
    return send(preambled(HandshakeMessage.welcome(offer, FrameLayout.VERSION)));
  }

  /**
   * Reads some bytes.
   *
   * @param count how many
   * @return the bytes
   * @throws EOFException if there are fewer
   * @throws IOException if the connection is broken
   */
  public byte[] read(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException(
          "the stream ended (received=" + bytes.length + ", expected=" + count + ")");
    }
    return bytes;
  }

  /**
   * Reads a preamble and its message.
   *
   * @return the message
   * @throws IOException if what comes is no such thing
   */
  public HandshakeMessage readHandshake() throws IOException {
    Preamble preamble = Preamble.read(read(Preamble.BYTES));
    byte[] message = read(preamble.messageBytes());
    preamble.checkMessage(message);
    return HandshakeMessage.read(message);
  }

  /**
   * Reads a frame.
   *
   * @return the frame, or null at the end
   * @throws IOException if what comes is not a frame
   */
  public @Nullable RawFrame readFrame() throws IOException {
    return RawFrame.read(in);
  }

  /**
   * Reads frames until one of a type comes.
   *
   * @param type the type
   * @return that frame
   * @throws AssertionError if the stream ends before
   * @throws IOException if what comes is not a frame
   */
  public RawFrame expect(FrameType type) throws IOException {
    for (RawFrame frame = readFrame(); frame != null; frame = readFrame()) {
      if (frame.type() == type) {
        return frame;
      }
    }
    throw new AssertionError("the stream ended without a frame of the type (type=" + type + ")");
  }

  /**
   * Reads frames until an error frame comes, which must have a code.
   *
   * @param code the code
   * @return the text of the error
   * @throws IOException if what comes is not a frame
   */
  public String expectError(ErrorCode code) throws IOException {
    ArraywireException fault = FaultBody.read(expect(FrameType.ERROR).payload());
    assertThat(fault.code()).as(fault.getMessage()).isEqualTo(code);
    return String.valueOf(fault.getMessage());
  }

  /**
   * Reads a refusal in the handshake, which must have a code.
   *
   * @param code the code
   * @return its text
   * @throws IOException if what comes is no handshake message
   */
  public String expectReject(ErrorCode code) throws IOException {
    HandshakeMessage message = readHandshake();
    ArraywireException fault = message.fault();
    if (fault == null) {
      throw new AssertionError("no refusal: " + message);
    }
    assertThat(fault.code()).as(fault.getMessage()).isEqualTo(code);
    return String.valueOf(fault.getMessage());
  }

  /**
   * Reads until the other side has ended the connection, in whatever way.
   *
   * @return how many bytes still came
   */
  public long expectEnd() {
    byte[] bytes = new byte[8192];
    long all = 0;
    try {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        all += count;
      }
    } catch (IOException e) {
      // A reset is an end, too.
      return all;
    }
    return all;
  }

  /**
   * Ends this side's output; the other direction stays open.
   *
   * @throws IOException if it fails
   */
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  /**
   * Breaks the connection: with a reset where there is such a thing.
   *
   * @throws IOException if it fails
   */
  public void reset() throws IOException {
    socket.reset();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
