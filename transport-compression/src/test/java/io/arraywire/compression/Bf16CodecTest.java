package io.arraywire.compression;

import io.arraywire.spi.Codec;

class Bf16CodecTest extends HalfCodecContract {
  @Override
  protected Codec codec() {
    return Compression.bf16();
  }

  /** As the javadoc of {@link Compression#bf16} allows. */
  @Override
  protected boolean near(float value, float back) {
    float size = Math.abs(value);
    if (size > 3.39e38f) {
      return Float.isInfinite(back) || Math.abs(back - value) <= size * 0x1p-8f;
    }
    return Math.abs((double) back - value) <= Math.max(size * 0x1p-8, 0x1p-134);
  }
}
