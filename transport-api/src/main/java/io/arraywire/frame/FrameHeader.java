package io.arraywire.frame;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * One frame header, to be filled and written, or read and looked at. Mutable, so that one serves a
 * connection for its life; not for use by several threads.
 *
 * <p>{@link #read} makes the checks that need no knowledge of the connection: magic, checksum,
 * version, type and flags, in that order. Lengths come out as they are declared.
 */
public final class FrameHeader {
  /** The frame's type. */
  public FrameType type = FrameType.PING;

  /** Code of the encoding; 0 where there is none. */
  public int encoding;

  /** Code of the element type; 0 where there is none. */
  public int elementType;

  /** Flags; see {@link FrameLayout#KNOWN_FLAGS}. */
  public int flags;

  /** Attribute bytes that follow the header. */
  public int attributeBytes;

  /** The channel, or the subscription; see {@link FrameLayout#SUBSCRIPTION}. */
  public int channel;

  /** The array's number, from 1. */
  public long sequence;

  /** The sender's number for the array, or what a pong must return. */
  public long tag;

  /** Elements in the array. */
  public long count;

  /** Bytes of the encoded array, or the index of the first element in the chunk. */
  public long arrayBytes;

  /** Payload bytes that follow the attributes, unsigned 32 bits. */
  public long payloadBytes;

  /** Checksum of attributes and payload, if the flag says so. */
  public int payloadChecksum;

  /** Low 32 bits of the acknowledged sequence, if the flag says so. */
  public int acknowledged;

  private final int version;
  private final CRC32C checksum = new CRC32C();

  /** Makes an empty header of the version that connections speak. */
  public FrameHeader() {
    this(FrameLayout.VERSION);
  }

  /**
   * Makes an empty header.
   *
   * @param version the frame version that it writes, and the only one that it reads
   */
  public FrameHeader(int version) {
    this.version = version;
  }

  /**
   * Empties every field.
   *
   * @param type the frame's type
   * @return this
   */
  public FrameHeader clear(FrameType type) {
    this.type = type;
    encoding = 0;
    elementType = 0;
    flags = 0;
    attributeBytes = 0;
    channel = 0;
    sequence = 0;
    tag = 0;
    count = 0;
    arrayBytes = 0;
    payloadBytes = 0;
    payloadChecksum = 0;
    acknowledged = 0;
    return this;
  }

  /**
   * Whether a flag is set.
   *
   * @param flag one of {@link FrameLayout}'s flags
   * @return true if it is
   */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /**
   * Writes the header with its checksum.
   *
   * @param target gets {@link FrameLayout#HEADER_BYTES} from its position on, which is advanced
   */
  public void write(ByteBuffer target) {
    int at = target.position();
    target
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(FrameLayout.MAGIC)
        .put((byte) version)
        .put((byte) type.code())
        .put((byte) encoding)
        .put((byte) elementType)
        .putShort((short) flags)
        .putShort((short) attributeBytes)
        .putInt(channel)
        .putLong(sequence)
        .putLong(tag)
        .putLong(count)
        .putLong(arrayBytes)
        .putInt((int) payloadBytes)
        .putInt(payloadChecksum)
        .putInt(acknowledged);
    target.putInt(checksumOf(target, at));
  }

  /**
   * Checks the first four bytes of a frame.
   *
   * @param source holds them at {@code at}
   * @param at where
   * @throws ProtocolException if they are not those of a frame
   */
  public static void checkMagic(ByteBuffer source, int at) throws ProtocolException {
    Magic.check(source, at, FrameLayout.MAGIC, "frame");
  }

  /**
   * Reads a header and checks what can be checked without knowing the connection.
   *
   * @param source holds {@link FrameLayout#HEADER_BYTES} from its position on, which is advanced
   * @throws ProtocolException if it does not begin as a frame does, was damaged, has another
   *     version, or if its type or a flag is not known
   */
  public void read(ByteBuffer source) throws ProtocolException {
    int at = source.position();
    source.order(ByteOrder.LITTLE_ENDIAN);
    checkMagic(source, at);
    int actual = checksumOf(source, at);
    int declared = source.getInt(at + FrameLayout.HEADER_CHECKSUM_AT);
    if (declared != actual) {
      throw damaged(declared, actual);
    }
    int declaredVersion = source.get(at + FrameLayout.VERSION_AT) & 0xff;
    if (declaredVersion != version) {
      throw otherVersion(declaredVersion);
    }
    int typeCode = source.get(at + FrameLayout.TYPE_AT) & 0xff;
    FrameType known = FrameType.fromCode(typeCode);
    if (known == null) {
      throw unknownType(typeCode);
    }
    type = known;
    encoding = source.get(at + FrameLayout.ENCODING_AT) & 0xff;
    elementType = source.get(at + FrameLayout.ELEMENT_AT) & 0xff;
    flags = source.getShort(at + FrameLayout.FLAGS_AT) & 0xffff;
    if ((flags & ~FrameLayout.KNOWN_FLAGS) != 0) {
      throw unknownFlag(flags);
    }
    attributeBytes = source.getShort(at + FrameLayout.ATTRIBUTE_BYTES_AT) & 0xffff;
    channel = source.getInt(at + FrameLayout.CHANNEL_AT);
    sequence = source.getLong(at + FrameLayout.SEQUENCE_AT);
    tag = source.getLong(at + FrameLayout.TAG_AT);
    count = source.getLong(at + FrameLayout.COUNT_AT);
    arrayBytes = source.getLong(at + FrameLayout.ARRAY_BYTES_AT);
    payloadBytes = source.getInt(at + FrameLayout.PAYLOAD_BYTES_AT) & 0xffffffffL;
    payloadChecksum = source.getInt(at + FrameLayout.PAYLOAD_CHECKSUM_AT);
    acknowledged = source.getInt(at + FrameLayout.ACKNOWLEDGED_AT);
    source.position(at + FrameLayout.HEADER_BYTES);
  }

  // Apart, so that the compiler of the JVM inlines read, which every message goes through.

  private static ProtocolException damaged(int declared, int computed) {
    return new ProtocolException(
        ErrorCode.HEADER_CHECKSUM,
        "a frame header was damaged in transit",
        "declared",
        Magic.hex(declared),
        "computed",
        Magic.hex(computed));
  }

  private ProtocolException otherVersion(int declared) {
    return new ProtocolException(
        ErrorCode.UNSUPPORTED_VERSION,
        "a frame of a version that was not agreed",
        "version",
        declared,
        "agreed",
        version);
  }

  private static ProtocolException unknownType(int code) {
    return new ProtocolException(
        ErrorCode.UNKNOWN_CODE, "a frame of an unknown type", "type", code);
  }

  private static ProtocolException unknownFlag(int flags) {
    return new ProtocolException(
        ErrorCode.UNKNOWN_CODE,
        "a frame with an unknown flag",
        "flags",
        Magic.hex(flags),
        "known",
        Magic.hex(FrameLayout.KNOWN_FLAGS));
  }

  private int checksumOf(ByteBuffer buffer, int at) {
    int position = buffer.position();
    int limit = buffer.limit();
    buffer.limit(at + FrameLayout.HEADER_CHECKSUM_AT).position(at);
    checksum.reset();
    checksum.update(buffer);
    buffer.limit(limit).position(position);
    return (int) checksum.getValue();
  }
}
