package io.arraywire;

/** A frame type, encoding, element type or flag is not known here or was not agreed. */
public final class UnknownCodeException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public UnknownCodeException(String text, Object... facts) {
    super(ErrorCode.UNKNOWN_CODE, text, facts);
  }
}
