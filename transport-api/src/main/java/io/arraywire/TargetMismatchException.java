package io.arraywire;

/** An array does not fit the memory offered for it, by type or by count. The array is not lost. */
public final class TargetMismatchException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public TargetMismatchException(String text, Object... facts) {
    super(ErrorCode.TARGET_MISMATCH, text, facts);
  }
}
