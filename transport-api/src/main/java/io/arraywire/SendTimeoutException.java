package io.arraywire;

/**
 * An array could not begin to leave in time, or stood still for too long. It was withdrawn: the far
 * side delivers nothing of it, and the connection lives on, except in plain mode. The text says
 * what the array waited for. {@link #waitingHandler()} names a handler that waited itself
 * meanwhile.
 */
public final class SendTimeoutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SendTimeoutException(String text, Object... facts) {
    super(ErrorCode.SEND_TIMEOUT, text, facts);
  }
}
