package io.arraywire;

/**
 * A request was not answered in time. What of it had not left was withdrawn, the far side was told
 * that nobody waits any more, and the connection lives on. The far side may have acted on it.
 * {@link #waitingHandler()} names a handler that waited itself meanwhile.
 */
public final class RequestTimeoutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public RequestTimeoutException(String text, Object... facts) {
    super(ErrorCode.REQUEST_TIMEOUT, text, facts);
  }
}
