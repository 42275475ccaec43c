package io.arraywire;

/** No wire version is understood by both sides; the text names both ranges. */
public final class UnsupportedVersionException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public UnsupportedVersionException(String text, Object... facts) {
    super(ErrorCode.UNSUPPORTED_VERSION, text, facts);
  }
}
