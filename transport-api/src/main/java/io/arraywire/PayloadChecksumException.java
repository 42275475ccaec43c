package io.arraywire;

/** A payload was damaged on its way. The array is not delivered. */
public final class PayloadChecksumException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public PayloadChecksumException(String text, Object... facts) {
    super(ErrorCode.PAYLOAD_CHECKSUM, text, facts);
  }
}
