package io.arraywire;

/** A session's connection broke and could not be replaced in time. */
public final class SessionExpiredException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SessionExpiredException(String text, Object... facts) {
    super(ErrorCode.SESSION_EXPIRED, text, facts);
  }
}
