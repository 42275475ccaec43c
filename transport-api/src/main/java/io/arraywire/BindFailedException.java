package io.arraywire;

/** A listener could not be bound to its address; the text names the address, the cause says why. */
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
