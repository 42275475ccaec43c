package io.arraywire.wire;

/**
 * What one side says in the handshake of a session that outlives its connection.
 *
 * @param millis how long this side keeps a session whose connection broke; 0 if it keeps none
 * @param id in a hello the session to resume, empty for a new one; in a welcome the session's name
 * @param token in a hello what the last welcome gave, in a welcome what the next hello must show
 */
@SuppressWarnings("ArrayRecordComponent") // Copied in and out; offers are never compared.
public record SessionOffer(long millis, byte[] id, byte[] token) {
  /** The offer of a side that keeps no sessions. */
  public static final SessionOffer NONE = new SessionOffer(0, new byte[0], new byte[0]);

  /** Copies the bytes. */
  public SessionOffer {
    id = id.clone();
    token = token.clone();
  }

  /**
   * The session's name.
   *
   * @return a copy, empty for none
   */
  @Override
  public byte[] id() {
    return id.clone();
  }

  /**
   * The single-use token.
   *
   * @return a copy, empty for none
   */
  @Override
  public byte[] token() {
    return token.clone();
  }

  /**
   * Whether there is a session to resume, or one that was made.
   *
   * @return true if it has a name
   */
  public boolean isNamed() {
    return id.length > 0;
  }

  /** Holds no secret. */
  @Override
  public String toString() {
    return "sessionMillis=" + millis + ", session=" + (isNamed() ? "named" : "new");
  }
}
