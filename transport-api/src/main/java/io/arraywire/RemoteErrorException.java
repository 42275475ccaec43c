package io.arraywire;

/**
 * The peer closed the connection with an error frame, because of something that this side sent, or
 * because the peer itself failed. {@link #code()} and {@link #reason()} are the peer's.
 */
public final class RemoteErrorException extends ArraywireException {
  private static final long serialVersionUID = 2;

  private static final String BEFORE = "the peer reports: ";

  /**
   * Makes a failure.
   *
   * @param code the peer's code, {@link ErrorCode#INTERNAL} if this version does not know it
   * @param reason the peer's words
   * @param facts names and values in turn
   */
  public RemoteErrorException(ErrorCode code, String reason, Object... facts) {
    super(code, BEFORE + reason, facts);
  }

  /**
   * What the peer said, whole; the message may have cut it.
   *
   * @return words for people, which this side must not rely on
   */
  public String reason() {
    return rawText().substring(BEFORE.length());
  }
}
