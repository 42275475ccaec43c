package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Elements as they lie in memory, which a channel may move past it. */
final class VerbatimCodec implements Codec {
  static final Codec CODEC = new VerbatimCodec();

  private VerbatimCodec() {}

  @Override
  public String name() {
    return "verbatim";
  }

  @Override
  public Encoding encoding() {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Encoding.RAW_LITTLE_ENDIAN
        : Encoding.RAW_BIG_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    BulkElements.put(type, array, index, count, target, ByteOrder.nativeOrder());
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    BulkElements.get(type, source, array, index, count, ByteOrder.nativeOrder());
  }

  @Override
  public CodecTraits traits() {
    return CodecTraits.VERBATIM;
  }

  /** The array that has these bytes. */
  static Object array(ElementType type, byte[] bytes) {
    int count = bytes.length / type.bytes();
    Object array = type.newArray(count);
    BulkElements.get(type, ByteBuffer.wrap(bytes), array, 0, count, ByteOrder.nativeOrder());
    return array;
  }

  /** The bytes of an array. */
  static byte[] bytes(ElementType type, Object array, int index, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes());
    CODEC.encode(type, array, index, count, bytes);
    return bytes.array();
  }
}
