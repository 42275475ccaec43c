package io.arraywire;

/** The peer did not finish its handshake in time; it may not be Arraywire. */
public final class HandshakeTimeoutException extends HandshakeException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public HandshakeTimeoutException(String text, Object... facts) {
    super(ErrorCode.HANDSHAKE_TIMEOUT, text, facts);
  }
}
