package io.arraywire;

/**
 * The far side did not take an array or answer a request; the connection lives on.
 *
 * <p>{@link ErrorCode#REJECTED}: its handler threw, or there is none. {@link
 * ErrorCode#REQUEST_FAILED}: it answered with a reason, see {@link Reply#fail(String)}. {@link
 * ErrorCode#MEMORY_BUDGET}: it has no memory for the array, the request or the answer now; try
 * again later. If the message says that it could not answer, its handler did handle the request.
 */
public final class RemoteRejectedException extends ArraywireException {
  private static final long serialVersionUID = 2;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public RemoteRejectedException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
