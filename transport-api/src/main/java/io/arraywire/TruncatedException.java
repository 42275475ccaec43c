package io.arraywire;

/** The stream ended inside a frame, an array or a handshake; no part of the array was delivered. */
public final class TruncatedException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public TruncatedException(String text, Object... facts) {
    super(ErrorCode.TRUNCATED, text, facts);
  }
}
