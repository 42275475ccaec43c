package io.arraywire;

/**
 * Before the close deadline the peer did not read or acknowledge everything that was sent, or a
 * request was not answered; the text says which.
 */
public final class CloseTimeoutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public CloseTimeoutException(String text, Object... facts) {
    super(ErrorCode.CLOSE_TIMEOUT, text, facts);
  }
}
