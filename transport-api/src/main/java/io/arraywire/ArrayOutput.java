package io.arraywire;

import java.util.concurrent.CompletionStage;

/**
 * The sending half of a {@link Connection}: gives away slices of primitive arrays, in order.
 *
 * <p>Implementers write the three methods that take {@link SendOptions}, and {@link
 * #sendAsync(ArraySlice)}; everything else is here.
 *
 * <p><b>Back-pressure.</b> What was accepted and the kernel has not yet taken waits in a queue of
 * at most {@link TransportOptions#sendQueueBytes()}; an array larger than that is accepted when the
 * queue is empty. With a full queue {@code send} waits for room, {@code offer} says so, and {@code
 * sendAsync} fails.
 *
 * <p><b>Ownership.</b> The array belongs to Arraywire from the call until {@code send} returns or
 * throws, or until the stage of {@code sendAsync} completes: do not change it in between. Nothing
 * keeps a reference to it afterwards. <b>Threads.</b> Any thread may send, also several at once;
 * one call's array is sent whole before the next one's, in the order in which the calls took their
 * place.
 */
public interface ArrayOutput {

  /**
   * Sends a slice and waits until the array may be reused: every byte was handed to the kernel, or
   * (with {@link Delivery#PROCESSED} in the options) the far side has processed it.
   *
   * @param slice what to send
   * @param options tag, shape, metadata and the delivery that ends the wait
   * @return what the transfer cost
   * @throws ArrayTooLargeException before any byte is sent, if a limit of either side forbids it
   * @throws IllegalArgumentException before any byte is sent, if the element type was not agreed
   * @throws SendTimeoutException if the array's first byte could not leave within {@link
   *     TransportOptions#sendTimeout()}, because the peer takes nothing or others are before it; it
   *     is withdrawn, and the connection lives on
   * @throws ConnectionClosedException if the connection is closed, before or during the transfer
   * @throws ArraywireException if the transfer fails otherwise; the class says how
   * @throws InterruptedException if the caller is interrupted: the array is withdrawn, the far side
   *     sees none of it, and the connection lives on. An array whose last element had been taken by
   *     then arrives all the same. (In plain mode, which has no way to withdraw an array once
   *     begun, the connection is closed if its first byte had left.)
   */
  Receipt send(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException;

  /**
   * Sends a slice without waiting.
   *
   * @param slice what to send
   * @param options tag, shape, metadata and the delivery that completes the stage
   * @return a stage that completes with the receipt, or exceptionally with an {@link
   *     ArraywireException}, exactly once: with {@link SendQueueFullException} at once if there is
   *     no room for the array. It completes on an Arraywire thread, so hand long work to an
   *     executor. Cancelling it does not withdraw the array.
   * @throws IllegalArgumentException if the element type was not agreed
   */
  CompletionStage<Receipt> sendAsync(ArraySlice slice, SendOptions options);

  /**
   * Takes a copy of a slice if there is room for it, and never waits. Nothing more is heard of an
   * array that was accepted; if the connection fails, it may be lost.
   *
   * @param slice what to send; the caller's again when the method returns
   * @param options tag, shape and metadata; the delivery makes no difference
   * @return whether it was accepted
   * @throws ArrayTooLargeException if a limit of either side forbids it, or if it is larger than
   *     {@link TransportOptions#sendQueueBytes()} and so would never be accepted
   * @throws IllegalArgumentException if the element type was not agreed
   */
  OfferStatus offer(ArraySlice slice, SendOptions options) throws ArrayTooLargeException;

  /**
   * As {@link #offer(ArraySlice, SendOptions)} without attributes.
   *
   * @param slice what to send
   * @return whether it was accepted
   * @throws ArrayTooLargeException if it never would be
   */
  default OfferStatus offer(ArraySlice slice) throws ArrayTooLargeException {
    return offer(slice, SendOptions.handedOff());
  }

  /**
   * As {@link #send(ArraySlice, SendOptions)} with {@link SendOptions#handedOff()}.
   *
   * @param slice what to send
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(ArraySlice slice) throws ArraywireException, InterruptedException {
    return send(slice, SendOptions.handedOff());
  }

  /**
   * As {@link #sendAsync(ArraySlice, SendOptions)} with {@link SendOptions#processed()}; in plain
   * mode, which has no acknowledgements, with {@link SendOptions#handedOff()}.
   *
   * @param slice what to send
   * @return the stage of the receipt
   */
  CompletionStage<Receipt> sendAsync(ArraySlice slice);

  // The eight primitive types side by side; each is the same call on ArraySlice.

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(float[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(float[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(float[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(int[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(int[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(int[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(double[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(double[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(double[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(long[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(long[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(long[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(short[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(short[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(short[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(char[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(char[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(char[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(byte[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(byte[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(byte[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends all elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(boolean[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends some elements of an array; see {@link #send(ArraySlice)}.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return what the transfer cost
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(boolean[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array, offset, length));
  }

  /**
   * Sends some elements of an array without waiting; see {@link #sendAsync(ArraySlice)}.
   *
   * @param array the array, not to be changed before the stage completes
   * @param offset index of the first element
   * @param length number of elements
   * @return the stage of the receipt
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  default CompletionStage<Receipt> sendAsync(boolean[] array, int offset, int length) {
    return sendAsync(ArraySlice.of(array, offset, length));
  }
}
