package io.arraywire;

/** A frame header or preamble was damaged on its way. Nothing of the frame was used. */
public final class HeaderChecksumException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public HeaderChecksumException(String text, Object... facts) {
    super(ErrorCode.HEADER_CHECKSUM, text, facts);
  }
}
