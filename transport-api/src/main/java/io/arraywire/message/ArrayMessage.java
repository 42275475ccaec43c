package io.arraywire.message;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A {@link Message} outside of a connection. It is one self-describing byte sequence. It fits a
 * file, a record of a broker, a buffer in shared memory or the body of an HTTP request. It is
 * exactly one frame of the wire with its whole payload; {@code docs/array-message.md} is enough to
 * read and write it in another language.
 *
 * <pre>{@code
 * byte[] record = ArrayMessage.encode(Message.of(features).tag(id));
 * float[] back = ArrayMessage.decode(record, Limits.ofBytes(1 << 20)).floats();
 * }</pre>
 *
 * <p>Pure functions; any thread. <b>Garbage.</b> {@link #encode(Message, ByteBuffer)} and {@link
 * MessageView} allocate nothing that grows with the elements. A part of up to 32 elements costs
 * nothing, a larger one the 56 bytes of one buffer view. The checksum of a read-only heap buffer
 * costs 4 KiB.
 *
 * <p><b>Hostile bytes.</b> {@code decode} takes memory for arrays only once all checks have passed,
 * the checksum among them. It never takes more than the {@link Limits} say and the bytes hold.
 * Where elements are in blocks, it never takes more than the heads of all blocks say together. What
 * is in a block shows when it is decoded.
 */
public final class ArrayMessage {
  private ArrayMessage() {}

  /**
   * The size of a message in bytes, as {@link #encode(Message)} writes it.
   *
   * @param message the message
   * @return bytes; if a part names a codec in blocks, the largest size that is possible. May be
   *     more than an array or buffer can hold
   * @throws IllegalArgumentException if a part names a codec that is not present, or that does not
   *     have its element type
   */
  public static long encodedSize(Message message) {
    return encodedSize(message, MessageOptions.defaults());
  }

  /**
   * The size of a message in bytes.
   *
   * @param message the message
   * @param options how it will be written
   * @return bytes; if some of its elements will be in blocks, the largest size that is possible.
   *     May be more than an array or buffer can hold
   * @throws IllegalArgumentException if a codec that the message or the options name is not
   *     present, or does not have the element type
   */
  public static long encodedSize(Message message, MessageOptions options) {
    return mostBytes(message, MessageCodecs.of(message, options));
  }

  private static long mostBytes(Message message, MessageCodecs codecs) {
    return FrameLayout.HEADER_BYTES + message.headBytes() + codecs.mostBytes(message);
  }

  /**
   * Writes a message, little-endian and with a checksum.
   *
   * @param message the message; its arrays must not change meanwhile
   * @return its bytes
   * @throws IllegalArgumentException if its size is more than a {@code byte[]} can be
   */
  public static byte[] encode(Message message) {
    return encode(message, MessageOptions.defaults());
  }

  /**
   * Writes a message. In blocks it is written into memory of its {@linkplain #encodedSize(Message,
   * MessageOptions) greatest size} first, then copied into an array of the size that it has got.
   *
   * @param message the message; its arrays must not change meanwhile
   * @param options how
   * @return its bytes
   * @throws IllegalArgumentException if its greatest size is larger than a {@code byte[]} can be,
   *     or the encoding does not have the element type
   * @throws IllegalStateException if a codec in blocks does not keep to its buffer
   */
  public static byte[] encode(Message message, MessageOptions options) {
    MessageCodecs codecs = MessageCodecs.of(message, options);
    long size = mostBytes(message, codecs);
    if (size > MessageLayout.MOST_ELEMENTS) {
      throw new IllegalArgumentException(
          MessageText.brief(
              !codecs.hasBlocks()
                  ? "the message is larger than a byte[] can be; use several messages"
                  : "the message may become larger than a byte[] can be; use several messages",
              "bytes",
              size,
              "limit",
              MessageLayout.MOST_ELEMENTS));
    }
    byte[] bytes = new byte[(int) size];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    MessageWriter.write(message, codecs, options.checksum(), target);
    return target.hasRemaining() ? Arrays.copyOf(bytes, target.position()) : bytes;
  }

  /**
   * Writes a message into a buffer, little-endian and with a checksum.
   *
   * @param message the message; its arrays must not change meanwhile
   * @param target gets {@link #encodedSize(Message)} bytes from its position on, which is advanced;
   *     heap or direct, its byte order is kept
   * @throws IllegalArgumentException if there is too little room; nothing was written then
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public static void encode(Message message, ByteBuffer target) {
    encode(message, target, MessageOptions.defaults());
  }

  /**
   * Writes a message into a buffer.
   *
   * @param message the message; its arrays must not change meanwhile
   * @param target gets the message from its position on, which is advanced, and has room for {@link
   *     #encodedSize(Message, MessageOptions)} bytes; heap or direct, its byte order is kept
   * @param options how
   * @throws IllegalArgumentException if there is too little room, or the encoding does not have the
   *     element type; nothing was written then
   * @throws IllegalStateException if a codec in blocks does not keep to its buffer, whose position
   *     and limit are as they were
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   */
  public static void encode(Message message, ByteBuffer target, MessageOptions options) {
    MessageCodecs codecs = MessageCodecs.of(message, options);
    long size = mostBytes(message, codecs);
    if (size > target.remaining()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the buffer has too little room for the message; ask for its encoded size first",
              "bytes",
              size,
              "room",
              target.remaining()));
    }
    MessageWriter.write(message, codecs, options.checksum(), target);
  }

  /**
   * Reads a message that is all there is in an array.
   *
   * @param bytes the message
   * @param limits what it may have
   * @return the message, with arrays of its own
   * @throws io.arraywire.ProtocolException if the bytes are not such a message, are not all there
   *     or exceed a limit. Also if no codec of their encoding is present. Its code says which check
   *     failed
   * @throws NoRoomException if there is no memory for its arrays
   */
  public static Message decode(byte[] bytes, Limits limits) throws ArraywireException {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    MessageView view = MessageView.within(limits);
    view.read(source);
    if (source.hasRemaining()) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "bytes follow the message; read several messages from a ByteBuffer",
          "bytes",
          source.position(),
          "behind",
          source.remaining());
    }
    return view.toMessage();
  }

  /**
   * Reads the message at a buffer's position. Others may lie behind it.
   *
   * @param source the message, from its position on, which is advanced to what follows it; after an
   *     exception position and limit are as they were. Heap or direct, its byte order is kept
   * @param limits what it may have
   * @return the message, with arrays of its own
   * @throws io.arraywire.ProtocolException if the bytes are not such a message, are not all there
   *     or exceed a limit. Also if no codec of their encoding is present. Its code says which check
   *     failed
   * @throws NoRoomException if there is no memory for its arrays
   */
  public static Message decode(ByteBuffer source, Limits limits) throws ArraywireException {
    MessageView view = MessageView.within(limits);
    int at = source.position();
    view.read(source);
    try {
      return view.toMessage();
    } catch (ArraywireException | RuntimeException | Error e) {
      source.position(at);
      throw e;
    }
  }
}
