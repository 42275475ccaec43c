package io.arraywire.examples.npy;

import java.util.List;
import java.util.Objects;

/**
 * What a {@code .npy} file says of its array.
 *
 * @param dtype the type of the elements
 * @param shape the dimensions, outermost first; empty for a single value without dimensions
 */
public record NpyHeader(NpyDtype dtype, List<Long> shape) {
  /**
   * The most dimensions that are read or written; also the most that a shape on the wire may have.
   */
  public static final int MAX_DIMENSIONS = 32;

  /** Copies the shape. */
  public NpyHeader {
    Objects.requireNonNull(dtype, "dtype");
    shape = List.copyOf(shape);
  }

  /**
   * The number of elements.
   *
   * @return the product of the dimensions
   * @throws ArithmeticException if it exceeds {@link Long#MAX_VALUE}
   */
  public long count() {
    return count(shape);
  }

  /**
   * The dimensions.
   *
   * @return a new array
   */
  public long[] dimensions() {
    return shape.stream().mapToLong(Long::longValue).toArray();
  }

  static long count(List<Long> shape) {
    // Zero first: (0, 2^62, 4) holds nothing, whatever the others multiply to.
    if (shape.contains(0L)) {
      return 0;
    }
    long count = 1;
    for (long dimension : shape) {
      count = Math.multiplyExact(count, dimension);
    }
    return count;
  }
}
