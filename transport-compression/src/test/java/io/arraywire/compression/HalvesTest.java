package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Every float of 16 bits is kept, and every other float goes to the nearest one. */
class HalvesTest {
  private static double value(IntFunction<Integer> bits, int half) {
    return Float.intBitsToFloat(bits.apply(half));
  }

  /** What the standard says of the bits, without any trick. */
  private static double fp16(int half) {
    int exponent = half >>> 10 & 31;
    int fraction = half & 0x3ff;
    double size =
        exponent == 31
            ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
            : exponent == 0
                ? Math.scalb((double) fraction, -24)
                : Math.scalb(1 + fraction / 1024.0, exponent - 15);
    return half >>> 15 == 1 ? -size : size;
  }

  @Test
  void everyValueOf16BitsIsKept() {
    for (int half = 0; half < 1 << 16; half++) {
      float of = Float.intBitsToFloat(Halves.fromFp16((short) half));
      assertThat(Double.compare(of, fp16(half))).as("fp16 %x", half).isZero();
      short fp16 = Halves.toFp16(Float.floatToRawIntBits(of));
      int bf16 = Halves.toBf16(Halves.fromBf16((short) half)) & 0xffff;
      if (Float.isNaN(of)) {
        assertThat(fp16(fp16 & 0xffff)).isNaN();
      } else {
        assertThat(fp16 & 0xffff).as("fp16 %x", half).isEqualTo(half);
      }
      if (Float.isNaN(Float.intBitsToFloat(half << 16))) {
        assertThat(Float.intBitsToFloat(bf16 << 16)).isNaN();
      } else {
        assertThat(bf16).as("bf16 %x", half).isEqualTo(half);
      }
    }
  }

  @Test
  void otherValuesGoToTheNearest() {
    Random random = new Random(16);
    for (int i = 0; i < 400_000; i++) {
      // Of all sizes, and on each side of what lies between two neighbours.
      int bits = i % 2 == 0 ? random.nextInt() : (random.nextInt() & 0xffff0000) + 0x7fff + i % 3;
      check(bits, Halves.toBf16(bits) & 0xffff, half -> half << 16, 0x7f80);
      int near = i % 2 == 0 ? bits : (bits & 0xffffe000) + 0xfff + i % 3;
      check(near, Halves.toFp16(near) & 0xffff, half -> Halves.fromFp16((short) half), 0x7c00);
    }
  }

  private static void check(int bits, int half, IntFunction<Integer> toBits, int infinite) {
    double exact = Float.intBitsToFloat(bits);
    if (Double.isNaN(exact)) {
      assertThat(value(toBits, half)).isNaN();
      return;
    }
    assertThat(half >>> 15).isEqualTo(bits >>> 31);
    int size = half & 0x7fff;
    assertThat(size).isLessThanOrEqualTo(infinite);
    double off = distance(exact, size, toBits, infinite);
    if (size > 0) {
      double below = distance(exact, size - 1, toBits, infinite);
      assertThat(off < below || (off == below && size % 2 == 0)).as("%x", bits).isTrue();
    }
    if (size < infinite) {
      double above = distance(exact, size + 1, toBits, infinite);
      assertThat(off < above || (off == above && size % 2 == 0)).as("%x", bits).isTrue();
    }
  }

  /** How far a value is off; infinity stands for what would come next. */
  private static double distance(
      double exact, int size, IntFunction<Integer> toBits, int infinite) {
    double wanted = Math.abs(exact);
    double largest = value(toBits, infinite - 1);
    double next = 2 * largest - value(toBits, infinite - 2);
    if (Double.isInfinite(wanted)) {
      wanted = next;
    }
    if (size == infinite) {
      return wanted >= next ? 0 : next - wanted;
    }
    return Math.abs(value(toBits, size) - wanted);
  }

  /** What the javadoc promises. */
  @Test
  void theErrorIsWhatIsPromised() {
    Random random = new Random(17);
    for (int i = 0; i < 200_000; i++) {
      int bits = random.nextInt();
      double exact = Math.abs((double) Float.intBitsToFloat(bits));
      double bf16 = Math.abs(value(half -> half << 16, Halves.toBf16(bits) & 0xffff));
      if (exact >= 0x1p-126 && exact < 3.38e38) {
        assertThat(Math.abs(bf16 - exact)).isLessThanOrEqualTo(exact * 0x1p-8);
      } else if (exact < 0x1p-126) {
        assertThat(Math.abs(bf16 - exact)).isLessThanOrEqualTo(0x1p-134);
      }
      int small = (bits & 0x87ffffff) | 0x38000000;
      double near = Math.abs((double) Float.intBitsToFloat(small));
      double fp16 =
          Math.abs(value(half -> Halves.fromFp16((short) half), Halves.toFp16(small) & 0xffff));
      if (near >= 0x1p-14 && near <= 65504) {
        assertThat(Math.abs(fp16 - near)).isLessThanOrEqualTo(near * 0x1p-11);
      } else if (near < 0x1p-14) {
        assertThat(Math.abs(fp16 - near)).isLessThanOrEqualTo(0x1p-25);
      }
    }
    assertThat(Halves.toFp16(Float.floatToRawIntBits(65520f)) & 0xffff).isEqualTo(0x7c00);
    assertThat(Halves.toFp16(Float.floatToRawIntBits(65519f)) & 0xffff).isEqualTo(0x7bff);
  }
}
