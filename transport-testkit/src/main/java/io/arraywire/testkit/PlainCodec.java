package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;

/** The shortest codec of an encoding with plain elements. */
record PlainCodec(Encoding encoding) implements Codec {

  @Override
  public String name() {
    return "plain-" + encoding.name();
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    BulkElements.put(type, array, index, count, target, encoding.order());
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    BulkElements.get(type, source, array, index, count, encoding.order());
  }
}
