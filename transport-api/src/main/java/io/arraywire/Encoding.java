package io.arraywire;

import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Defines the bytes of an array on the wire. Either they are a prefix, often empty, and then
 * elements of a fixed size. Or they are blocks of a bounded size, each of which holds some of the
 * elements.
 *
 * <p>An encoding is not a strategy: how a side produces or consumes the bytes is up to a {@link
 * io.arraywire.spi.Codec}. {@code docs/protocol.md} describes each encoding.
 *
 * <p>Immutable and safe for use by any thread. Two encodings are the same if their codes are.
 */
public final class Encoding {
  /** Plain elements, little-endian. */
  public static final Encoding RAW_LITTLE_ENDIAN =
      new Encoding(1, "raw-le", ByteOrder.LITTLE_ENDIAN, true, ElementType::bytes, Prefix.NONE);

  /**
   * Plain elements, big-endian, as {@code DataOutput} writes them, except that a NaN keeps its
   * bits: {@code writeFloat} and {@code writeDouble} write the same bits for every NaN. A {@code
   * boolean} is a byte; any value but 0 is read as true.
   */
  public static final Encoding RAW_BIG_ENDIAN =
      new Encoding(2, "raw-be", ByteOrder.BIG_ENDIAN, true, ElementType::bytes, Prefix.NONE);

  /**
   * The Java serialization form of the array, as {@code ObjectOutputStream} writes it, except that
   * a NaN keeps its bits. For the eight primitive types.
   */
  public static final Encoding JAVA_OBJECT =
      new Encoding(
          3,
          "java-object",
          ByteOrder.BIG_ENDIAN,
          true,
          type -> type.isPrimitive() ? type.bytes() : 0,
          new JavaObjectPrefix());

  /**
   * A protobuf message with one packed repeated field of number 1: {@code float}, {@code double},
   * {@code sfixed32} for {@code int} and {@code sfixed64} for {@code long}. Other types are not
   * supported.
   */
  public static final Encoding PROTOBUF =
      new Encoding(
          4,
          "protobuf",
          ByteOrder.LITTLE_ENDIAN,
          true,
          type ->
              switch (type) {
                case FLOAT, INT, DOUBLE, LONG -> type.bytes();
                default -> 0;
              },
          new ProtobufPrefix());

  /**
   * Blocks whose bytes are sorted by significance and compressed by zstd; the module {@code
   * arraywire-compression} has the codec.
   */
  public static final Encoding SHUFFLE_ZSTD = inBlocks(16, "shuffle-zstd", type -> true, null);

  /** The same with LZ4. */
  public static final Encoding SHUFFLE_LZ4 = inBlocks(17, "shuffle-lz4", type -> true, null);

  /** Blocks of {@code float} as {@code bf16}: loses bits. In {@code arraywire-compression}, too. */
  public static final Encoding FLOAT_BF16 =
      inBlocks(
          24,
          "bf16",
          type -> type == ElementType.FLOAT,
          "relative error 2^-8, 0.4 %; absolute error 2^-134 below 2^-126; infinite beyond 3.39e38");

  /** Blocks of {@code float} as {@code fp16}: loses bits. In {@code arraywire-compression}, too. */
  public static final Encoding FLOAT_FP16 =
      inBlocks(
          25,
          "fp16",
          type -> type == ElementType.FLOAT,
          "relative error 2^-11, 0.05 %; absolute error 2^-25 below 2^-14; infinite from 65520 on");

  /** The lowest code of a {@linkplain #custom custom} encoding; those below are Arraywire's. */
  public static final int FIRST_CUSTOM_CODE = 128;

  private static final List<Encoding> STANDARD =
      List.of(
          RAW_LITTLE_ENDIAN,
          RAW_BIG_ENDIAN,
          JAVA_OBJECT,
          PROTOBUF,
          SHUFFLE_ZSTD,
          SHUFFLE_LZ4,
          FLOAT_BF16,
          FLOAT_FP16);

  /** The most bytes a prefix may have. */
  public static final int MAX_PREFIX_BYTES = 32;

  /**
   * The largest size of the elements of one block before they are encoded. A block that does not
   * get smaller travels raw. So no block of an encoding {@linkplain #isInBlocks in blocks} is
   * larger, apart from its head of 8 bytes.
   */
  public static final int MAX_BLOCK_BYTES = 64 << 10;

