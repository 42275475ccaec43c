package io.arraywire;

/**
 * The peer closed the connection with an error frame: it found fault with what this side sent, or
 * failed itself. {@link #code()} and the text are the peer's.
 */
public final class RemoteErrorException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param code the peer's code, {@link ErrorCode#INTERNAL} if this version does not know it
   * @param text the peer's words
   * @param facts names and values in turn
   */
  public RemoteErrorException(ErrorCode code, String text, Object... facts) {
    super(code, text, facts);
  }
}
