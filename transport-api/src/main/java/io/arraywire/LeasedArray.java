package io.arraywire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * An array on loan, where it arrived: pooled memory that the kernel's bytes went into, without a
 * copy.
 *
 * <p>The elements lie in one or more segments, in order; an array of at most 64 KiB has one.
 * Segments exist because memory is taken only as bytes arrive. Each segment is a read-only view in
 * the byte order of the encoding, set so that the view's accessors return the right values.
 *
 * <p><b>Ownership.</b> The lease and its views belong to the caller of {@link
 * ArrayInput#receiveLeased()} until {@link #close()}, which gives the memory back. Do not use a
 * view after that. A lease that is never closed is a leak, which the transport reports when it is
 * closed; a {@link io.arraywire.spi.TrackingMemoryPool} names the call that received it.
 * <b>Threads.</b> One at a time.
 */
public interface LeasedArray extends AutoCloseable {

  /**
   * Type, count, sequence and attributes.
   *
   * @return the header
   */
  ArrayHeader header();

  /**
   * What the transfer cost at this end.
   *
   * @return the receipt
   */
  Receipt receipt();

  /**
   * How many segments hold the elements.
   *
   * @return 0 for an empty array
   */
  int segments();

  /**
   * Copies the elements out.
   *
   * @param target where they go, of the same type and with room for all
   * @throws TargetMismatchException if the target has another type or too little room
   * @throws IllegalStateException if the lease is closed
   */
  void copyTo(ArraySlice target) throws TargetMismatchException;

  /** Gives the memory back. Idempotent. */
  @Override
  void close();

  /**
   * The elements of a segment of a {@code float[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  FloatBuffer floats(int segment);

  /**
   * The elements of a segment of an {@code int[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  IntBuffer ints(int segment);

  /**
   * The elements of a segment of a {@code double[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  DoubleBuffer doubles(int segment);

  /**
   * The elements of a segment of a {@code long[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  LongBuffer longs(int segment);

  /**
   * The elements of a segment of a {@code short[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  ShortBuffer shorts(int segment);

  /**
   * The elements of a segment of a {@code char[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  CharBuffer chars(int segment);

  /**
   * The elements of a segment of a {@code byte[]}.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  ByteBuffer bytes(int segment);

  /**
   * The elements of a segment of a {@code boolean[]}, a byte each: 0 is false, anything else true.
   *
   * @param segment 0 to {@link #segments()} - 1
   * @return a read-only view, from position 0
   * @throws IllegalStateException if the elements have another type or the lease is closed
   */
  ByteBuffer booleans(int segment);

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(float[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(int[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(double[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(long[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(short[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(char[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(byte[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }

  /**
   * Copies the elements out, to the beginning of an array; see {@link #copyTo(ArraySlice)}.
   *
   * @param target where they go, with room for all
   * @throws TargetMismatchException as there
   */
  default void copyTo(boolean[] target) throws TargetMismatchException {
    copyTo(ArraySlice.of(target));
  }
}
