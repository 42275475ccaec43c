package io.arraywire;

/**
 * There was no room for what a call asked for, or for what a peer sent: a queue, a number or the
 * memory is used up. The text names the limit. Wait and try again, or raise it.
 *
 * <p>{@link ErrorCode#SEND_QUEUE_FULL}, {@link ErrorCode#TOO_MANY_REQUESTS}, {@link
 * ErrorCode#TOO_MANY_SUBSCRIPTIONS} and, of {@code offer}, {@link ErrorCode#ALLOCATION_FAILED}:
 * what was asked for was not done, and the connection lives on. {@link ErrorCode#ALLOCATION_FAILED}
 * for an arriving array and {@link ErrorCode#MEMORY_BUDGET} end the connection.
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
