package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BlockCodecContract;

class Fp16CodecTest extends BlockCodecContract {
  @Override
  protected Codec codec() {
    return Compression.fp16();
  }

  /** As the javadoc of {@link Compression#fp16} allows. */
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
    if (size > 65504) {
      return size >= 65520 ? Float.isInfinite(back) : Math.abs(back) == 65504;
    }
    return Math.abs((double) back - value) <= Math.max(size * 0x1p-11, 0x1p-25);
  }
}
