package io.arraywire;

import io.arraywire.source.ArraySource;
import java.nio.Buffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link ArrayOutput} for whole arrays of the eight primitive types, side by side, and for buffers.
 *
 * <p>One rule: every method that takes an {@link ArraySource} also takes a whole array of each of
 * the eight types, and does the same with {@code ArraySlice.of(array)}. It also takes a typed
 * buffer, as {@code ArraySource.of(buffer)}. A part of an array is {@code ArraySlice.of(array,
 * offset, length)}. A test finds missing methods.
 */
public interface TypedOutput extends TypedSends, TypedRequests {

  // float[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(float[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(float[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // int[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(int[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(int[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // double[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(double[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(double[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // long[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(long[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(long[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // short[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(short[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(short[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // char[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(char[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(char[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // byte[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(byte[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(byte[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // boolean[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(boolean[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(boolean[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // Buffers of any type

  /**
   * Sends the elements of a typed buffer; see {@link ArrayOutput#send(ArraySource)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(Buffer buffer) throws ArraywireException, InterruptedException {
    return send(ArraySource.of(buffer));
  }

  /**
   * Sends the elements of a typed buffer; see {@link ArrayOutput#send(ArraySource, SendOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(Buffer buffer, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(ArraySource.of(buffer), options);
  }

  /**
   * Sends the elements of a typed buffer without waiting; see {@link
   * ArrayOutput#sendAsync(ArraySource)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(Buffer buffer) {
    return sendAsync(ArraySource.of(buffer));
  }

  /**
   * Sends the elements of a typed buffer without waiting; see {@link
   * ArrayOutput#sendAsync(ArraySource, SendOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return the receipt to come
   */
  default CompletionStage<Receipt> sendAsync(Buffer buffer, SendOptions options) {
    return sendAsync(ArraySource.of(buffer), options);
  }

  /**
   * Asks with the elements of a typed buffer; see {@link ArrayOutput#request(ArraySource)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(Buffer buffer) {
    return request(ArraySource.of(buffer));
  }

  /**
   * Asks with the elements of a typed buffer; see {@link ArrayOutput#request(ArraySource,
   * RequestOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return the reply to come
   */
  default CompletableFuture<ReceivedArray> request(Buffer buffer, RequestOptions options) {
    return request(ArraySource.of(buffer), options);
  }

  /**
   * Asks with the elements of a typed buffer and waits for the reply; see {@link
   * ArrayOutput#call(ArraySource, Duration)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param timeout as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(Buffer buffer, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(ArraySource.of(buffer), timeout);
  }

  /**
   * Asks with the elements of a typed buffer and waits for the reply; see {@link
   * ArrayOutput#call(ArraySource, RequestOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(Buffer buffer, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return call(ArraySource.of(buffer), options);
  }

  /**
   * Offers the elements of a typed buffer; see {@link ArrayOutput#offer(ArraySource)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(Buffer buffer) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySource.of(buffer));
  }

  /**
   * Offers the elements of a typed buffer; see {@link ArrayOutput#offer(ArraySource, SendOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(Buffer buffer, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySource.of(buffer), options);
  }
}
