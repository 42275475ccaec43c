package io.arraywire;

/** The peer sent more control frames than it can have a use for. */
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
