package io.arraywire.testkit.simulation;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;

/** Elements as they are, in one byte order or the other. */
record SimulatedCodec(Encoding encoding) implements Codec {
  @Override
  public String name() {
    return "simulated-" + encoding.name();
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
