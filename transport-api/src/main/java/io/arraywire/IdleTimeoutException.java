package io.arraywire;

/** No array went in either direction for longer than the idle timeout. */
public final class IdleTimeoutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public IdleTimeoutException(String text, Object... facts) {
    super(ErrorCode.IDLE_TIMEOUT, text, facts);
  }
}
