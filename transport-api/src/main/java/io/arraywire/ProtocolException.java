package io.arraywire;

/**
 * The peer's bytes break the protocol. The connection is closed; the peer is told why in an error
 * frame.
 */
public class ProtocolException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ProtocolException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
