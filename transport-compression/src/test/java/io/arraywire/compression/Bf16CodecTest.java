package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BlockCodecContract;

class Bf16CodecTest extends BlockCodecContract {
  @Override
  protected Codec codec() {
    return Compression.bf16();
  }

  /** As the javadoc of {@link Compression#bf16} allows. */
  @Override
  protected boolean acceptable(ElementType type, Object sent, Object received) {
    float value = (Float) sent;
    float back = (Float) received;
    if (Float.isNaN(value)) {
      return Float.isNaN(back);
    }
    if (value != 0 && back != 0 && Math.signum(value) != Math.signum(back)) {
      return false;
    }
    float size = Math.abs(value);
    if (size > 3.39e38f) {
      return Float.isInfinite(back) || Math.abs(back - value) <= size * 0x1p-8f;
    }
    return Math.abs((double) back - value) <= Math.max(size * 0x1p-8, 0x1p-134);
  }
}
