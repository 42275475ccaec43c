package io.arraywire.nio;

import io.arraywire.codec.RawCodec;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The codecs of direct memory: one bulk copy between an array and the memory that the kernel reads
 * and writes. Both take all eight element types.
 *
 * <p>The codecs are immutable and safe for use by any thread.
 */
public final class NioCodecs {
  private static final Codec NATIVE =
      RawCodec.of("direct", ByteOrder.nativeOrder(), CodecTraits.VERBATIM);
  private static final Codec SWAPPED =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? RawCodec.of("direct-be", ByteOrder.BIG_ENDIAN, CodecTraits.DIRECT)
          : RawCodec.of("direct-le", ByteOrder.LITTLE_ENDIAN, CodecTraits.DIRECT);
  private static final List<Codec> ALL = List.of(NATIVE, SWAPPED);

  private NioCodecs() {}

  /**
   * The raw encoding in this host's byte order, {@code raw-le} on nearly every host: nothing to
   * convert.
   *
   * @return the codec {@code direct}
   */
  public static Codec direct() {
    return NATIVE;
  }

  /**
   * The raw encoding in a byte order; bytes are swapped while they are copied if the order is not
   * the host's. Big-endian is what a {@code DataOutput} peer speaks.
   *
   * @param order the order on the wire
   * @return the codec {@code direct} for the host's order, else {@code direct-be} or {@code
   *     direct-le}
   */
  public static Codec direct(ByteOrder order) {
    return order == ByteOrder.nativeOrder() ? NATIVE : SWAPPED;
  }

  /**
   * All codecs of this module, fastest first.
   *
   * @return an unmodifiable list
   */
  public static List<Codec> list() {
    return ALL;
  }
}
