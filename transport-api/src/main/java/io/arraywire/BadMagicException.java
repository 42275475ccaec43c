package io.arraywire;

/**
 * The first bytes of a preamble or frame are not those of Arraywire: the peer speaks something
 * else.
 */
public final class BadMagicException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public BadMagicException(String text, Object... facts) {
    super(ErrorCode.BAD_MAGIC, text, facts);
  }
}
