package io.arraywire.nio;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Raw elements in bulk, to and from direct memory. */
final class DirectCodec implements Codec {
  private final String name;
  private final ByteOrder order;
  private final Encoding encoding;

  DirectCodec(String name, ByteOrder order) {
    this.name = name;
    this.order = order;
    this.encoding =
        order == ByteOrder.BIG_ENDIAN ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Encoding encoding() {
    return encoding;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    BulkElements.put(type, array, index, count, target, order);
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    BulkElements.get(type, source, array, index, count, order);
  }

  @Override
  public CodecTraits traits() {
    return order == ByteOrder.nativeOrder() ? CodecTraits.VERBATIM : CodecTraits.DIRECT;
  }

  @Override
  public String toString() {
    return name;
  }
}
