package io.arraywire.frame;

import org.jspecify.annotations.Nullable;

/** The types of frame, with the code that names each in a header. Codes never change. */
public enum FrameType {
  /** Begins an array: its type, count and size, its attributes and its first chunk. */
  ARRAY(1),
  /** Goes on with an array. */
  CHUNK(2),
  /** Acknowledges arrays up to a sequence number. */
  ACK(3),
  /** Allows the peer to send more. */
  CREDIT(4),
  /** Asks for a pong. */
  PING(5),
  /** Answers a ping with its tag. */
  PONG(6),
  /** Says why the connection is being closed. */
  ERROR(7),
  /** Says that no further array will come. */
  GOODBYE(8),
  /** Withdraws the array that is being sent. */
  ABORT(9),
  /** Refuses one array that was received. */
  REJECTED(10),
  /** Tells that nobody waits for the reply to a request any more. */
  CANCEL(11),
  /** Asks for the arrays of a subject, on the frame's channel. */
  SUBSCRIBE(12),
  /** Says that a subscription has begun. */
  SUBSCRIBED(13),
  /** Says that the subscriber's side of a subscription is over. */
  UNSUBSCRIBE(14),
  /** Says that the publisher's side of a subscription is over. */
  UNSUBSCRIBED(15);

  private static final FrameType[] BY_CODE = new FrameType[256];

  static {
    for (FrameType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;

  FrameType(int code) {
    this.code = code;
  }

  /**
   * The code in a header.
   *
   * @return 1 to 255
   */
  public int code() {
    return code;
  }

  /**
   * The type with a code.
   *
   * @param code 0 to 255
   * @return the type, or null if the code is not assigned
   */
  public static @Nullable FrameType fromCode(int code) {
    return BY_CODE[code];
  }

  /**
   * Whether the frame's payload is array elements.
   *
   * @return true for {@link #ARRAY} and {@link #CHUNK}
   */
  public boolean carriesElements() {
    return this == ARRAY || this == CHUNK;
  }
}
