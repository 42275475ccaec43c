package io.arraywire;

import io.arraywire.message.Message;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link ArrayOutput} for messages of one or more parts, each of which is delivered and
 * acknowledged as one; {@link ReceivedArray#message()} reads it. What a call says of arrays holds
 * for messages.
 *
 * <p>A message has its own tag, strings and shapes. So options with attributes are refused with
 * {@link IllegalArgumentException}.
 *
 * <p>The elements of a message of several parts are copied before a call returns: its arrays are
 * the caller's again. Those of one part without a name are sent from where they are, as an array
 * is.
 */
public interface MessageOutput extends ArrayOutput {
  /**
   * Sends a message; see {@link ArrayOutput#send(ArraySlice)}.
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
   * Sends a message; see {@link ArrayOutput#send(ArraySlice, SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return the receipt
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default Receipt send(Message message, SendOptions options)
      throws ArraywireException, InterruptedException {
    return send(message.toSlice(), options.of(message));
  }

  /**
   * Sends a message without waiting; see {@link ArrayOutput#sendAsync(ArraySlice, SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return the stage of the receipt
   */
  default CompletionStage<Receipt> sendAsync(Message message, SendOptions options) {
    return sendAsync(message.toSlice(), options.of(message));
  }

  /**
   * Sends a message if there is room for it now; see {@link ArrayOutput#offer(ArraySlice,
   * SendOptions)}.
   *
   * @param message what to send
   * @param options as there, without attributes
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws AllocationFailedException as there
   */
  default OfferStatus offer(Message message, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return offer(message.toSlice(), options.of(message));
  }

  /**
   * Asks with a message; see {@link ArrayOutput#request(ArraySlice)}.
   *
   * @param message the request
   * @return completes with the reply
   */
  default CompletableFuture<ReceivedArray> request(Message message) {
    return request(message, RequestOptions.defaults());
  }

  /**
   * Asks with a message; see {@link ArrayOutput#request(ArraySlice, RequestOptions)}.
   *
   * @param message the request
   * @param options as there, without attributes
   * @return completes with the reply
   */
  default CompletableFuture<ReceivedArray> request(Message message, RequestOptions options) {
    return request(message.toSlice(), options.of(message));
  }

  /**
   * Asks with a message and waits for the reply; see {@link ArrayOutput#call(ArraySlice,
   * Duration)}.
   *
   * @param message the request
   * @param timeout how long to wait, more than zero
   * @return the reply
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default ReceivedArray call(Message message, Duration timeout)
      throws ArraywireException, InterruptedException {
    return call(message.toSlice(), RequestOptions.defaults().timeout(timeout).of(message));
  }
}
