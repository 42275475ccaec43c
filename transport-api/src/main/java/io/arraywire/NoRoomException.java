package io.arraywire;

/**
 * A call, or something that a peer sent, was refused: a queue is full, a number is at its limit, or
 * memory is used up. The text names the limit. Wait and try again, or raise the limit.
 *
 * <p>{@link ErrorCode#SEND_QUEUE_FULL}, {@link ErrorCode#TOO_MANY_REQUESTS}, {@link
 * ErrorCode#TOO_MANY_SUBSCRIPTIONS} and, of {@code offer}, {@link ErrorCode#ALLOCATION_FAILED}: the
 * call had no effect, and the connection lives on. {@link ErrorCode#ALLOCATION_FAILED} for an
 * arriving array and {@link ErrorCode#MEMORY_BUDGET} end the connection. If only one array is
 * refused for want of memory, its sender sees {@link RemoteRejectedException}.
 */
public final class NoRoomException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public NoRoomException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
