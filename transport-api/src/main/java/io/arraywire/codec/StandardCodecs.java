package io.arraywire.codec;

import io.arraywire.spi.Codec;
import java.util.List;

/**
 * The codecs that belong to no transport.
 *
 * <p>They are immutable and safe for use by any thread.
 */
public final class StandardCodecs {
  private static final Codec PROTOBUF = new ProtobufCodec();

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
   * All codecs of this package.
   *
   * @return an unmodifiable list
   */
  public static List<Codec> list() {
    return List.of(PROTOBUF);
  }
}
