package io.arraywire.compression;

import io.arraywire.spi.Codec;

class Fp16CodecTest extends HalfCodecContract {
  @Override
  protected Codec codec() {
    return Compression.fp16();
  }

  /** As the javadoc of {@link Compression#fp16} allows. */
  @Override
  protected boolean near(float value, float back) {
    float size = Math.abs(value);
    if (size > 65504) {
      return size >= 65520 ? Float.isInfinite(back) : Math.abs(back) == 65504;
    }
    return Math.abs((double) back - value) <= Math.max(size * 0x1p-11, 0x1p-25);
  }
}
