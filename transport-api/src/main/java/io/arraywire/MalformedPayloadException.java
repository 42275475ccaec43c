package io.arraywire;

/** A payload, or the protobuf of a handshake, is not what its encoding prescribes. */
public final class MalformedPayloadException extends ProtocolException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public MalformedPayloadException(String text, Object... facts) {
    super(ErrorCode.MALFORMED_PAYLOAD, text, facts);
  }
}
