package io.arraywire;

/** The far side's handler refused the array by throwing; the connection lives on. */
public final class RemoteRejectedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public RemoteRejectedException(String text, Object... facts) {
    super(ErrorCode.REJECTED, text, facts);
  }
}
