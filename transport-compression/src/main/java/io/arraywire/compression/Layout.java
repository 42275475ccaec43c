package io.arraywire.compression;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How the content of a block that is not raw is laid out. 32-bit words come first, and behind them
 * sequences of bytes, each compressed by itself or raw.
 *
 * <pre>
 * planes   word for each plane                     | plane 0, plane 1, ...
 * whole    OTHER                                   | the elements, compressed
 * values   OTHER and how many, words for the planes | planes of the values, and of the index of
 *          of the values and of the indices        | each element's value
 * </pre>
 *
 * <p>A word has the bytes of a sequence, and whether it is raw.
 */
final class Layout {
  /** In the word of a sequence: it is as it was. */
  static final int RAW = 1 << 31;

  /** In the first word: not planes. What else is in it is the number of values, 0 for none. */
  static final int OTHER = 1 << 30;

  static final int MOST_VALUES = 4096;

  /** Up to here an index is a byte, beyond it is two. */
  static final int VALUES_OF_A_BYTE = 256;

  static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Layout() {}

  /** Bytes of an index, if there are so many values. */
  static int indexBytes(int values) {
    return values <= VALUES_OF_A_BYTE ? Byte.BYTES : Short.BYTES;
  }

  /** Bytes of the words of a block with so many values. */
  static int wordsOfValues(int width, int values) {
    return (1 + width + indexBytes(values)) * Integer.BYTES;
  }
}
