package io.arraywire;

/** A frame came that is not allowed where it came. */
public final class UnexpectedFrameException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public UnexpectedFrameException(String text, Object... facts) {
    super(ErrorCode.PROTOCOL_VIOLATION, text, facts);
  }
}
