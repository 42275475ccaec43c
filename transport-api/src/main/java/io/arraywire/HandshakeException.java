package io.arraywire;

/** The two sides could not agree to talk. No array was sent. */
public final class HandshakeException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public HandshakeException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
