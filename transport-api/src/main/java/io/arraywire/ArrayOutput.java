package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The sending half of a {@link Connection}: sends arrays, in order, from {@linkplain ArraySource
 * wherever their elements lie}. {@link TypedOutput} has the same for whole arrays and for buffers.
 *
 * <p>Implementers write {@code send}, {@code sendAsync}, {@code offer} and {@code request} with
 * their options; everything else is here. Without options they are {@link SendOptions#defaults()}
 * and {@link RequestOptions#defaults()}.
 *
 * <p><b>Back-pressure.</b> Arrays that were accepted, and that the kernel has not yet taken, wait
 * in a queue of at most {@link TransportOptions#sendQueueBytes()}. An array larger than that is
 * accepted when the queue is empty. With a full queue {@code send} waits for room, {@code offer}
 * says so, and {@code sendAsync} fails.
 *
 * <p><b>Messages.</b> What is said of arrays here also holds for a {@link Message}: its parts are
 * delivered and acknowledged together, and {@link ReceivedArray#message()} reads it. A message has
 * its own tag, strings and shapes, so options with attributes are refused with {@link
 * IllegalArgumentException}.
 *
 * <p><b>Ownership.</b> The array belongs to Arraywire until {@code send} returns or throws, or
 * until the stage of {@code sendAsync} completes. Do not change it in between. Nothing keeps a
 * reference to it afterwards. <b>Threads.</b> Any thread may send, also several at once. One call's
 * array is sent whole before the next one's, in the order in which the calls took their place.
 */
public interface ArrayOutput {

  /**
   * Sends elements and waits until the array may be reused. By then every byte was handed to the
   * kernel, or (with {@link Delivery#PROCESSED} in the options) the far side has processed the
   * array.
   *
   * @param source what to send
   * @param options tag, shape, metadata and the delivery that ends the wait
   * @return what the transfer cost
   * @throws ArrayTooLargeException before any byte is sent, if a limit of either side forbids it
   * @throws IllegalArgumentException before any byte is sent, if the element type was not agreed
   * @throws TimedOutException if nothing of the array moved for {@link
   *     TransportOptions#sendTimeout()} before it had left whole, or if its last byte did not leave
   *     within {@link SendOptions#timeout()}. Usually nobody at the far side receives, or other
   *     arrays are before it. The array is withdrawn, and the connection lives on (in plain mode it
   *     is closed if the first byte had left). With {@link Delivery#SESSION} an array that had
   *     begun to leave over an earlier connection fails with {@link DeliveryUnknownException}
   * @throws DeliveryUnknownException if every byte had left and the far side did not say what
   *     became of the array, before {@link SendOptions#timeout()} or the end of the connection
   * @throws ConnectionClosedException if the connection is closed, before or during the transfer
   * @throws ArraywireException if the transfer fails otherwise; its code says how
   * @throws InterruptedException if the caller is interrupted: the array is withdrawn, the far side
   *     sees none of it, and the connection lives on. An array whose last element had been taken by
   *     then arrives all the same. (In plain mode, which has no way to withdraw an array once
   *     begun, the connection is closed if its first byte had left.)
   */
  Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException;

  /**
   * Sends elements without waiting.
   *
   * @param source what to send
   * @param options tag, shape, metadata and the delivery that completes the stage
   * @return a stage that completes exactly once, with the receipt or exceptionally with an {@link
   *     ArraywireException}. It fails at once with {@link NoRoomException} ({@link
   *     ErrorCode#SEND_QUEUE_FULL}) if there is no room for the array. It fails with {@link
   *     TimedOutException} ({@link ErrorCode#SEND_TIMEOUT}) if the array has not left whole and
   *     nothing moves on its channel for {@link TransportOptions#sendTimeout()}. The failure may
   *     come up to a quarter of that (1.25 s at most) later. As with {@code send} the array is then
   *     withdrawn, and the connection lives on. The stage completes on an Arraywire thread, so hand
   *     long work to an executor. Cancelling it does not withdraw the array.
   * @throws IllegalArgumentException if the element type was not agreed, or the options have a
   *     timeout, which only {@link #send} keeps
   */
  CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options);

  /**
   * Takes a copy of the elements if there is room for it, and never waits. The caller does not hear
   * what becomes of an accepted array: it may be lost if the connection fails. Until then it waits
   * in the queue, and {@link TransportOptions#sendTimeout()} does not end that. Once the queue is
   * full, further offers return {@link OfferStatus#BACK_PRESSURED}.
   *
   * @param source what to send; the caller's again when the method returns
   * @param options tag, shape and metadata; the delivery makes no difference
   * @return whether it was accepted
   * @throws ArrayTooLargeException if a limit of either side forbids it, or if it is larger than
   *     {@link TransportOptions#sendQueueBytes()} and so would never be accepted
   * @throws NoRoomException if there is no memory for the copy; the connection lives on. {@link
   *     TransportOptions#memoryBudgetBytes()} limits what waits in all queues together
   * @throws IllegalArgumentException if the element type was not agreed, or the options have a
   *     timeout, which only {@link #send} keeps
   * @throws IllegalStateException if the codec fails; nothing was sent, and the connection lives
   *     on. A codec in blocks encodes later, and a block that it fails to encode travels raw
   */
  OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException;

  /**
   * As {@link #offer(ArraySource, SendOptions)} without attributes.
   *
   * @param source what to send
   * @return whether it was accepted
   * @throws ArrayTooLargeException if it never would be
   * @throws NoRoomException if there is no memory for the copy
   */
  default OfferStatus offer(ArraySource source) throws ArrayTooLargeException, NoRoomException {
    return offer(source, SendOptions.defaults());
  }

  /**
   * As {@link #send(ArraySource, SendOptions)} with {@link SendOptions#defaults()}.
   *
   * @param source what to send
   * @return what the transfer cost
   * @throws ArraywireException if the transfer fails
   * @throws InterruptedException if the caller is interrupted; the array is withdrawn
   */
  default Receipt send(ArraySource source) throws ArraywireException, InterruptedException {
    return send(source, SendOptions.defaults());
  }

  /**
   * As {@link #sendAsync(ArraySource, SendOptions)} with {@link SendOptions#defaults()}: the stage
   * completes when the kernel has the array, which may then be used again.
   *
   * @param source what to send
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> sendAsync(ArraySource source) {
    return sendAsync(source, SendOptions.defaults());
  }

  /**
   * Sends an array that asks for another: the far side's {@link RequestHandler} answers it, when it
   * likes and in any order. Never waits.
   *
   * <p>The array takes its place in the channel's order, behind what was sent before. If the queue
   * is full, it waits for room until the timeout. <b>Ownership.</b> Array and {@linkplain
   * RequestOptions#target() target} belong to Arraywire from the call until the stage completes, in
   * whatever way. When {@code cancel} returns or the stage has failed, nobody touches either any
   * more. The reply in a fresh array belongs to the caller.
   *
   * <p><b>Cancelling.</b> {@code cancel(true)}, or completing the future in any other way, cancels
   * the request. The part of it that has not left is withdrawn. If all of it has left, the far side
   * is told, and a reply that comes all the same is dropped.
   *
   * @param source what to send
   * @param options attributes, timeout, and where the reply is put
   * @return a future that completes with the reply, or exceptionally, exactly once, on the handler
   *     executor. It fails with {@link TimedOutException} ({@link ErrorCode#REQUEST_TIMEOUT}) if
   *     there is no reply in time; {@link RemoteRejectedException} ({@link
   *     ErrorCode#REQUEST_FAILED}) with the words of {@link Reply#fail}; {@link
   *     RemoteRejectedException} if the far side has no request handler or its handler threw;
   *     {@link NoRoomException} ({@link ErrorCode#TOO_MANY_REQUESTS}) if more than {@link
   *     TransportOptions#maxOpenRequests()} of either side would be open; {@link
   *     TargetMismatchException} if the reply does not fit the target; {@link
   *     ArrayTooLargeException} before any byte is sent; {@link ConnectionClosedException} if the
   *     connection is closed and the far side has not taken the request; {@link
   *     ConnectionLostException} if it is closed and may have; else with what ended the connection
   * @throws IllegalStateException in plain mode
   * @throws IllegalArgumentException if the element type was not agreed
   */
  CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options);

  /**
   * As {@link #request(ArraySource, RequestOptions)} with {@link RequestOptions#defaults()}.
   *
   * @param source what to send
   * @return the stage of the reply
   */
  default CompletableFuture<ReceivedArray> request(ArraySource source) {
    return request(source, RequestOptions.defaults());
  }

  /**
   * Sends an array that asks for another, and waits for the reply.
   *
   * @param source what to send; the caller's again when this returns or throws
   * @param timeout how long to wait for the reply, more than zero
   * @return the reply, in a fresh array that belongs to the caller
   * @throws TimedOutException if there is no reply in time
   * @throws RemoteRejectedException with the reason that the far side gave
   * @throws ArraywireException if the request fails otherwise, as {@link #request(ArraySource,
   *     RequestOptions)} says
   * @throws InterruptedException if the caller is interrupted: the request is cancelled
   */
  default ReceivedArray call(ArraySource source, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(source, RequestOptions.defaults().timeout(timeout));
  }

  /**
   * Sends an array that asks for another, and waits for the reply; see {@link #request(ArraySource,
   * RequestOptions)} for what the options say, and for ownership.
   *
   * @param source what to send
   * @param options attributes, timeout, and where the reply is put
   * @return the reply
   * @throws TimedOutException if there is no reply in time
   * @throws RemoteRejectedException with the reason that the far side gave
   * @throws ArraywireException if the request fails otherwise
   * @throws InterruptedException if the caller is interrupted: the request is cancelled
   */
  default ReceivedArray call(ArraySource source, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return Calls.await(request(source, options));
  }

  // Messages of one or more parts, each of which is delivered and acknowledged as one.

  /**
   * Sends a message; see {@link #send(ArraySource)}.
   *
   * @param message what to send
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(Message message) throws ArraywireException, InterruptedException {
    return send(message, SendOptions.defaults());
  }

  /**
   * Sends a message; see {@link #send(ArraySource, SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(Message message, SendOptions options)
      throws ArraywireException, InterruptedException {
    SendOptions all = options.of(message);
    return send(MessageSlices.of(message, all.attributes()), all);
  }

  /**
   * Sends a message without waiting; see {@link #sendAsync(ArraySource, SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> sendAsync(Message message, SendOptions options) {
    SendOptions all = options.of(message);
    return sendAsync(MessageSlices.of(message, all.attributes()), all);
  }

  /**
   * Sends a message without waiting; see {@link #sendAsync(ArraySource)}.
   *
   * @param message what to send
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> sendAsync(Message message) {
    return sendAsync(message, SendOptions.defaults());
  }

  /**
   * Sends a message if there is room for it now; see {@link #offer(ArraySource)}.
   *
   * @param message what to send
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(Message message) throws ArrayTooLargeException, NoRoomException {
    return offer(message, SendOptions.defaults());
  }

  /**
   * Sends a message if there is room for it now; see {@link #offer(ArraySource, SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(Message message, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    SendOptions all = options.of(message);
    return offer(MessageSlices.of(message, all.attributes()), all);
  }

  /**
   * Asks with a message; see {@link #request(ArraySource)}.
   *
   * @param message the request
   * @return completes with the reply
   */
  default CompletableFuture<ReceivedArray> request(Message message) {
    return request(message, RequestOptions.defaults());
  }

  /**
   * Asks with a message; see {@link #request(ArraySource, RequestOptions)}.
   *
   * @param message the request
   * @param options as there, without attributes
   * @return completes with the reply
   */
  default CompletableFuture<ReceivedArray> request(Message message, RequestOptions options) {
    RequestOptions all = options.of(message);
    return request(MessageSlices.of(message, all.attributes()), all);
  }

  /**
   * Asks with a message and waits for the reply; see {@link #call(ArraySource, Duration)}.
   *
   * @param message the request
   * @param timeout how long to wait, more than zero
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(Message message, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(message, RequestOptions.defaults().timeout(timeout));
  }

  /**
   * Asks with a message and waits for the reply; see {@link #call(ArraySource, RequestOptions)}.
   *
   * @param message the request
   * @param options as there, without attributes
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(Message message, RequestOptions options)
      throws ArraywireException, InterruptedException {
    RequestOptions all = options.of(message);
    return call(MessageSlices.of(message, all.attributes()), all);
  }
}
