package io.arraywire.codec;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The codecs that belong to no transport.
 *
 * <p>They are immutable and safe for use by any thread.
 */
public final class StandardCodecs {
  private static final Codec PROTOBUF = new ProtobufCodec();
  private static final Codec RAW_LITTLE_ENDIAN =
      RawCodec.of("raw-le", ByteOrder.LITTLE_ENDIAN, CodecTraits.HEAP);
  private static final Codec RAW_BIG_ENDIAN =
      RawCodec.of("raw-be", ByteOrder.BIG_ENDIAN, CodecTraits.HEAP);

  private StandardCodecs() {}

  /**
   * A protobuf message with one packed field, as {@code arraywire/arrays.proto} describes it, for
   * peers that have protobuf and not Arraywire's elements. Takes {@code float}, {@code int}, {@code
   * double} and {@code long}; protobuf has no packed field of fixed size for the others.
   *
   * <p>The elements lie side by side in little-endian order, so they are copied in bulk, and no
   * protobuf library is involved. Protobuf libraries take messages of less than 2 GiB only.
   *
   * @return the codec {@code protobuf}
   */
  public static Codec protobuf() {
    return PROTOBUF;
  }

  /**
   * Raw elements in a byte order, for code that has no transport, such as a serializer. Transports
   * have codecs of the same bytes with names of their own, which fit the memory that they stage in.
   * So this one is not in {@link #list()} and not found by name.
   *
   * @param order the byte order of the elements
   * @return the codec {@code raw-le} or {@code raw-be}
   */
  public static Codec raw(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN ? RAW_BIG_ENDIAN : RAW_LITTLE_ENDIAN;
  }

  /**
   * The codecs that are found by name.
   *
   * @return an unmodifiable list
   */
  public static List<Codec> list() {
    return List.of(PROTOBUF);
  }
}
