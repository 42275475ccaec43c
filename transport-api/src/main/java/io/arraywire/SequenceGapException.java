package io.arraywire;

/** An array or chunk came out of order. */
public final class SequenceGapException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SequenceGapException(String text, Object... facts) {
    super(ErrorCode.SEQUENCE_GAP, text, facts);
  }
}
