package io.arraywire.testkit;

import io.arraywire.ElementType;
import java.util.SplittableRandom;
import org.opentest4j.TestAbortedException;

/**
 * Arrays of arbitrary values that can be made again from their seed. Among arbitrary bits it strews
 * the values that go wrong most: NaNs with a payload, negative zero, infinities, denormals,
 * extremes.
 *
 * <p>Use {@link #check}, which says on failure how to repeat it:
 *
 * <pre>{@code
 * @Test
 * void anything() {
 *   SeededArrays.check(arrays -> {
 *     Object floats = arrays.array(ElementType.FLOAT, arrays.between(1, 100));
 *     ...
 *   });
 * }
 * }</pre>
 *
 * <p>For one thread at a time. The arrays belong to the caller.
 */
public final class SeededArrays {
  /** The system property that fixes the seed of {@link #check}. */
  public static final String SEED_PROPERTY = "arraywire.seed";

  /** One element in eight is a special value. */
  private static final int SPECIAL_BITS = 3;

  /**
   * Spreads an element's bits over those that choose: one random number then does for both. It is
   * 2^64 divided by the golden ratio, an odd number.
   */
  private static final long MIXER = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final SplittableRandom random;

  private SeededArrays(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /**
   * What a test does with arrays.
   *
   * @see #check
   */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs the test.
     *
     * @param arrays where its arrays come from
     * @throws Throwable to fail
     */
    void run(SeededArrays arrays) throws Throwable;
  }

  /**
   * A source of arrays.
   *
   * @param seed any number; the same one gives the same arrays in the same order
   * @return the source
   */
  public static SeededArrays withSeed(long seed) {
    return new SeededArrays(seed);
  }

  /**
   * Runs a test with a new seed, or with that of the system property {@value #SEED_PROPERTY}.
   *
   * @param body the test
   * @throws AssertionError if the test fails; its text names the seed, its cause is the failure
   */
  public static void check(Body body) {
    Long fixed = Long.getLong(SEED_PROPERTY);
    check(fixed == null ? new SplittableRandom().nextLong() : fixed, body);
  }

  /**
   * Runs a test with a seed.
   *
   * @param seed the seed
   * @param body the test
   * @throws AssertionError if the test fails; its text names the seed, its cause is the failure
   */
  public static void check(long seed, Body body) {
    try {
      body.run(withSeed(seed));
    } catch (TestAbortedException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(
          e
              + System.lineSeparator()
              + "(seed="
              + seed
              + ", repeat with -D"
              + SEED_PROPERTY
              + "="
              + seed
              + ")",
          e);
    }
  }

  /**
   * The seed.
   *
   * @return the number that makes the same arrays again
   */
  public long seed() {
    return seed;
  }

  /**
   * An arbitrary number.
   *
   * @param least the smallest
   * @param most the largest
   * @return a number between the two, both included
   */
  public int between(int least, int most) {
    return (int) (least + (long) (random.nextDouble() * ((long) most - least + 1)));
  }

  /**
   * Arbitrary bytes.
   *
   * @param length how many
   * @return a new array
   */
  public byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * An array of arbitrary bits with special values strewn in.
   *
   * @param type the element type
   * @param length the number of elements
   * @return a new array
   */
  public Object array(ElementType type, int length) {
    Object array = type.newArray(length);
    Object specials = specials(type);
    int specialCount = java.lang.reflect.Array.getLength(specials);
    for (int i = 0; i < length; i++) {
      long bits = random.nextLong();
      long choice = bits * MIXER;
      if (choice >>> (Long.SIZE - SPECIAL_BITS) == 0) {
        bits = NaiveElements.bits(type, specials, (int) ((choice >>> Integer.SIZE) % specialCount));
      }
      NaiveElements.setBits(type, array, i, bits);
    }
    return array;
  }

  /**
   * The values of a type that codecs get wrong most.
   *
   * @param type the element type
   * @return a new array of that type
   */
  public static Object specials(ElementType type) {
    return switch (type) {
      case FLOAT -> {
        int[] bits = {
          0x00000000, // 0
          0x80000000, // -0
          0x00000001, // the smallest denormal
          0x80000001,
          0x007fffff, // the largest denormal
          0x00800000, // the smallest normal
          0x3f800000, // 1
          0xbf800000,
          0x4b800001, // 2^24 + 2, the last that an int-to-float round trip keeps apart
          0x7f7fffff, // the largest
          0xff7fffff,
          0x7f800000, // infinity
          0xff800000,
          0x7fc00000, // the NaN that Java writes
          0xffc00000, // a NaN with a sign
          0x7fc12345, // a NaN with a payload
          0x7f800001, // a signalling NaN
          0xffffffff
        };
        float[] values = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
          values[i] = Float.intBitsToFloat(bits[i]);
        }
        yield values;
      }
      case DOUBLE -> {
        long[] bits = {
          0x0000000000000000L,
          0x8000000000000000L,
          0x0000000000000001L,
          0x8000000000000001L,
          0x000fffffffffffffL,
          0x0010000000000000L,
          0x3ff0000000000000L,
          0xbff0000000000000L,
          0x4340000000000001L,
          0x7fefffffffffffffL,
          0xffefffffffffffffL,
          0x7ff0000000000000L,
          0xfff0000000000000L,
          0x7ff8000000000000L,
          0xfff8000000000000L,
          0x7ff8000000012345L,
          0x7ff0000000000001L,
          0xffffffffffffffffL
        };
        double[] values = new double[bits.length];
        for (int i = 0; i < bits.length; i++) {
          values[i] = Double.longBitsToDouble(bits[i]);
        }
        yield values;
      }
      case INT ->
          new int[] {0, 1, -1, 0x80, 0xff, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x01020304};
      case LONG ->
          new long[] {0, 1, -1, 0x80, 0xff, Long.MIN_VALUE, Long.MAX_VALUE, 0x0102030405060708L};
      case SHORT -> new short[] {0, 1, -1, 0x80, 0xff, Short.MIN_VALUE, Short.MAX_VALUE, 0x0102};
      case CHAR -> new char[] {0, 1, 0x7f, 0x80, 0xff, 0x0102, 0xd800, 0xdfff, 0xfffe, 0xffff};
      case BYTE -> new byte[] {0, 1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 0x55};
      case BOOLEAN -> new boolean[] {true, false};
      case FP16, BF16 ->
          new short[] {
            0, // 0
            (short) 0x8000, // -0
            1, // the smallest denormal
            0x3c00, // 1 in FP16
            0x3f80, // 1 in BF16
            0x7bff, // the largest in FP16
            0x7f7f, // the largest in BF16
            0x7c00, // infinity in FP16
            0x7f80, // infinity in BF16
            0x7e01, // a NaN with a payload in FP16
            0x7fc1, // a NaN with a payload in BF16
            0x7c01, // a signalling NaN in FP16
            (short) 0xffff
          };
      case UINT8, UINT16, UINT32, UINT64 -> specials(type.carrier());
    };
  }

  @Override
  public String toString() {
    return "seed=" + seed;
  }
}
