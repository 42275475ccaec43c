package io.arraywire;

/** The connection broke: the peer is gone or the network is. */
public final class ConnectionResetException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ConnectionResetException(String text, Object... facts) {
    super(ErrorCode.CONNECTION_RESET, text, facts);
  }
}
