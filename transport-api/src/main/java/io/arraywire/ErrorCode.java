package io.arraywire;

import io.arraywire.security.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of failure, with the number that names each in an error frame. Numbers never change.
 */
public enum ErrorCode {
  /** The first bytes are not those of Arraywire. */
  BAD_MAGIC(1),
  /** No wire version is understood by both sides. */
  UNSUPPORTED_VERSION(2),
  /** A frame header or preamble does not match its checksum. */
  HEADER_CHECKSUM(3),
  /** A payload does not match its checksum. */
  PAYLOAD_CHECKSUM(4),
  /** A frame type, encoding, element type or flag is not known or was not agreed. */
  UNKNOWN_CODE(5),
  /** A declared length exceeds a limit. */
  FRAME_TOO_LARGE(6),
  /** A length is negative or impossible. */
  BAD_LENGTH(7),
  /** Element count, element size and byte length do not agree. */
  COUNT_MISMATCH(8),
  /** An array or chunk came out of order. */
  SEQUENCE_GAP(9),
  /** The payload is not what its encoding prescribes. */
  MALFORMED_PAYLOAD(10),
  /** The stream ended inside a frame. */
  TRUNCATED(11),
  /** A frame came that is not allowed in this state. */
  PROTOCOL_VIOLATION(12),
  /** The peer sent more array bytes than its credit. */
  CREDIT_EXCEEDED(13),
  /** The peer sent control frames without effect, too often. */
  CONTROL_FLOOD(14),
  /** The two sides have no encoding or element type in common, or disagree on a demand. */
  NEGOTIATION_FAILED(20),
  /** The authentication token is missing or wrong, or the authenticator refused the peer. */
  AUTHENTICATION_FAILED(21),
  /** The handshake was not complete in time. */
  HANDSHAKE_TIMEOUT(22),
  /** The session to be resumed is not known. */
  RESUME_REJECTED(23),
  /** One side speaks TLS, and the other one does not. */
  TLS_MISMATCH(24),
  /**
   * The TLS handshake failed, or what came is not what the peer has encrypted. Never on the wire.
   */
  TLS_FAILED(25),
  /** A certificate is not accepted: the peer's here, or this side's there. Never on the wire. */
  CERTIFICATE_REFUSED(26),
  /** A connection could not be made. Never on the wire. */
  CONNECT_FAILED(30),
  /** A listener could not be bound to its address. Never on the wire. */
  BIND_FAILED(31),
  /** The connection was closed by one of its sides. */
  CONNECTION_CLOSED(32),
  /** The connection broke. Never on the wire. */
  CONNECTION_RESET(33),
  /** The peer did not read everything in time. */
  CLOSE_TIMEOUT(34),
  /** The peer sent nothing, not even a heartbeat, for too long. */
  HEARTBEAT_TIMEOUT(35),
  /** Data waited for the peer, and the peer read nothing of it for too long. */
  SLOW_PEER(36),
  /** An array made no progress for too long and was withdrawn. Never on the wire. */
  SEND_TIMEOUT(37),
  /** The queue of arrays to be sent is full. Never on the wire. */
  SEND_QUEUE_FULL(38),
  /** No array moved in either direction for too long. */
  IDLE_TIMEOUT(39),
  /** An array to be sent exceeds a limit. Never on the wire. */
  ARRAY_TOO_LARGE(40),
  /** An array does not fit the memory offered for it. */
  TARGET_MISMATCH(41),
  /** The receiving handler threw an exception or refused, or there is no handler. */
  REJECTED(42),
  /** There is no memory for an array, or no thread for a connection. */
  ALLOCATION_FAILED(43),
  /** Whether an array was processed cannot be known. */
  DELIVERY_UNKNOWN(44),
  /** A request was not answered in time. Never on the wire. */
  REQUEST_TIMEOUT(45),
  /** A request was answered with a reason instead of an array. */
  REQUEST_FAILED(46),
  /** A side has as many open requests as it allows. */
  TOO_MANY_REQUESTS(47),
  /** A session could not be resumed in time. Never on the wire. */
  SESSION_EXPIRED(48),
  /** The elements to be sent could not be read from their source. Never on the wire. */
  SOURCE_FAILED(49),
  /** The library or a codec failed in an unforeseen way. */
  INTERNAL(50),
  /** A subscriber was too slow, and its subscription was ended. */
  SLOW_SUBSCRIBER(51),
  /** A side has as many subscriptions as it allows. */
  TOO_MANY_SUBSCRIPTIONS(52),
  /** The connections of a transport use all of its memory budget; one is refused or ended. */
  MEMORY_BUDGET(53),
  /** The peer began a frame and sent it too slowly. */
  SLOW_FRAME(54),
  /** The peer began an array and did not go on with it. */
  STALLED_ARRAY(55),
  /** The peer's {@link Identity} does not permit this. */
  NOT_PERMITTED(56),
  /** A listener has as many connections or handshakes as it allows; one more is refused. */
  TOO_MANY_CONNECTIONS(57),
  /** A token would be shown to a listener on another host without encryption. Never on the wire. */
  TOKEN_IN_CLEAR(58);

  private final int number;

  ErrorCode(int number) {
    this.number = number;
  }

  /**
   * The number in an error frame.
   *
   * @return the number, 1 to 65535
   */
  public int number() {
    return number;
  }

  /**
   * Whether a failure is of this kind and was found at this side. What the peer reports is a {@link
   * RemoteErrorException}, with the peer's code.
   *
   * @param failure any exception, or null
   * @return whether its code is this one
   */
  public boolean isOf(@Nullable Throwable failure) {
    return failure instanceof ArraywireException typed
        && typed.code() == this
        && !(failure instanceof RemoteErrorException);
  }

  /**
   * The code with a number.
   *
   * @param number any number
   * @return the code, or null if this version does not know it
   */
  public static @Nullable ErrorCode fromNumber(int number) {
    for (ErrorCode code : values()) {
      if (code.number == number) {
        return code;
      }
    }
    return null;
  }
}
