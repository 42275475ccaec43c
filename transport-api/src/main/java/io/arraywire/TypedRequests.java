package io.arraywire;

import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * {@code request} and {@code call} for whole arrays of the eight primitive types, side by side.
 * Each does the same as that of {@link ArrayOutput} with {@code ArraySlice.of(array)}.
 */
public interface TypedRequests extends ArrayOutput {

  // float[]

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(float[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(float[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(int[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(int[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(double[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(double[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(long[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(long[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(short[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(short[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(char[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(char[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(byte[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(byte[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(boolean[] array) {
    return request(ArraySlice.of(array));
  }

  /**
   * Asks with a whole array; see {@link ArrayOutput#request(ArraySource, RequestOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(boolean[] array, RequestOptions options) {
    return request(ArraySlice.of(array), options);
  }

  /**
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
   * Asks with a whole array and waits for the reply; see {@link ArrayOutput#call(ArraySource,
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
