package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;

/** A codec of an encoding that only this side and its peer know. */
final class CustomCodec implements Codec {
  private final Encoding encoding;

  CustomCodec(Encoding encoding) {
    this.encoding = encoding;
  }

  @Override
  public String name() {
    return "codec-of-" + encoding.name();
  }

  @Override
  public Encoding encoding() {
    return encoding;
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
