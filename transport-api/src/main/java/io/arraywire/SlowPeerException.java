package io.arraywire;

/** The peer did not read what it was sent for longer than the stall timeout. */
public final class SlowPeerException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SlowPeerException(String text, Object... facts) {
    super(ErrorCode.SLOW_PEER, text, facts);
  }
}
