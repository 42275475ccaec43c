package io.arraywire;

/**
 * No channel is left for a further subscription of a connection; nothing was sent, and the
 * connection lives on. The text says how many were agreed on; see {@link
 * TransportOptions#maxChannels()}.
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
