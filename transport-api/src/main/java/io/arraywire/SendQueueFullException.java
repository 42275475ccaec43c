package io.arraywire;

/**
 * An array was not accepted, because too much waits to be sent before it; nothing of it was sent.
 */
public final class SendQueueFullException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public SendQueueFullException(String text, Object... facts) {
    super(ErrorCode.SEND_QUEUE_FULL, text, facts);
  }
}
