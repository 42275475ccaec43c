package io.arraywire;

/** An array exceeds what may be sent; the text names both sides' limits. No byte was sent. */
public final class ArrayTooLargeException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ArrayTooLargeException(String text, Object... facts) {
    super(ErrorCode.ARRAY_TOO_LARGE, text, facts);
  }
}
