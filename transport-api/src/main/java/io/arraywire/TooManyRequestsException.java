package io.arraywire;

/**
 * More requests are open than one of the two sides allows; nothing of this one was delivered, and
 * the connection lives on. The text says whose {@link TransportOptions#maxOpenRequests()} it was.
 */
public final class TooManyRequestsException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public TooManyRequestsException(String text, Object... facts) {
    super(ErrorCode.TOO_MANY_REQUESTS, text, facts);
  }
}
