package io.arraywire;

/** A connection could not be made; the text names the address, the cause says why. */
public final class ConnectFailedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ConnectFailedException(String text, Object... facts) {
    super(ErrorCode.CONNECT_FAILED, text, facts);
  }
}
