package io.arraywire;

/** The peer did not read everything that was sent before the close deadline. */
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
