package io.arraywire;

/**
 * A connection, a session or a subscription has ended without a goodbye. Connect or subscribe
 * again. Whether the peer has what was sent last is not known.
 *
 * <p>{@link ErrorCode#CONNECTION_RESET}: it broke. {@link ErrorCode#HEARTBEAT_TIMEOUT}, {@link
 * ErrorCode#SLOW_PEER}, {@link ErrorCode#SLOW_FRAME}, {@link ErrorCode#STALLED_ARRAY}, {@link
 * ErrorCode#IDLE_TIMEOUT}: this side ended it, because the peer did not do its part for too long.
 * {@link ErrorCode#RESUME_REJECTED}, {@link ErrorCode#SESSION_EXPIRED}: the session could not go
 * on. {@link ErrorCode#SLOW_SUBSCRIBER}: the subscription alone.
 */
public final class ConnectionLostException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code its code
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public ConnectionLostException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