  private final int code;
  private final String name;
  private final ByteOrder order;
  private final boolean plainElements;
  private final boolean inBlocks;
  private final ToIntFunction<ElementType> elementBytes;
  private final Prefix prefix;
  private final @Nullable String loss;

  private Encoding(
      int code,
      String name,
      ByteOrder order,
      boolean plainElements,
      ToIntFunction<ElementType> elementBytes,
      Prefix prefix) {
    this(code, name, order, plainElements, false, elementBytes, prefix, null);
  }

  private Encoding(
      int code,
      String name,
      ByteOrder order,
      boolean plainElements,
      boolean inBlocks,
      ToIntFunction<ElementType> elementBytes,
      Prefix prefix,
      @Nullable String loss) {
    this.code = code;
    this.name = Objects.requireNonNull(name, "name");
    this.order = Objects.requireNonNull(order, "order");
    this.plainElements = plainElements;
    this.inBlocks = inBlocks;
    this.elementBytes = elementBytes;
    this.prefix = prefix;
    this.loss = loss;
  }

  private static Encoding inBlocks(
      int code, String name, Predicate<ElementType> supports, @Nullable String loss) {
    return inBlocks(code, name, ByteOrder.LITTLE_ENDIAN, supports, loss);
  }

  private static Encoding inBlocks(
      int code,
      String name,
      ByteOrder order,
      Predicate<ElementType> supports,
      @Nullable String loss) {
    // Asked once, so that what was checked is what is used.
    Set<ElementType> types = EnumSet.noneOf(ElementType.class);
    for (ElementType type : ElementType.values()) {
      if (supports.test(type)) {
        types.add(type);
      }
    }
    return new Encoding(
        code,
        name,
        order,
        false,
        true,
        type -> types.contains(type) ? type.bytes() : 0,
        Prefix.NONE,
        loss);
  }

  /**
   * The encodings of this library, whether or not a codec of them is present.
   *
   * @return all of them, by code
   */
  public static List<Encoding> standard() {
    return STANDARD;
  }

  /**
   * An encoding of your own: elements of a fixed size without a prefix, whose bytes only your codec
   * understands.
   *
   * @param code its code in frame headers, {@link #FIRST_CUSTOM_CODE} to 255; both sides must agree
   *     on its meaning
   * @param name its name, which both sides compare in the handshake
   * @param order the byte order of what it writes
   * @param elementBytes bytes per element of each type, 1 to 16, or 0 for a type that it does not
   *     support
   * @return the encoding
   * @throws IllegalArgumentException if the code or a size is not in its range, or the name is
   *     blank or that of a standard encoding
   */
  public static Encoding custom(
      int code, String name, ByteOrder order, ToIntFunction<ElementType> elementBytes) {
    checkCustom(code, name);
    // Asked once, so that what was checked is what is used.
    int[] sizes = new int[256];
    for (ElementType type : ElementType.values()) {
      int bytes = elementBytes.applyAsInt(type);
      if (bytes < 0 || bytes > 16) {
        throw new IllegalArgumentException(
            "bytes per element must be 0 to 16 (type="
                + type.typeName()
                + ", bytes="
                + bytes
                + ")");
      }
      sizes[type.code()] = bytes;
    }
    return new Encoding(code, name, order, false, type -> sizes[type.code()], Prefix.NONE);
  }

  /**
   * An encoding of your own in blocks, such as a compression. Elements are put into blocks of at
   * most {@link #MAX_BLOCK_BYTES}, and only your codec understands what is in a block. A block that
   * does not get smaller travels raw, in the given byte order; the engine sees to that.
   *
   * @param code its code in frame headers, {@link #FIRST_CUSTOM_CODE} to 255; both sides must agree
   *     on its meaning
   * @param name its name, which both sides compare in the handshake
   * @param order the byte order of the elements of raw blocks
   * @param supports the element types that it has
   * @return the encoding
   * @throws IllegalArgumentException if the code is not in its range, or the name is blank or that
   *     of a standard encoding
   */
  public static Encoding customInBlocks(
      int code, String name, ByteOrder order, Predicate<ElementType> supports) {
    checkCustom(code, name);
    return inBlocks(code, name, order, supports, null);
  }

