package io.arraywire;

/**
 * A subscriber took too little for {@link LagPolicy#DISCONNECT}, and the publisher has ended its
 * subscription; the connection lives on.
 */
public final class SlowSubscriberException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SlowSubscriberException(String text, Object... facts) {
    super(ErrorCode.SLOW_SUBSCRIBER, text, facts);
  }
}
