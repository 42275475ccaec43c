package io.arraywire.examples.file;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.AttributesBody;
import java.io.EOFException;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link FileReceiver}. For one thread. */
final class Reception {
  private final FramedSocket socket;
  private final FileSlot slot;
  private final ReceiveTechnique technique;
  private final Pace pace;
  private final Consumer<FullDiskException> noRoom;
  private final CRC32C checksum = new CRC32C();
  private long lastSequence;
  private @Nullable ReceivedFile received;
  private volatile boolean filling;

  /**
   * Makes one.
   *
   * @param noRoom told of an array for which there is no room on the disk, before the peer is
   */
  Reception(
      FramedSocket socket,
      FileSlot slot,
      ReceiveTechnique technique,
      Pace pace,
      Consumer<FullDiskException> noRoom) {
    this.noRoom = noRoom;
    this.socket = socket;
    this.slot = slot;
    this.technique = technique;
    this.pace = pace;
  }

  /** The file that came whole here, or null; also after {@link #run} has failed. */
  @Nullable ReceivedFile received() {
    return received;
  }

  /** Whether an array is arriving. Any thread. */
  boolean isFilling() {
    return filling;
  }

  /** Serves the peer until it goes. */
  void run() throws IOException {
    try {
      socket.expectFrame();
      for (FrameHeader header = next(); header.type != FrameType.GOODBYE; header = next()) {
        if (header.type == FrameType.ARRAY && slot.isTaken()) {
          refuse(header);
        } else if (header.type == FrameType.ARRAY) {
          store(header);
        } else {
          control(header);
        }
      }
      socket.write(FrameType.GOODBYE);
      endInOrder();
    } catch (ArraywireException e) {
      socket.fail(e);
      throw e;
    } catch (FullDiskException e) {
      noRoom.accept(e);
      socket.fail(new ArraywireException(ErrorCode.REJECTED, e.wordsForPeer()));
      throw e;
    } catch (IOException e) {
      if (socket.isOfChannel(e)) {
        throw socket.typed(e);
      }
      socket.fail(new ArraywireException(ErrorCode.INTERNAL, String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private FrameHeader next() throws IOException {
    FrameHeader header = socket.read();
    if (header == null) {
      throw new ConnectionLostException(
          ErrorCode.CONNECTION_RESET,
          "the peer ended the connection without a goodbye; its process may have ended",
          "peer",
          socket.peerAddress());
    }
    return header;
  }

  /** A frame between arrays. */
  private void control(FrameHeader header) throws IOException {
    switch (header.type) {
      case ERROR -> throw socket.readFault(header);
      case PONG -> {}
      default ->
          throw FramedSocket.unexpected("a frame that is not expected here", "type", header.type);
    }
  }

  /** The peer has gone, and may have done so before this side has heard all of it. */
  private void endInOrder() {
    try {
      socket.endInOrder();
    } catch (IOException e) {
      // It had its acknowledgement, and has said goodbye.
    }
  }

  private void store(FrameHeader header) throws IOException {
    long start = System.nanoTime();
    long operations = socket.operations();
    ArrivingArray array = arriving(header);
    socket.expectMoves();
    byte[] body = socket.readBytes(header.attributeBytes);
    ArrayAttributes attributes = AttributesBody.readEnvelope(0, body).attributes();
    array.check(attributes);
    NpyHeader npy = NpyAttributes.header(array.type, array.count, attributes, array.order());
    // If the file cannot be begun the connection ends.
    filling = true;
    PartFile part = slot.target().begin(npy);
    boolean first;
    try {
      if (!fill(array, header, body, part)) {
        socket.expectFrame();
        return;
      }
      first = slot.take(part);
    } finally {
      filling = false;
      slot.target().end(part);
    }
    if (!first) {
      reject(array);
      return;
    }
    received =
        new ReceivedFile(
            slot.target().path(),
            npy,
            array.bytes,
            socket.peerAddress(),
            System.nanoTime() - start,
            socket.operations() - operations);
    FrameHeader ack = socket.next(FrameType.ACK);
    ack.sequence = array.sequence;
    socket.write(ack, new byte[0]);
    socket.expectFrame();
  }

  private ArrivingArray arriving(FrameHeader header) throws ArraywireException {
    ArrivingArray array =
        new ArrivingArray(
            header, lastSequence + 1, socket.own().maxArrayBytes(), socket.checksums());
    lastSequence = header.sequence;
    return array;
  }

  /** Whether all of it came; if not, its sender has withdrawn it. */
  private boolean fill(ArrivingArray array, FrameHeader begin, byte[] attributes, PartFile part)
      throws IOException {
    long first = part.channel().position();
    try (FileSink sink =
        technique.open(part.channel(), first + array.bytes, socket.channel(), this::moved)) {
      return fill(array, begin, attributes, sink, first);
    } catch (IOException e) {
      throw socket.isOfChannel(e) ? e : slot.target().failed(array.bytes, e);
    }
  }

  private boolean fill(
      ArrivingArray array, FrameHeader begin, byte[] attributes, FileSink sink, long first)
      throws IOException {
    put(array, begin, attributes, sink, first);
    while (!array.isWhole()) {
      FrameHeader header = socket.read();
      if (header == null) {
        throw truncated(array, null);
      }
      switch (header.type) {
        case CHUNK -> {
          array.checkChunk(header);
          put(array, header, new byte[0], sink, first);
        }
        case ABORT -> {
          if (header.sequence != array.sequence) {
            throw FramedSocket.unexpected(
                "an array is withdrawn that is not arriving", "sequence", header.sequence);
          }
          return false;
        }
        default -> control(header);
      }
    }
    return true;
  }

  private void put(
      ArrivingArray array, FrameHeader header, byte[] attributes, FileSink sink, long first)
      throws IOException {
    long payload = header.payloadBytes;
    try {
      sink.receive(first + array.received, payload);
    } catch (EOFException e) {
      throw truncated(array, e);
    }
    if (array.checked) {
      checksum.reset();
      checksum.update(attributes, 0, attributes.length);
      sink.addTo(checksum, first + array.received, payload);
      FramedSocket.checkPayload(header, (int) checksum.getValue());
    }
    array.received += payload;
  }

  private static ArraywireException truncated(ArrivingArray array, @Nullable EOFException cause) {
    return new ProtocolException(
            ErrorCode.TRUNCATED,
            "the stream ended inside an array; no part of it was kept",
            "receivedAtLeast",
            array.received,
            "expected",
            array.bytes)
        .because(cause);
  }

  /** Reads and drops an array for which there is no file. */
  private void refuse(FrameHeader header) throws IOException {
    ArrivingArray array = arriving(header);
    socket.expectMoves();
    socket.readBytes(header.attributeBytes);
    drop(header, array);
    while (!array.isWhole()) {
      FrameHeader chunk = next();
      if (chunk.type == FrameType.ABORT && chunk.sequence == array.sequence) {
        socket.expectFrame();
        return;
      }
      if (chunk.type != FrameType.CHUNK) {
        control(chunk);
        continue;
      }
      array.checkChunk(chunk);
      drop(chunk, array);
    }
    reject(array);
  }

  private void reject(ArrivingArray array) throws IOException {
    socket.reject(
        array.sequence,
        new RemoteRejectedException(
            ErrorCode.REJECTED, "the receiver has the one array that it was asked for"));
    socket.expectFrame();
  }

  private void drop(FrameHeader header, ArrivingArray array) throws IOException {
    // At most MAX_FRAME_BYTES.
    socket.readBytes((int) header.payloadBytes);
    moved(header.payloadBytes);
    array.received += header.payloadBytes;
  }

  private void moved(long bytes) {
    socket.moved(bytes);
    pace.moved(bytes);
  }
}
