package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.testkit.BlockCodecContract;

/** Codecs that send floats as 16 bits. */
abstract class HalfCodecContract extends BlockCodecContract {
  /** Whether a number, not NaN and of the right sign, may come out of another. */
  protected abstract boolean near(float value, float back);

  @Override
  protected final boolean acceptable(ElementType type, Object sent, Object received) {
    float value = (Float) sent;
    float back = (Float) received;
    if (Float.isNaN(value)) {
      return Float.isNaN(back);
    }
    if (value != 0 && back != 0 && Math.signum(value) != Math.signum(back)) {
      return false;
    }
    return near(value, back);
  }
}
