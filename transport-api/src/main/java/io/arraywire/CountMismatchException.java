package io.arraywire;

/** Element count, element size and byte length do not agree. */
public final class CountMismatchException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public CountMismatchException(String text, Object... facts) {
    super(ErrorCode.COUNT_MISMATCH, text, facts);
  }
}
