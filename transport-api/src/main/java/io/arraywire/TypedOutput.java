package io.arraywire;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link ArrayOutput} for whole arrays of the eight primitive types, side by side.
 *
 * <p>One rule: whatever takes an {@link ArraySlice} takes a whole array of each of the eight types,
 * too, and does the same with {@code ArraySlice.of(array)}. A part of an array is {@code
 * ArraySlice.of(array, offset, length)}. A test finds holes.
 */
public interface TypedOutput extends ArrayOutput {

  // float[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(float[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(float[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(float[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(float[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(float[] array)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(float[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(float[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(float[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(float[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(float[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // int[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(int[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(int[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(int[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(int[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(int[] array) throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(int[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(int[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(int[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(int[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(int[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // double[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(double[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(double[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(double[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(double[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(double[] array)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(double[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(double[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(double[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(double[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(double[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // long[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(long[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(long[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(long[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(long[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(long[] array) throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(long[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(long[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(long[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(long[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(long[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // short[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(short[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(short[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(short[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(short[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(short[] array)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(short[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(short[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(short[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(short[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(short[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // char[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(char[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(char[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(char[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(char[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(char[] array) throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(char[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(char[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(char[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(char[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(char[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // byte[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(byte[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(byte[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(byte[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(byte[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(byte[] array) throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(byte[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(byte[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(byte[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(byte[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(byte[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }

  // boolean[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(boolean[] array) throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array));
  }

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(boolean[] array, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySlice.of(array), options);
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(boolean[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySlice,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(boolean[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(boolean[] array)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(boolean[] array, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(boolean[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(boolean[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param array all of whose elements are sent
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(boolean[] array, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), timeout);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(boolean[] array, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySlice.of(array), options);
  }
}
