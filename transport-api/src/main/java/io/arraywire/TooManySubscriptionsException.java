package io.arraywire;

/**
 * There may be no further subscription over a connection, which lives on: there are as many as both
 * sides allow, see {@link TransportOptions#maxSubscriptions()}.
 */
public final class TooManySubscriptionsException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public TooManySubscriptionsException(String text, Object... facts) {
    super(ErrorCode.TOO_MANY_SUBSCRIPTIONS, text, facts);
  }
}
