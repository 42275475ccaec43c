package io.arraywire;

/** A declared length exceeds a limit of this side. Nothing was allocated for it. */
public final class FrameTooLargeException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public FrameTooLargeException(String text, Object... facts) {
    super(ErrorCode.FRAME_TOO_LARGE, text, facts);
  }
}
