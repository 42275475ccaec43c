package io.arraywire;

/**
 * Nothing was heard of the peer for longer than its heartbeats allow; it may have died or been cut
 * off.
 */
public final class HeartbeatTimeoutException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public HeartbeatTimeoutException(String text, Object... facts) {
    super(ErrorCode.HEARTBEAT_TIMEOUT, text, facts);
  }
}
