package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Codecs for fuzz targets: one of each standard encoding, and one of a custom encoding whose
 * elements have odd sizes and can be malformed. They see to it that arrays do not grow ahead of
 * their bytes.
 */
final class FuzzCodec {
  /** Elements of 3, 2 and 16 bytes; one that begins with 0xee is malformed. */
  static final Encoding CUSTOM =
      Encoding.custom(
          200,
          "fuzz",
          ByteOrder.LITTLE_ENDIAN,
          type ->
              switch (type) {
                case FLOAT -> 3;
                case BYTE -> 2;
                case LONG -> 16;
                default -> 0;
              });

  private static final byte MALFORMED = (byte) 0xee;

  private FuzzCodec() {}

  /** Is told each array that elements are decoded into, before they are. */
  interface Watcher {
    void decodes(ElementType type, Object array);
  }

  static List<Codec> all(Watcher watcher) {
    return List.of(
        watched(Encoding.RAW_LITTLE_ENDIAN, watcher),
        watched(Encoding.RAW_BIG_ENDIAN, watcher),
        watched(Encoding.JAVA_OBJECT, watcher),
        watched(Encoding.PROTOBUF, watcher),
        watched(CUSTOM, watcher));
  }

  private static Codec watched(Encoding encoding, Watcher watcher) {
    SimpleCodec right = SimpleCodec.of(encoding).named(encoding.name());
    SimpleCodec.Decoder decoder = encoding == CUSTOM ? FuzzCodec::decode : right.decoder();
    return (encoding == CUSTOM ? right.encodingWith(FuzzCodec::encode) : right)
        .decodingWith((type, source, array, index, count) -> {
          watcher.decodes(type, array);
          decoder.decode(type, source, array, index, count);
        });
  }

  /** Whether an element may begin with a byte. */
  static boolean accepts(Encoding encoding, byte first) {
    return encoding != CUSTOM || first != MALFORMED;
  }

  /** All elements, which were accepted. */
  static Object decoded(Encoding encoding, ElementType type, byte[] bytes, int count) {
    if (encoding != CUSTOM) {
      return NaiveElements.decode(type, bytes, count, encoding.order());
    }
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      NaiveElements.setBits(type, array, i, bits(bytes, i * CUSTOM.elementBytes(type), type));
    }
    return array;
  }

  private static void decode(
      ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    byte[] element = new byte[CUSTOM.elementBytes(type)];
    for (int i = 0; i < count; i++) {
      source.get(element);
      if (element[0] == MALFORMED) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD, "an element that begins as none does");
      }
      NaiveElements.setBits(type, array, index + i, bits(element, 0, type));
    }
  }

  /** The lower bytes of an element, as many as there are in the Java value. */
  private static long bits(byte[] bytes, int at, ElementType type) {
    int size = Math.min(CUSTOM.elementBytes(type), type.bytes());
    long bits = 0;
    for (int i = 0; i < size; i++) {
      bits |= (bytes[at + i] & 0xffL) << (8 * i);
    }
    return bits;
  }

  private static void encode(
      ElementType type, Object array, int index, int count, ByteBuffer target) {
    for (int i = 0; i < count; i++) {
      long bits = NaiveElements.bits(type, array, index + i);
      for (int k = 0; k < CUSTOM.elementBytes(type); k++) {
        target.put((byte) (k < Long.BYTES ? bits >>> (8 * k) : 0));
      }
    }
  }
}
