package io.arraywire;

/** An address could not be listened on; the text names it, the cause says why. */
public final class BindFailedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public BindFailedException(String text, Object... facts) {
    super(ErrorCode.BIND_FAILED, text, facts);
  }
}
