package io.arraywire;

/** The connection was closed in an orderly way, here or by the peer; the text says which. */
public final class ConnectionClosedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ConnectionClosedException(String text, Object... facts) {
    super(ErrorCode.CONNECTION_CLOSED, text, facts);
  }
}
