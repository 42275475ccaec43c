package io.arraywire;

/**
 * A call ran out of time. Wait longer, or find out why the far side does not keep up; the text says
 * what the call waited for.
 *
 * <p>{@link ErrorCode#SEND_TIMEOUT}: the array was withdrawn. {@link ErrorCode#REQUEST_TIMEOUT}: no
 * reply came. {@link ErrorCode#CLOSE_TIMEOUT}: the connection is closed all the same. {@link
 * ErrorCode#HANDSHAKE_TIMEOUT}, at a listener: its authenticator did not decide in time.
 */
public final class TimedOutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public TimedOutException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
