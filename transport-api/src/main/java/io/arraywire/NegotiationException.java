package io.arraywire;

/** What one side demands the other cannot give; the text names both sides' values. */
public final class NegotiationException extends HandshakeException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public NegotiationException(String text, Object... facts) {
    super(ErrorCode.NEGOTIATION_FAILED, text, facts);
  }
}
