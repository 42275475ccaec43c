package io.arraywire;

import io.arraywire.source.ArraySource;
import java.util.concurrent.CompletionStage;

/**
 * {@code send} and {@code sendAsync} for whole arrays of the eight primitive types, side by side.
 * Each does the same as that of {@link ArrayOutput} with {@code ArraySlice.of(array)}.
 */
public interface TypedSends extends ArrayOutput {

  // float[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(float[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(float[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // int[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(int[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(int[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // double[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(double[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(double[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // long[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(long[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(long[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // short[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(short[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(short[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // char[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(char[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(char[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // byte[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(byte[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(byte[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }

  // boolean[]

  /**
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource)}.
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
   * Sends a whole array; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
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
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(boolean[] array) {
    return sendAsync(ArraySlice.of(array));
  }

  /**
   * Sends a whole array without waiting; see {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(boolean[] array, SendOptions options) {
    return sendAsync(ArraySlice.of(array), options);
  }
}