  private static void checkCustom(int code, String name) {
    if (code < FIRST_CUSTOM_CODE || code > 255) {
      throw new IllegalArgumentException(
          "custom encodings have codes from " + FIRST_CUSTOM_CODE + " to 255 (code=" + code + ")");
    }
    if (name.isBlank() || STANDARD.stream().anyMatch(each -> each.name.equals(name))) {
      throw new IllegalArgumentException(
          MessageText.brief("a custom encoding needs a name of its own", "name", name));
    }
  }

  /**
   * The code in frame headers.
   *
   * @return 1 to 255
   */
  public int code() {
    return code;
  }

  /**
   * The name, as documents and the handshake use it.
   *
   * @return for example {@code raw-le}
   */
  public String name() {
    return name;
  }

  /**
   * The byte order of the elements.
   *
   * @return the order
   */
  public ByteOrder order() {
    return order;
  }

  /**
   * Whether each element's bytes are those of its Java value in {@link #order()}, so that they can
   * be used in place.
   *
   * @return false for custom encodings
   */
  public boolean hasPlainElements() {
    return plainElements;
  }

  /**
   * Whether arrays travel in blocks. Their size depends on the elements, so the size of an encoded
   * array is not known before it is encoded.
   *
   * @return false for encodings with a fixed size per element
   */
  public boolean isInBlocks() {
    return inBlocks;
  }

  /**
   * How much precision elements lose in this encoding. An array is sent in an encoding that loses
   * bits only if its sender names the codec.
   *
   * @return the largest error, in words; null if every bit comes back, and for custom encodings,
   *     about which nothing is known
   */
  public @Nullable String loss() {
    return loss;
  }

  /**
   * Whether arrays of a type can be encoded.
   *
   * @param type an element type
   * @return true if {@link #elementBytes} is not 0
   */
  public boolean supports(ElementType type) {
    return elementBytes.applyAsInt(type) > 0;
  }

  /**
   * The encoded size of one element; in blocks that of an element in a raw block.
   *
   * @param type an element type
   * @return bytes per element, 0 if the type is not supported
   */
  public int elementBytes(ElementType type) {
    return elementBytes.applyAsInt(type);
  }

  /**
   * The size of what precedes the elements.
   *
   * @param type an element type that is supported
   * @param count the number of elements, not negative
   * @return bytes, at most {@link #MAX_PREFIX_BYTES}
   */
  public int prefixBytes(ElementType type, int count) {
    return prefix.bytes(type, count);
  }

  /**
   * Writes what precedes the elements.
   *
   * @param type an element type that is supported
   * @param count the number of elements, not negative
   * @param target gets {@link #prefixBytes} bytes; its byte order may be changed
   */
  public void putPrefix(ElementType type, int count, ByteBuffer target) {
    prefix.put(type, count, target);
  }

  /**
   * Reads what precedes the elements and compares it with what it must be.
   *
   * @param type an element type that is supported
   * @param count the number of elements that was declared
   * @param source holds {@link #prefixBytes} bytes, all of which are read
   * @throws ProtocolException if they are not what {@link #putPrefix} writes
   */
  public void checkPrefix(ElementType type, int count, ByteBuffer source) throws ProtocolException {
    int bytes = prefixBytes(type, count);
    if (bytes == 0) {
      return;
    }
    byte[] expected = new byte[bytes];
    prefix.put(type, count, ByteBuffer.wrap(expected));
    for (int i = 0; i < bytes; i++) {
      byte actual = source.get();
      if (actual != expected[i]) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "the payload does not begin as the encoding prescribes; nothing of it was interpreted",
            "encoding",
            name,
            "type",
            type.typeName(),
            "count",
            count,
            "at",
            i,
            "expected",
            String.format("0x%02x", expected[i]),
            "actual",
            String.format("0x%02x", actual));
      }
    }
  }

  /**
   * The size of a whole array on the wire, frame headers aside. In blocks it is that of the plain
   * elements, which is what limits and inboxes count.
   *
   * @param type an element type that is supported
   * @param count the number of elements, not negative
   * @return bytes
   */
  public long encodedBytes(ElementType type, int count) {
    return prefixBytes(type, count) + (long) count * elementBytes(type);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Encoding that && code == that.code;
  }

  @Override
  public int hashCode() {
    return code;
  }

  @Override
  public String toString() {
    return name;
  }
}
