package io.arraywire;

/** The peer sent more than this side had allowed it to. */
public final class CreditExceededException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public CreditExceededException(String text, Object... facts) {
    super(ErrorCode.CREDIT_EXCEEDED, text, facts);
  }
}
