package io.arraywire;

/**
 * The peer began a frame and sent it so slowly that it only keeps the connection busy: fewer than
 * 1280 bytes in 10 s. Times in which nothing at all came are not counted. Facts: {@code peer},
 * {@code received}, {@code least}, {@code time}.
 */
public final class SlowFrameException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SlowFrameException(String text, Object... facts) {
    super(ErrorCode.SLOW_FRAME, text, facts);
  }
}
