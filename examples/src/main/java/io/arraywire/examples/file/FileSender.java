package io.arraywire.examples.file;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.AttributesBody;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.zip.CRC32C;

/**
 * Sends files to any framed listener of Arraywire, each as one array, by one of the {@linkplain
 * SendTechnique techniques}. What it holds of a file does not grow with it. For one thread.
 */
public final class FileSender implements Closeable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Every element size divides it. */
  private static final int LARGEST_ELEMENT = 8;

  private final FramedSocket socket;
  private final Allowance allowance;
  private final CRC32C checksum = new CRC32C();
  private boolean broken;
  private boolean ended;
  private long sent;
  private long acknowledged;
  private long wireBytes;

  private FileSender(FramedSocket socket) {
    this.socket = socket;
    allowance = new Allowance(socket.peer().flow());
  }

  /**
   * Connects.
   *
   * @param to where a listener is
   * @return the sender
   * @throws IOException if nobody listens there, or it does not speak the protocol
   */
  public static FileSender connect(SocketAddress to) throws IOException {
    // What it accepts of arrays does not matter to a peer that sends none.
    return new FileSender(FramedSocket.connect(open(to), FramedSocket.MAX_FRAME_BYTES));
  }

  private static SocketChannel open(SocketAddress to) throws IOException {
    boolean unix = to instanceof UnixDomainSocketAddress;
    SocketChannel channel =
        unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
    try {
      if (unix) {
        channel.connect(to);
      } else {
        channel.socket().connect(to, (int) CONNECT_TIMEOUT.toMillis());
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw new ConnectFailedException(
              "cannot connect", "address", to, "cause", String.valueOf(e.getMessage()))
          .because(e);
    }
  }

  /**
   * Sends a file.
   *
   * @param file the file
   * @param technique how
   * @param maxArrayBytes the most bytes of elements to send
   * @param transferred told of what was sent
   * @return the number to give to {@link #awaitAcknowledged}
   * @throws ArraywireException if it is too large for either side, or the connection breaks
   * @throws FileChangedException if the file becomes shorter meanwhile
   * @throws IOException if it cannot be read; the connection is of no more use then
   */
  public long send(
      ArrayFile file, SendTechnique technique, long maxArrayBytes, Transferred transferred)
      throws IOException {
    check(file, maxArrayBytes);
    Transferred both =
        bytes -> {
          socket.moved(bytes);
          transferred.moved(bytes);
        };
    socket.expectMoves();
    try (FileSource source = technique.open(file.path(), socket.channel(), both)) {
      sent++;
      broken = true;
      try {
        sendFrames(file, source);
        broken = false;
      } catch (IOException e) {
        // Whatever a technique says where a file ends too early.
        file.check(source.size());
        throw socket.isOfChannel(e) ? peersReason(e) : e;
      }
    }
    socket.rest();
    return sent;
  }

  private void check(ArrayFile file, long maxArrayBytes) throws ArraywireException {
    if (file.bytes() > Math.min(maxArrayBytes, socket.peer().maxArrayBytes())) {
      throw new ArrayTooLargeException(
          "the array is larger than may be sent",
          "bytes",
          file.bytes(),
          "here",
          maxArrayBytes,
          "peer",
          socket.peer().maxArrayBytes());
    }
    if (!socket.peer().understands(file.encoding()) || !socket.peer().understands(file.type())) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "the peer does not understand the elements as they lie in the file; send them with"
              + " --technique array",
          "encoding",
          file.encoding().name(),
          "type",
          file.type().typeName(),
          "peer",
          socket.peer().encodingNames());
    }
  }

  private void sendFrames(ArrayFile file, FileSource source) throws IOException {
    byte[] attributes = AttributesBody.write(NpyAttributes.of(file.header()));
    long most = chunkBytes();
    long done = 0;
    do {
      // Also before: bytes that a mapping has beyond the end of its file are zeros, not a failure.
      file.check(source.size());
      byte[] body = done == 0 ? attributes : new byte[0];
      int cost = done == 0 ? FrameLayout.ARRAY_COST + body.length : 0;
      int count = awaitAllowance(cost, Math.min(most, file.bytes() - done));
      allowance.charge(cost + count);
      FrameHeader header = header(file, done, count);
      header.attributeBytes = body.length;
      if (socket.checksums()) {
        checksum.reset();
        checksum.update(body, 0, body.length);
        source.addTo(checksum, file.position() + done, count);
        header.flags = FrameLayout.FLAG_PAYLOAD_CHECKSUM;
        header.payloadChecksum = (int) checksum.getValue();
      }
      socket.write(header, body);
      source.send(file.position() + done, count);
      wireBytes += FrameLayout.HEADER_BYTES + body.length + count;
      done += count;
    } while (done < file.bytes());
    file.check(source.size());
  }

  /** Waits until the peer allows a frame with so many bytes, or with fewer; returns how many. */
  private int awaitAllowance(int cost, long wanted) throws IOException {
    if (!allowance.suffices(cost + wanted)) {
      // The peer's program may take its time.
      socket.rest();
      while (!allowance.suffices(cost + wanted)) {
        take(next());
      }
      socket.expectMoves();
    }
    long most = allowance.left() - cost;
    return (int) Math.min(wanted, most - most % LARGEST_ELEMENT);
  }

  private long chunkBytes() {
    long most = Math.min(socket.peer().maxFrameBytes(), FramedSocket.MAX_FRAME_BYTES);
    if (socket.checksums()) {
      most = Math.min(most, FileSource.CHECKED_BYTES);
    }
    return most - most % LARGEST_ELEMENT;
  }

  private FrameHeader header(ArrayFile file, long done, int count) {
    FrameHeader header = socket.next(done == 0 ? FrameType.ARRAY : FrameType.CHUNK);
    header.encoding = file.encoding().code();
    header.elementType = file.type().code();
    header.sequence = sent;
    header.count = file.header().count();
    header.arrayBytes = done == 0 ? file.bytes() : done / file.type().bytes();
    header.payloadBytes = count;
    return header;
  }

  /**
   * Waits until the far side has processed an array and all before it.
   *
   * @param sequence what {@link #send} returned
   * @throws ArraywireException if it refuses one, or the connection breaks
   */
  public void awaitAcknowledged(long sequence) throws ArraywireException {
    if (acknowledged >= sequence) {
      return;
    }
    socket.restUntilAcknowledged();
    try {
      while (acknowledged < sequence) {
        take(next());
      }
    } catch (IOException e) {
      throw socket.typed(e);
    } finally {
      socket.rest();
    }
  }

  private FrameHeader next() throws IOException {
    FrameHeader header = socket.read();
    if (header == null) {
      throw new ConnectionLostException(
          ErrorCode.CONNECTION_RESET,
          "the peer closed the connection and did not acknowledge all that it was sent",
          "peer",
          socket.peerAddress());
    }
    return header;
  }

  /** Takes note of a frame; throws what it reports. */
  private void take(FrameHeader header) throws IOException {
    if (header.has(FrameLayout.FLAG_ACKNOWLEDGES)) {
      acknowledge((sent & ~0xffffffffL) | (header.acknowledged & 0xffffffffL));
    }
    switch (header.type) {
      case ACK -> acknowledge(header.sequence);
      case CREDIT -> allowance.credited(header);
      case REJECTED, ERROR -> throw socket.readFault(header);
      case PONG, GOODBYE, ABORT -> {}
      default ->
          throw FramedSocket.unexpected("a frame that was not agreed upon", "type", header.type);
    }
  }

  private void acknowledge(long sequence) throws ArraywireException {
    if (sequence > sent) {
      throw FramedSocket.unexpected(
          "an array was acknowledged that was not sent", "acknowledged", sequence, "sent", sent);
    }
    acknowledged = Math.max(acknowledged, sequence);
  }

  /** A peer that gives up says why before it closes; that is worth more than "broken pipe". */
  private ArraywireException peersReason(IOException failure) {
    ArraywireException broken = socket.typed(failure);
    if (!ErrorCode.CONNECTION_RESET.isOf(broken)) {
      return broken;
    }
    socket.expectMoves();
    try {
      while (true) {
        take(next());
      }
    } catch (IOException e) {
      if (e instanceof ArraywireException reason && !ErrorCode.CONNECTION_RESET.isOf(e)) {
        reason.addSuppressed(broken);
        return reason;
      }
      broken.addSuppressed(e);
      return broken;
    }
  }

  /**
   * Whether an array broke off, so that nothing can be sent behind it, not even a goodbye.
   *
   * @return true if one did
   */
  public boolean isBroken() {
    return broken;
  }

  /**
   * Whether checksums are computed, because an end of the connection wants them.
   *
   * @return true if they are
   */
  public boolean checksums() {
    return socket.checksums();
  }

  /**
   * What was sent of arrays, headers included.
   *
   * @return bytes
   */
  public long wireBytes() {
    return wireBytes;
  }

  /**
   * How often the channel was asked to move something, and did.
   *
   * @return operations
   */
  public long operations() {
    return socket.operations();
  }

  /**
   * Says goodbye, and waits until the peer has done so, too.
   *
   * @throws ArraywireException if the connection broke meanwhile
   */
  public void goodbye() throws ArraywireException {
    try {
      socket.expectMoves();
      socket.write(FrameType.GOODBYE);
      for (FrameHeader header = socket.read(); header != null; header = socket.read()) {
        take(header);
        if (header.type == FrameType.GOODBYE) {
          ended = true;
          socket.endInOrder();
          return;
        }
      }
    } catch (IOException e) {
      throw socket.typed(e);
    }
  }

  /**
   * Ends the connection. Without a {@link #goodbye} before it, this first ends the output and reads
   * until the peer closes, too, for two seconds at most. So the peer reads all that was sent, then
   * the end of the stream, and reports an array that broke off. A socket that is closed with unread
   * bytes would show the peer nothing but a reset.
   */
  @Override
  public void close() throws IOException {
    try {
      if (!ended) {
        ended = true;
        socket.endInOrder();
      }
    } catch (IOException e) {
      // The connection broke before, or the peer does not close.
    } finally {
      socket.close();
    }
  }
}
