package io.arraywire;

/** The authentication token is missing or wrong. The text holds no secret. */
public final class AuthenticationException extends HandshakeException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public AuthenticationException(String text, Object... facts) {
    super(ErrorCode.AUTHENTICATION_FAILED, text, facts);
  }
}
