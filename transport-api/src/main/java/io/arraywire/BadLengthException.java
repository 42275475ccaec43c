package io.arraywire;

/** A declared length or count is negative or impossible. */
public final class BadLengthException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public BadLengthException(String text, Object... facts) {
    super(ErrorCode.BAD_LENGTH, text, facts);
  }
}
