package io.arraywire;

/**
 * The peer began an array, had credit for the rest, and sent less than 1280 bytes of it within
 * {@link TransportOptions#progressTimeout()}, or passed it over many times in favour of other
 * channels. No part of the array was delivered. Facts: {@code peer}, {@code channel}, {@code
 * sequence}, {@code received}, {@code expected}, {@code least}, {@code progressTimeout}.
 */
public final class StalledArrayException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public StalledArrayException(String text, Object... facts) {
    super(ErrorCode.STALLED_ARRAY, text, facts);
  }
}
