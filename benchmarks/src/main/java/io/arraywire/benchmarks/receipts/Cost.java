package io.arraywire.benchmarks.receipts;

import io.arraywire.Receipt;

/**
 * What one array costs one side.
 *
 * @param copies bytes copied in user space for each byte of the elements, as receipts say
 * @param operations reads or writes that moved bytes of the array, as receipts say
 * @param allocated bytes that all threads of the JVM allocated
 */
record Cost(double copies, double operations, double allocated) {
  /** A figure that cannot be known. */
  static final double UNKNOWN = Double.NaN;

  /** From what {@link Tally#words} says of a round. */
  static Cost parse(String[] words, int elements, int expected) {
    long arrays = Long.parseLong(words[0]);
    if (arrays != expected) {
      throw new IllegalStateException(
          "wrong number of receipts (receipts=" + arrays + ", arrays=" + expected + ")");
    }
    return new Cost(
        each(words[1], arrays * elements * Float.BYTES),
        each(words[2], arrays),
        each(words[3], arrays));
  }

  private static double each(String word, long of) {
    long sum = Long.parseLong(word);
    return sum == Receipt.UNKNOWN ? UNKNOWN : (double) sum / of;
  }

  /** The least of each; a figure that is not always known is unknown. */
  Cost least(Cost other) {
    return new Cost(
        Math.min(copies, other.copies),
        Math.min(operations, other.operations),
        Math.min(allocated, other.allocated));
  }

  /** The most of each; a figure that is not always known is unknown. */
  Cost most(Cost other) {
    return new Cost(
        Math.max(copies, other.copies),
        Math.max(operations, other.operations),
        Math.max(allocated, other.allocated));
  }
}
