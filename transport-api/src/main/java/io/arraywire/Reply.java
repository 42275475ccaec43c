package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.nio.Buffer;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The answer that a {@link RequestHandler} owes, now or later. Implementers write {@link
 * #send(ArraySource, SendOptions)}: whatever takes an {@link ArraySource} takes a whole array, a
 * typed buffer or a {@link Message}, too.
 *
 * <p>Call exactly one of {@link #send} and {@link #fail(String)}, once, on any thread, before or
 * after {@code onRequest} returns. Until then the request counts against {@link
 * TransportOptions#maxOpenRequests()}, and an orderly close waits for it. A request that is not
 * answered within {@link TransportOptions#requestTimeout()} of the return of {@code onRequest}, or
 * whose reply nobody references any more, is refused. The requester gets {@link
 * RemoteRejectedException}, and a warning is logged here. <b>Threads.</b> Any thread may call any
 * method; none blocks.
 */
public interface Reply {

  /**
   * The channel that the request came on, which the answer goes back on.
   *
   * @return the channel, which knows its connection
   */
  Channel channel();

  /**
   * Answers with an array.
   *
   * @param source the answer; it belongs to Arraywire until the stage completes
   * @param options tag, shape, metadata and the delivery that completes the stage
   * @return a stage that completes with the receipt, or exceptionally with an {@link
   *     ArraywireException}, or with {@link java.util.concurrent.CancellationException} if the
   *     request {@linkplain #isCancelled() was cancelled}: then nothing is sent. It waits in the
   *     queue of the channel for as long as that is full, and fails with {@link TimedOutException}
   *     where a stage of {@link ArrayOutput#sendAsync} would. It completes on the handler executor.
   *     With {@link Delivery#PROCESSED} it may complete some milliseconds late while the requester
   *     sends nothing: its acknowledgement of a reply rides along with what it sends next.
   * @throws IllegalStateException if the request was answered before
   * @throws IllegalArgumentException if the element type was not agreed; the request is still open
   */
  CompletionStage<Receipt> send(ArraySource source, SendOptions options);

  /**
   * As {@link #send(ArraySource, SendOptions)} with {@link SendOptions#defaults()}.
   *
   * @param source the answer
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(ArraySource source) {
    return send(source, SendOptions.defaults());
  }

  /**
   * Answers with a message of one or more parts, as {@link #send(ArraySource)} does with an array.
   *
   * @param message the answer
   * @return the stage of the receipt
   * @throws IllegalStateException if the request was answered before
   * @throws IllegalArgumentException if an element type was not agreed; the request is still open
   */
  default CompletionStage<Receipt> send(Message message) {
    return send(message, SendOptions.defaults());
  }

  /**
   * Answers with a message of one or more parts, as {@link #send(ArraySource, SendOptions)} does
   * with an array.
   *
   * @param message the answer
   * @param options as there, without attributes
   * @return the stage of the receipt
   * @throws IllegalStateException if the request was answered before
   * @throws IllegalArgumentException if an element type was not agreed, or the options have
   *     attributes; the request is still open
   */
  default CompletionStage<Receipt> send(Message message, SendOptions options) {
    SendOptions all =
        options.of(
            Objects.requireNonNull(
                message, "the answer is null; send a Message, or call fail with a reason"));
    return send(MessageSlices.of(message, all.attributes()), all);
  }

  /**
   * Answers with a reason: the requester gets {@link RemoteRejectedException} ({@link
   * ErrorCode#REQUEST_FAILED}) with these words. Does nothing if the request was cancelled.
   *
   * @param reason for people; cut to 700 bytes
   * @throws IllegalStateException if the request was answered before
   */
  void fail(String reason);

  /**
   * Refuses the request as if the handler had thrown. The requester gets {@link
   * RemoteRejectedException} with the exception's message. The stack is logged here, unless {@link
   * ArraywireException#refusal} made the exception. Does nothing if the request was cancelled.
   *
   * @param thrown what went wrong
   * @throws IllegalStateException if the request was answered before
   */
  void fail(Throwable thrown);

  /**
   * Whether the answer is no longer wanted: the requester cancelled the request, its timeout is
   * over, or the connection has ended.
   *
   * @return true from then on
   */
  boolean isCancelled();

  /**
   * Runs an action when the request is cancelled before it was answered, at once if that has
   * happened. Otherwise the action never runs.
   *
   * @param action what to do; it runs on the handler executor
   */
  void onCancel(Runnable action);

  // float[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(float[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(float[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // int[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(int[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(int[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // double[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(double[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(double[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // long[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(long[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(long[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // short[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(short[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(short[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // char[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(char[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(char[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // byte[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(byte[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(byte[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // boolean[]

  /**
   * Answers with a whole array; see {@link #send(ArraySource)}.
   *
   * @param array all of whose elements are sent
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(boolean[] array) {
    return send(ArraySlice.of(Answers.given(array)));
  }

  /**
   * Answers with a whole array; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(boolean[] array, SendOptions options) {
    return send(ArraySlice.of(Answers.given(array)), options);
  }

  // Buffers of any type

  /**
   * Answers with the elements of a typed buffer; see {@link #send(ArraySource)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(Buffer buffer) {
    return send(ArraySource.of(Answers.given(buffer)));
  }

  /**
   * Answers with the elements of a typed buffer; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param options as there
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> send(Buffer buffer, SendOptions options) {
    return send(ArraySource.of(Answers.given(buffer)), options);
  }
}
