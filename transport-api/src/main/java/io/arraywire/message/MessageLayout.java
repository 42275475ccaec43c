package io.arraywire.message;

import java.nio.ByteBuffer;

/**
 * How the attributes of a message lie between its header and its payload. All numbers are
 * little-endian and unsigned. The header is that of {@link io.arraywire.frame.FrameLayout}.
 *
 * <p>Attributes are sections, each at most once, in the order of their kinds:
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | kind              | entries           | section bytes, these 8 included           |
 *  8 | entries, then zeros up to a multiple of 8                                         |
 *
 * kind 1, the shape of the only part, where that has no name:
 *  8 | dimension, outermost first                                                        |
 *
 * kind 2, strings:
 *    | key bytes         | value bytes       | key, then value, both UTF-8
 *
 * kind 3, the table of parts:
 *  0 | element | encoding| dims    | name b. | 0                                         |
 *  8 | element count                                                                     |
 * 16 | dimension, outermost first                                                        |
 *    | name, UTF-8, then zeros up to a multiple of 8                                     |
 * </pre>
 *
 * <p>With a table every part of the payload is followed by zeros up to a multiple of 8. Without one
 * the payload is the only part's elements and nothing else. See {@code docs/array-message.md}.
 */
final class MessageLayout {
  /** The frame version that has this layout. */
  static final int VERSION = 2;

  /** The most attribute bytes: the last multiple of 8 that 16 bits hold. */
  static final int MAX_ATTRIBUTE_BYTES = 65_528;

  static final int SECTION_HEAD_BYTES = 8;
  static final int SHAPE = 1;
  static final int STRINGS = 2;
  static final int PARTS = 3;

  static final int STRING_HEAD_BYTES = 4;

  static final int PART_HEAD_BYTES = 16;
  static final int PART_ENCODING_AT = 1;
  static final int PART_DIMENSIONS_AT = 2;
  static final int PART_NAME_BYTES_AT = 3;
  static final int PART_RESERVED_AT = 4;
  static final int PART_COUNT_AT = 8;

  /** The longest array that every JVM can make. */
  static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private MessageLayout() {}

  /** The next multiple of 8; where parts and sections end. */
  static long padded(long bytes) {
    return (bytes + 7) & -8L;
  }

  /** The same of something that is known to be small. */
  static int padded(int bytes) {
    return (bytes + 7) & -8;
  }

  /** Whether dimensions that are not negative multiply to a number of elements. */
  static boolean holds(long[] shape, long count) {
    long product = 1;
    for (long dimension : shape) {
      product = times(product, dimension);
    }
    return product == count;
  }

  /**
   * Multiplies a product of dimensions by a further one. A product that overflows is -1, and stays
   * it until a dimension is 0: then all of them multiply to 0.
   */
  static long times(long product, long dimension) {
    if (dimension == 0) {
      return 0;
    }
    return product < 0 || product > Long.MAX_VALUE / dimension ? -1 : product * dimension;
  }

  /** An unsigned number of 16 bits. */
  static int u16(ByteBuffer bytes, int at) {
    return bytes.getShort(at) & 0xffff;
  }

  /** Dimensions in place. */
  static long[] shape(ByteBuffer bytes, int at, int dimensions) {
    long[] shape = new long[dimensions];
    for (int i = 0; i < dimensions; i++) {
      shape[i] = bytes.getLong(at + Long.BYTES * i);
    }
    return shape;
  }
}
