package io.arraywire.benchmarks.bench;

import io.arraywire.Encoding;
import java.util.List;

/**
 * What the encoding {@code bf16}, which keeps the upper half of a float's bits, may make of an
 * element: no more than its {@link Encoding#loss} says.
 */
final class Rounding {
  /** That of the encoding. */
  static final Rounding BF16 = new Rounding(Encoding.FLOAT_BF16);

  /** Half of what lies between two values that are next to each other, of 8 bits each. */
  private static final double RELATIVE = 0x1p-8;

  /** The same among the smallest ones, which have fewer bits. */
  private static final double ABSOLUTE = 0x1p-134;

  /** From the middle between the greatest value and the next power of two on. */
  private static final float INFINITE_FROM = 0x1.FFp127f;

  private final Encoding encoding;

  private Rounding(Encoding encoding) {
    this.encoding = encoding;
  }

  /** All that there are. */
  static List<Rounding> all() {
    return List.of(BF16);
  }

  /** Whether one element may arrive as another. */
  boolean allows(float sent, float received) {
    if (Float.isNaN(sent) || Float.isNaN(received)) {
      return Float.isNaN(sent) && Float.isNaN(received);
    }
    if (isNegative(sent) != isNegative(received)) {
      return false;
    }
    if (Float.isInfinite(sent) || Float.isInfinite(received)) {
      return Float.isInfinite(received) && Math.abs(sent) >= INFINITE_FROM;
    }
    double error = Math.abs((double) sent - received);
    return error <= RELATIVE * Math.abs((double) sent) || error <= ABSOLUTE;
  }

  private static boolean isNegative(float value) {
    return Float.floatToRawIntBits(value) < 0;
  }

  /**
   * Compares the first elements.
   *
   * @return the index of the first that arrived otherwise than it may; -1 if there is none
   */
  int firstWrong(float[] sent, float[] received, int count) {
    for (int i = 0; i < count; i++) {
      if (!allows(sent[i], received[i])) {
        return i;
      }
    }
    return -1;
  }

  /** What sends name. */
  String codec() {
    return encoding.name();
  }

  /** What it loses, in words. */
  String loss() {
    String loss = encoding.loss();
    if (loss == null) {
      throw new IllegalStateException("an encoding that loses nothing (encoding=" + encoding + ")");
    }
    return loss;
  }
}
