package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.BulkElements;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A frame as a test wants it, right or wrong: {@link #bytes()} writes what the fields say and
 * checks nothing.
 *
 * <p>Not for use by several threads.
 */
public final class RawFrame {
  private final FrameHeader header;
  private byte[] attributes = new byte[0];
  private byte[] payload;

  private RawFrame(FrameHeader header, byte[] payload) {
    this.header = header;
    this.payload = payload;
  }

  /**
   * A whole array in one frame.
   *
   * @param encoding the encoding
   * @param sequence the array's number
   * @param elements the elements
   * @return a right frame, to be spoiled
   */
  public static RawFrame array(Encoding encoding, long sequence, ArraySlice elements) {
    return array(
        encoding.code(),
        elements.type().code(),
        sequence,
        elements.length(),
        payload(encoding, elements));
  }

  /**
   * A whole array in one frame.
   *
   * @param encoding code of the encoding
   * @param elementType code of the element type
   * @param sequence the array's number
   * @param count the element count to declare
   * @param payload the payload, whose length is declared
   * @return the frame
   */
  public static RawFrame array(
      int encoding, int elementType, long sequence, long count, byte[] payload) {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.encoding = encoding;
    header.elementType = elementType;
    header.sequence = sequence;
    header.count = count;
    header.arrayBytes = payload.length;
    header.payloadBytes = payload.length;
    return new RawFrame(header, payload.clone());
  }

  /**
   * A request to subscribe, as {@code docs/protocol.md} has it.
   *
   * @param number the number of the subscription
   * @param subject what is subscribed to
   * @param policy what happens when the subscriber lags
   * @param queueBytes how much may wait for the subscriber
   * @return the frame
   */
  static RawFrame subscribe(int number, String subject, LagPolicy policy, long queueBytes) {
    int code =
        switch (policy) {
          case BLOCK -> 1;
          case DROP_OLDEST -> 2;
          case DROP_NEWEST -> 3;
          case DISCONNECT -> 4;
        };
    byte[] body = new RawFields().text(1, subject).number(2, code).number(3, queueBytes).toBytes();
    return control(FrameType.SUBSCRIBE, 0, body)
        .with(header -> header.channel = FrameLayout.SUBSCRIPTION | number);
  }

  /**
   * A further piece of an array.
   *
   * @param first the array's first frame
   * @param firstElement the index of the piece's first element
   * @param payload the piece
   * @return the frame
   */
  public static RawFrame chunk(RawFrame first, long firstElement, byte[] payload) {
    FrameHeader header = new FrameHeader().clear(FrameType.CHUNK);
    header.encoding = first.header.encoding;
    header.elementType = first.header.elementType;
    header.channel = first.header.channel;
    header.sequence = first.header.sequence;
    header.count = first.header.count;
    header.arrayBytes = firstElement;
    header.payloadBytes = payload.length;
    return new RawFrame(header, payload.clone());
  }

  /**
   * A frame without elements.
   *
   * @param type its type
   * @param sequence the array that it is about, or 0
   * @param body its body, whose length is declared
   * @return the frame
   */
  public static RawFrame control(FrameType type, long sequence, byte... body) {
    FrameHeader header = new FrameHeader().clear(type);
    header.sequence = sequence;
    header.payloadBytes = body.length;
    return new RawFrame(header, body.clone());
  }

  /**
   * Encodes elements, prefix included, without any codec.
   *
   * @param encoding an encoding of plain elements
   * @param elements the elements
   * @return the bytes
   */
  public static byte[] payload(Encoding encoding, ArraySlice elements) {
    ElementType type = elements.type();
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.toIntExact(encoding.encodedBytes(type, elements.length())));
    encoding.putPrefix(type, elements.length(), bytes);
    BulkElements.put(
        type, elements.array(), elements.offset(), elements.length(), bytes, encoding.order());
    return bytes.array();
  }

  /**
   * The header.
   *
   * @return the header itself, to be read or changed
   */
  public FrameHeader header() {
    return header;
  }

  /**
   * The type.
   *
   * @return the header's type
   */
  public FrameType type() {
    return header.type;
  }

  /**
   * The bytes between header and payload.
   *
   * @return the attributes themselves
   */
  public byte[] attributes() {
    return attributes;
  }

  /**
   * The payload.
   *
   * @return the payload itself
   */
  public byte[] payload() {
    return payload;
  }

  /**
   * Changes the header.
   *
   * @param change what to do to it
   * @return this
   */
  public RawFrame with(Consumer<FrameHeader> change) {
    change.accept(header);
    return this;
  }

  /**
   * Sets the attributes and declares their length.
   *
   * @param body the bytes between header and payload
   * @return this
   */
  public RawFrame withAttributes(byte... body) {
    attributes = body.clone();
    header.attributeBytes = body.length;
    return this;
  }

  /**
   * Cuts or lengthens the payload and declares its length, but not that of the array.
   *
   * @param bytes the new payload
   * @return this
   */
  public RawFrame withPayload(byte... bytes) {
    payload = bytes.clone();
    header.payloadBytes = bytes.length;
    return this;
  }

  /**
   * Adds the checksum of attributes and payload.
   *
   * @return this
   */
  public RawFrame checksummed() {
    CRC32C checksum = new CRC32C();
    checksum.update(attributes);
    checksum.update(payload);
    header.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
    header.payloadChecksum = (int) checksum.getValue();
    return this;
  }

  /**
   * The frame on the wire.
   *
   * @return header with its checksum, attributes, payload
   */
  public byte[] bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(FrameLayout.HEADER_BYTES + attributes.length + payload.length);
    header.write(bytes);
    bytes.put(attributes).put(payload);
    return bytes.array();
  }

  /**
   * Puts the right checksum into a header that was changed byte by byte.
   *
   * @param frame begins with a header
   * @return the same array
   */
  public static byte[] sealed(byte[] frame) {
    int at = FrameLayout.HEADER_BYTES - Integer.BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(frame, 0, at);
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(at, (int) checksum.getValue());
    return frame;
  }

  /**
   * Reads a frame.
   *
   * @param in where from; blocks until the frame is whole
   * @return the frame, or null at the end of the stream
   * @throws ProtocolException if what comes is not a frame
   * @throws EOFException if the stream ends inside the frame
   * @throws IOException if reading fails
   */
  public static @Nullable RawFrame read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(FrameLayout.HEADER_BYTES);
    if (bytes.length == 0) {
      return null;
    }
    checkWhole(bytes, FrameLayout.HEADER_BYTES);
    FrameHeader header = new FrameHeader();
    header.read(ByteBuffer.wrap(bytes));
    byte[] attributes = whole(in, header.attributeBytes);
    int length = Math.toIntExact(header.payloadBytes);
    RawFrame frame = new RawFrame(header, whole(in, length));
    frame.attributes = attributes;
    return frame;
  }

  /** So many bytes. */
  static byte[] whole(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    checkWhole(bytes, length);
    return bytes;
  }

  private static void checkWhole(byte[] bytes, int expected) throws EOFException {
    if (bytes.length < expected) {
      throw new EOFException(
          "the stream ended inside a frame or handshake (received="
              + bytes.length
              + ", expected="
              + expected
              + ")");
    }
  }

  @Override
  public String toString() {
    return header.type
        + "[encoding="
        + header.encoding
        + ", elementType="
        + header.elementType
        + ", sequence="
        + header.sequence
        + ", count="
        + header.count
        + ", arrayBytes="
        + header.arrayBytes
        + ", payloadBytes="
        + header.payloadBytes
        + ", flags="
        + header.flags
        + "]";
  }
}
