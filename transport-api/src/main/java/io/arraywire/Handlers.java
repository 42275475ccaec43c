package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.spi.MessageText;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The functions of a program that take what its peers send, as one value. Given to {@link
 * Transport#listen(java.net.SocketAddress, Handlers)} or {@link
 * Transport#connect(java.net.SocketAddress, Handlers)}:
 *
 * <pre>{@code
 * transport.listen(address, Handlers.answering(query -> Message.of(squared(query.floats()))));
 *
 * Handlers.ofArrays(frames)             // the connection, an array
 *     .withTargets(frames)              // its header -> where to put it
 *     .withRequests(service)            // the connection, a request, its reply
 *     .withClosed((connection, cause) -> log(cause));
 * }</pre>
 *
 * <p>Without a function for requests, requests are refused; without one for arrays, arrays are.
 * <b>Threads.</b> All functions are called on the executor of {@link
 * TransportOptions#handlerExecutor()}, or {@linkplain #onLoop() where the array arrived}; a {@link
 * RequestHandler} says who else calls it. For one {@linkplain Channel channel} there is one call at
 * a time, in the order in which things came. Immutable: {@code with} returns another value.
 */
public final class Handlers {
  private static final ArrayHandler REFUSING =
      (connection, array) -> {
        throw ArraywireException.refusal(
            "the receiver takes only requests; call request, or add withArrays to the Handlers of"
                + " the receiver");
      };

  /** The function that the program gave first, which names it in texts. */
  private final Object first;

  private final ArrayHandler arrays;
  private final @Nullable TargetHandler targets;
  private final @Nullable RequestHandler requests;
  private final @Nullable BiConsumer<Connection, @Nullable ArraywireException> closed;
  private final boolean onLoop;

  private Handlers(
      Object first,
      ArrayHandler arrays,
      @Nullable TargetHandler targets,
      @Nullable RequestHandler requests,
      @Nullable BiConsumer<Connection, @Nullable ArraywireException> closed,
      boolean onLoop) {
    this.first = first;
    this.arrays = arrays;
    this.targets = targets;
    this.requests = requests;
    this.closed = closed;
    this.onLoop = onLoop;
  }

  /**
   * Takes arrays.
   *
   * @param handler takes each array that is no request
   * @return handlers, without one for requests
   */
  public static Handlers ofArrays(ArrayHandler handler) {
    return new Handlers(
        handler, Objects.requireNonNull(handler, "handler"), null, null, null, false);
  }

  /**
   * Answers requests through a {@link Reply}, which can be kept, cancelled, and given a reason
   * instead of an array.
   *
   * @param handler takes each request
   * @return handlers, without one for arrays
   */
  public static Handlers ofRequests(RequestHandler handler) {
    return answeredBy(handler, handler);
  }

  /**
   * Answers each request with what a function returns.
   *
   * @param answer makes the answer, of one part without a name. If it throws, the requester gets
   *     {@link RemoteRejectedException} with the exception's message
   * @return handlers, without one for arrays
   */
  public static Handlers answering(AnswerFunction<Message> answer) {
    return answeredBy(answer, Answers.now(answer));
  }

  /**
   * Answers each request when the stage that a function returns completes; further requests of the
   * channel are taken meanwhile. A requester that no longer waits cancels the stage, if that is a
   * future.
   *
   * @param answer begins to make the answer, of one part without a name. If it throws or its stage
   *     fails, the requester gets {@link RemoteRejectedException} with the exception's message
   * @return handlers, without one for arrays
   */
  public static Handlers answeringLater(AnswerFunction<? extends CompletionStage<Message>> answer) {
    return answeredBy(answer, Answers.later(answer));
  }

  private static Handlers answeredBy(Object function, RequestHandler handler) {
    return new Handlers(
        Objects.requireNonNull(function, "handler"), REFUSING, null, handler, null, false);
  }

  /**
   * The same with a function for the arrays that are no requests.
   *
   * @param handler takes them
   * @return other handlers
   */
  public Handlers withArrays(ArrayHandler handler) {
    return new Handlers(
        first, Objects.requireNonNull(handler, "handler"), targets, requests, closed, onLoop);
  }

  /**
   * The same with a function that says where arrays are put. Requests always come in fresh arrays.
   *
   * @param handler is asked before each array that is no request
   * @return other handlers
   */
  public Handlers withTargets(TargetHandler handler) {
    return new Handlers(
        first, arrays, Objects.requireNonNull(handler, "handler"), requests, closed, onLoop);
  }

  /**
   * The same with a function for requests.
   *
   * @param handler takes them
   * @return other handlers
   */
  public Handlers withRequests(RequestHandler handler) {
    return new Handlers(
        first, arrays, targets, Objects.requireNonNull(handler, "handler"), closed, onLoop);
  }

  /**
   * The same with a function for the end of a connection.
   *
   * @param handler is called once, after the last array and right after {@link
   *     ArrayHandler#onClosed}, with the same arguments
   * @return other handlers
   */
  public Handlers withClosed(BiConsumer<Connection, @Nullable ArraywireException> handler) {
    return new Handlers(
        first, arrays, targets, requests, Objects.requireNonNull(handler, "handler"), onLoop);
  }

  /**
   * The same functions, called on the thread that read the array; they must not block. That saves
   * the hop to another thread, and what they send or reply leaves in the same write as the
   * acknowledgement.
   *
   * <p>While such a function runs, its thread moves no bytes of any of its connections. So use this
   * for functions that take microseconds. In such a function a call that waits throws {@link
   * IllegalStateException}: {@code send}, {@code receive}, {@code call}, {@code join} of a stage
   * that is not complete, {@code connect}. {@code sendAsync}, {@code offer}, {@code request} and
   * {@link Reply} do not wait. A function that takes longer than 10 ms is logged, and is the event
   * {@code io.arraywire.LoopHeld} of the Flight Recorder.
   *
   * <p>The executor still calls {@link ArrayHandler#onClosed} and {@link #withClosed} if a
   * connection ends on another thread, and target functions in plain mode.
   *
   * @return other handlers
   */
  public Handlers onLoop() {
    return new Handlers(first, arrays, targets, requests, closed, true);
  }

  // For transports.

  /**
   * Whether the functions are called on the thread that read the array.
   *
   * @return true after {@link #onLoop()}
   */
  public boolean isOnLoop() {
    return onLoop;
  }

  /**
   * Takes arrays.
   *
   * @return the function
   */
  public ArrayHandler arrays() {
    return arrays;
  }

  /**
   * Says where arrays are put.
   *
   * @return the function, or null for fresh arrays
   */
  public @Nullable TargetHandler targets() {
    return targets;
  }

  /**
   * Takes requests.
   *
   * @return the function, or null if they are refused
   */
  public @Nullable RequestHandler requests() {
    return requests;
  }

  /**
   * Calls {@link ArrayHandler#onClosed} and the function of {@link #withClosed} when a connection
   * has ended.
   *
   * @param connection the connection
   * @param cause why it failed, or null after an orderly end
   */
  public void closed(Connection connection, @Nullable ArraywireException cause) {
    try {
      arrays.onClosed(connection, cause);
    } finally {
      if (closed != null) {
        closed.accept(connection, cause);
      }
    }
  }

  /** Names the class of the function that the program gave first. */
  @Override
  public String toString() {
    return MessageText.kind(first);
  }
}
