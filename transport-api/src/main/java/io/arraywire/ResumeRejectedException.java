package io.arraywire;

/**
 * The listener does not know the session that was to be resumed: it was restarted, or kept the
 * session no longer.
 */
public final class ResumeRejectedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ResumeRejectedException(String text, Object... facts) {
    super(ErrorCode.RESUME_REJECTED, text, facts);
  }
}
