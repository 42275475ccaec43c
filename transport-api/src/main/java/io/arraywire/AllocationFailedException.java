package io.arraywire;

/** Memory for an arriving array could not be had. Only this connection fails. */
public final class AllocationFailedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public AllocationFailedException(String text, Object... facts) {
    super(ErrorCode.ALLOCATION_FAILED, text, facts);
  }
}
