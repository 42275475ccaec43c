package io.arraywire.memory;

import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * In what portions a channel gives and takes bytes: hostile I/O as a parameter of a test. A network
 * may cut a stream anywhere; whatever depends on where it was cut is a bug.
 *
 * <p>Immutable and safe for use by any thread; what {@link #begin} returns is for one thread.
 */
@FunctionalInterface
public interface Portions {

  /**
   * Begins a sequence of portions, for one direction of one connection.
   *
   * @return answers each number of bytes that could be moved, at least 1, with the number that is
   *     moved: between 1 and that
   */
  IntUnaryOperator begin();

  /**
   * As much as there is.
   *
   * @return the portions
   */
  static Portions everything() {
    return named("everything", () -> available -> available);
  }

  /**
   * One byte at a time.
   *
   * @return the portions
   */
  static Portions oneByte() {
    return fixed(1);
  }

  /**
   * The same number of bytes each time, as far as there are as many.
   *
   * @param bytes how many, at least 1
   * @return the portions
   */
  static Portions fixed(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a portion has at least a byte (bytes=" + bytes + ")");
    }
    return named("fixed(" + bytes + ")", () -> available -> Math.min(available, bytes));
  }

  /**
   * Arbitrary portions, small ones as often as large ones, that can be had again from their seed.
   *
   * @param seed any number
   * @return the portions
   */
  static Portions random(long seed) {
    return named(
        "random(" + seed + ")",
        () -> {
          Random random = new Random(seed);
          return available -> {
            int magnitude = random.nextInt(33 - Integer.numberOfLeadingZeros(available));
            int most = (int) Math.min(available, 1L << magnitude);
            return 1 + random.nextInt(most);
          };
        });
  }

  /**
   * One of each kind, for a test that goes through them.
   *
   * @param seed the seed of the random ones
   * @return everything, one byte, a few awkward sizes, random
   */
  static List<Portions> each(long seed) {
    return List.of(everything(), oneByte(), fixed(3), fixed(63), fixed(4096), random(seed));
  }

  private static Portions named(String name, Portions portions) {
    return new Portions() {
      @Override
      public IntUnaryOperator begin() {
        return portions.begin();
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }
}
