package io.arraywire;

/**
 * The peer sent more frames without effect than it can have a use for: it is hostile, or wrong. The
 * protocol's page says which frames count, under "Frames without effect".
 */
public final class ControlFloodException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ControlFloodException(String text, Object... facts) {
    super(ErrorCode.CONTROL_FLOOD, text, facts);
  }
}
