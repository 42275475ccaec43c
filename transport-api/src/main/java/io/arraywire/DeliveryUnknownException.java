package io.arraywire;

/**
 * The connection ended before the far side could say what became of an array: it was processed once
 * or not at all. Its {@linkplain Throwable#getCause() cause} says why the connection ended.
 */
public final class DeliveryUnknownException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public DeliveryUnknownException(String text, Object... facts) {
    super(ErrorCode.DELIVERY_UNKNOWN, text, facts);
  }
}
