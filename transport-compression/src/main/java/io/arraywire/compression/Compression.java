package io.arraywire.compression;

import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import java.util.List;

/**
 * The codecs of this module. Both sides need the module: a codec is usable where the peer lists its
 * encoding, as {@link io.arraywire.Agreement#codecs()} tells.
 *
 * <p>With the module on the class path or module path they are found by themselves. Connections
 * between hosts choose the lossless ones by themselves where elements arrive sooner so, see {@link
 * io.arraywire.codec.AdaptiveCompression}. Or name one for a send, {@code
 * SendOptions.handedOff().codec("shuffle-zstd")}, or put one first in {@link
 * io.arraywire.TransportOptions.Builder#codecs} for all arrays of its types. A part of a message
 * names its own, see {@link io.arraywire.message.Message#codec}. For parts that name none,
 * connections choose as they do for arrays, but not for publications.
 *
 * <p>The codecs are safe for use by any thread, and allocate nothing once they are compiled. One
 * exception, from JDK 22 on: zstd-jni takes 224 bytes for each call, and a block takes a few calls.
 * Each block is made in memory of the codec's own, some 900 KiB for each thread at work. The codecs
 * zstd and LZ4 are native code, which JDK 24 and later warn of unless the program has {@code
 * --enable-native-access}. Without its native part LZ4 goes on in Java.
 */
public final class Compression {
  private static final Codec SHUFFLE_ZSTD =
      new ShuffleCodec(Encoding.SHUFFLE_ZSTD, ZstdCompressor::new);
  private static final Codec SHUFFLE_LZ4 =
      new ShuffleCodec(Encoding.SHUFFLE_LZ4, Lz4Compressor::new);
  private static final Codec BF16 = new HalfCodec(Encoding.FLOAT_BF16, true);
  private static final Codec FP16 = new HalfCodec(Encoding.FLOAT_FP16, false);

  private Compression() {}

  /**
   * {@code shuffle-zstd}: the bytes of the elements of a block are sorted by their significance and
   * compressed by zstd, level 1. Where elements repeat, zstd compresses a table of at most 4,096
   * values and indices instead, or the elements as they are, if that is smaller. Lossless, for all
   * types.
   *
   * @return the codec
   */
  public static Codec shuffleZstd() {
    return SHUFFLE_ZSTD;
  }

  /**
   * {@code shuffle-lz4}: the same with LZ4, which is faster and compresses less.
   *
   * @return the codec
   */
  public static Codec shuffleLz4() {
    return SHUFFLE_LZ4;
  }

  /**
   * {@code bf16}: floats as the upper halves of their bits, rounded to nearest, ties to even. A
   * finite value is off by at most 2<sup>-8</sup> of itself (0.4 %) if it is at least
   * 2<sup>-126</sup> in size. A smaller one is off by at most 2<sup>-134</sup>. One beyond 3.39e38
   * becomes infinite. A NaN stays one.
   *
   * @return the codec
   */
  public static Codec bf16() {
    return BF16;
  }

  /**
   * {@code fp16}: floats as IEEE 754 binary16, rounded to nearest, ties to even. A value from
   * 2<sup>-14</sup> to 65504 in size is off by at most 2<sup>-11</sup> of itself (0.05 %). A
   * smaller one is off by at most 2<sup>-25</sup>. One of 65520 or more becomes infinite. A NaN
   * stays one.
   *
   * @return the codec
   */
  public static Codec fp16() {
    return FP16;
  }

  /**
   * All of them.
   *
   * @return an unmodifiable list
   */
  public static List<Codec> list() {
    return List.of(SHUFFLE_ZSTD, SHUFFLE_LZ4, BF16, FP16);
  }
}
