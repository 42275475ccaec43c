package io.arraywire.codec;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Raw elements in bulk, for every transport: the encodings {@code raw-le} and {@code raw-be} of all
 * eight element types. Each transport has one under a name of its own, for the memory that it
 * stages in; the bytes are the same.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class RawCodec implements Codec {
  private final String name;
  private final ByteOrder order;
  private final Encoding encoding;
  private final CodecTraits traits;

  private RawCodec(String name, ByteOrder order, CodecTraits traits) {
    this.name = Objects.requireNonNull(name, "name");
    this.order = Objects.requireNonNull(order, "order");
    this.traits = Objects.requireNonNull(traits, "traits");
    this.encoding =
        order == ByteOrder.BIG_ENDIAN ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN;
    if (traits.verbatim() && order != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "a verbatim codec must have the byte order of this host (codec=" + name + ")");
    }
  }

  /**
   * The codec for a transport, under its own name.
   *
   * @param name the name of the strategy, unique among the codecs of a process
   * @param order the byte order of the elements
   * @param traits which memory the transport stages in
   * @return the codec
   * @throws IllegalArgumentException if the traits say {@linkplain CodecTraits#verbatim() verbatim}
   *     and the order is not the host's
   */
  public static RawCodec of(String name, ByteOrder order, CodecTraits traits) {
    return new RawCodec(name, order, traits);
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
    return traits;
  }

  @Override
  public String toString() {
    return name;
  }
}
