package io.arraywire.frame;

/**
 * Where the fields of a frame header lie. All numbers are little-endian and unsigned.
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | magic f1 41 57 46                     | version | type    | encoding| element |
 *  8 | flags             | attribute bytes   | channel                               |
 * 16 | sequence                                                                      |
 * 24 | tag                                                                           |
 * 32 | element count                                                                 |
 * 40 | array bytes (ARRAY) or index of the first element in this chunk (CHUNK)        |
 * 48 | payload bytes                         | CRC32C of attributes and payload      |
 * 56 | acknowledged sequence, low 32 bits    | CRC32C of bytes 0 to 59               |
 * 64 | attributes, then payload
 * </pre>
 *
 * <p>See {@code docs/protocol.md}, section Frames.
 */
public final class FrameLayout {
  /** Bytes of a header. */
  public static final int HEADER_BYTES = 64;

  /** The first four bytes, as a little-endian int: f1 41 57 46. */
  public static final int MAGIC = 0x465741f1;

  /** The frame version that this library writes and reads. */
  public static final int VERSION = 2;

  /** In the field for the channel: the other bits are the number of a subscription. */
  public static final int SUBSCRIPTION = 1 << 31;

  /**
   * Bytes of credit, and of the budgets of both sides, that an array takes beside its attributes
   * and payload: even an empty one takes memory.
   */
  public static final int ARRAY_COST = 256;

  /** The most attribute bytes. */
  public static final int MAX_ATTRIBUTE_BYTES = 65_528;

  /** The most payload bytes of a frame that carries no elements. */
  public static final int MAX_CONTROL_BYTES = 1024;

  /** The payload checksum is present. */
  public static final int FLAG_PAYLOAD_CHECKSUM = 1;

  /** The acknowledged sequence is present. */
  public static final int FLAG_ACKNOWLEDGES = 2;

  /** Every flag that has a meaning in this version. */
  public static final int KNOWN_FLAGS = FLAG_PAYLOAD_CHECKSUM | FLAG_ACKNOWLEDGES;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 4;
  static final int TYPE_AT = 5;
  static final int ENCODING_AT = 6;
  static final int ELEMENT_AT = 7;
  static final int FLAGS_AT = 8;
  static final int ATTRIBUTE_BYTES_AT = 10;
  static final int CHANNEL_AT = 12;
  static final int SEQUENCE_AT = 16;
  static final int TAG_AT = 24;
  static final int COUNT_AT = 32;
  static final int ARRAY_BYTES_AT = 40;
  static final int PAYLOAD_BYTES_AT = 48;
  static final int PAYLOAD_CHECKSUM_AT = 52;
  static final int ACKNOWLEDGED_AT = 56;
  static final int HEADER_CHECKSUM_AT = 60;

  private FrameLayout() {}
}
