package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A codec of little-endian elements, for both ends of a connection. It counts the bytes of {@code
 * float[]} that have gone in at one end and come out at the other. It says at each end how many
 * those were when an array of another type passed.
 */
final class PassageCodec implements Codec {
  private final AtomicLong encoded = new AtomicLong();
  private final AtomicLong decoded = new AtomicLong();
  private final LongConsumer onOtherEncoded;
  private final LongConsumer onOtherDecoded;

  /**
   * Makes a codec.
   *
   * @param onOtherEncoded told of the bytes encoded when an array of another type is
   * @param onOtherDecoded told of the bytes decoded when an array of another type is
   */
  PassageCodec(LongConsumer onOtherEncoded, LongConsumer onOtherDecoded) {
    this.onOtherEncoded = onOtherEncoded;
    this.onOtherDecoded = onOtherDecoded;
  }

  /** Bytes of {@code float[]} that have gone in. */
  long encoded() {
    return encoded.get();
  }

  /** Bytes of {@code float[]} that have come out. */
  long decoded() {
    return decoded.get();
  }

  @Override
  public String name() {
    return "passage";
  }

  @Override
  public Encoding encoding() {
    return Encoding.RAW_LITTLE_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    if (type == ElementType.FLOAT) {
      encoded.addAndGet((long) count * Float.BYTES);
    } else {
      onOtherEncoded.accept(encoded.get());
    }
    BulkElements.put(type, array, index, count, target, encoding().order());
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    if (type == ElementType.FLOAT) {
      decoded.addAndGet((long) count * Float.BYTES);
    } else {
      onOtherDecoded.accept(decoded.get());
    }
    BulkElements.get(type, source, array, index, count, encoding().order());
  }
}
