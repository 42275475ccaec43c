package io.arraywire;

/**
 * The far side answered a request with a reason instead of an array ({@link Reply#fail}); the
 * connection lives on.
 */
public final class RequestFailedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public RequestFailedException(String text, Object... facts) {
    super(ErrorCode.REQUEST_FAILED, text, facts);
  }
}
