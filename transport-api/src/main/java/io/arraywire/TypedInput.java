package io.arraywire;

import java.nio.Buffer;
import java.time.Duration;

/**
 * {@link ArrayInput} for whole arrays of the eight primitive types, side by side, and for buffers.
 *
 * <p>One rule: every method that takes an {@link ArraySlice} also takes a whole array of each of
 * the eight types, and does the same with {@code ArraySlice.of(array)}. A part of an array is
 * {@code ArraySlice.of(array, offset, length)}. A test finds missing methods.
 */
public interface TypedInput extends ArrayInput {

  // float[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(float[] target)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(float[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(float[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      float[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // int[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(int[] target) throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(int[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(int[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(int[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // double[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(double[] target)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(double[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(double[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      double[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // long[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(long[] target) throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(long[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(long[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      long[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // short[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(short[] target)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(short[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(short[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      short[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // char[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(char[] target) throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(char[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(char[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      char[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // byte[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(byte[] target) throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(byte[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(byte[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      byte[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // boolean[]

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice)}.
   *
   * @param target filled from its first element
   * @return the array received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray receiveInto(boolean[] target)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(target));
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}.
   * Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default void receiveInto(boolean[] target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(info.whole(target), info);
  }

  /**
   * Receives into a whole array; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)}. Allocates nothing for the same array and the same info again.
   *
   * @param target filled from its first element
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default boolean receiveInto(boolean[] target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(info.whole(target), info, timeout);
  }

  /**
   * Receives into a whole array again and again; see {@link ArrayInput#receiveEachInto(ArraySlice,
   * ArrayAction)}.
   *
   * @param target filled from its first element
   * @param action as there
   * @param <X> what the action throws
   * @throws X as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default <X extends Exception> void receiveEachInto(
      boolean[] target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    receiveEachInto(ArraySlice.of(target), action);
  }

  // Buffers of any type

  /**
   * Receives into a typed buffer; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)}, to
   * which the buffer is what the slice is. Elements that travel in the buffer's byte order and
   * others cost one copy alike.
   *
   * @param target on the heap or direct, in any byte order (for a memory segment, {@link
   *     io.arraywire.source.ArraySource#buffer}): filled from its position, with room to its limit.
   *     Neither moves; {@link ArrayInfo#count()} tells how many elements came
   * @param info as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   * @throws IllegalArgumentException if the buffer is read-only
   */
  default void receiveInto(Buffer target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    receiveInto(ArraySlice.ofBuffer(target), info);
  }

  /**
   * Receives into a typed buffer; see {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo,
   * Duration)} and {@link #receiveInto(Buffer, ArrayInfo)}.
   *
   * @param target as there
   * @param info as there
   * @param timeout as there
   * @return true if an array was received
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   * @throws IllegalArgumentException if the buffer is read-only
   */
  default boolean receiveInto(Buffer target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.ofBuffer(target), info, timeout);
  }
}
