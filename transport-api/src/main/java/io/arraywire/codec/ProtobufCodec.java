package io.arraywire.codec;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The body of a packed repeated field of fixed-size elements, which protobuf lays out little-endian
 * and side by side. The encoding has written key and length before it.
 */
final class ProtobufCodec implements Codec {

  @Override
  public String name() {
    return "protobuf";
  }

  @Override
  public Encoding encoding() {
    return Encoding.PROTOBUF;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    BulkElements.put(type, array, index, count, target, ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    BulkElements.get(type, source, array, index, count, ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public String toString() {
    return name();
  }
}
