package io.arraywire.chaos.proxy;

import java.time.Duration;
import java.util.Objects;

/**
 * A fault, and where in one direction of a connection it comes: after exactly so many bytes, and
 * before the next one. Immutable.
 *
 * @param kind what happens
 * @param direction whose bytes are counted
 * @param afterBytes how many are forwarded before it
 * @param amount nanoseconds for {@code STALL}, {@code DELAY}, {@code PARTITION} and {@code REFUSE};
 *     bytes per second for {@code THROTTLE}; bytes for {@code SPLIT}; the bit, 0 to 7, for {@code
 *     FLIP}; else 0
 */
public record Fault(FaultKind kind, Direction direction, long afterBytes, long amount) {

  /** Checks its parts. */
  public Fault {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(direction, "direction");
    boolean right =
        switch (kind) {
          case CUT, RESET -> amount == 0;
          case FLIP -> amount >= 0 && amount < Byte.SIZE;
          case THROTTLE, SPLIT, STALL, DELAY, PARTITION, REFUSE -> amount > 0;
        };
    if (afterBytes < 0 || !right) {
      throw new IllegalArgumentException(
          "a fault of this kind cannot have this place or amount (kind="
              + kind
              + ", afterBytes="
              + afterBytes
              + ", amount="
              + amount
              + ")");
    }
  }

  /**
   * Both ends read FIN, this direction's after exactly so many bytes. What they send afterwards is
   * thrown away until they close too.
   *
   * @param direction whose bytes are counted
   * @param afterBytes how many are forwarded before
   * @return the fault
   */
  public static Fault cut(Direction direction, long afterBytes) {
    return new Fault(FaultKind.CUT, direction, afterBytes, 0);
  }

  /**
   * Both ends get RST, which may overtake and destroy bytes that were forwarded just before.
   *
   * @param direction whose bytes are counted
   * @param afterBytes how many are forwarded before
   * @return the fault
   */
  public static Fault reset(Direction direction, long afterBytes) {
    return new Fault(FaultKind.RESET, direction, afterBytes, 0);
  }

  /**
   * Nothing more is read or forwarded in this direction for a while; the sender feels it once the
   * kernel's buffers are full.
   *
   * @param direction which
   * @param afterBytes how many are forwarded before
   * @param time how long
   * @return the fault
   */
  public static Fault stall(Direction direction, long afterBytes, Duration time) {
    return new Fault(FaultKind.STALL, direction, afterBytes, time.toNanos());
  }

  /**
   * From here on this direction has a rate.
   *
   * @param direction which
   * @param afterBytes how many are forwarded before
   * @param bytesPerSecond the rate
   * @return the fault
   */
  public static Fault throttle(Direction direction, long afterBytes, long bytesPerSecond) {
    return new Fault(FaultKind.THROTTLE, direction, afterBytes, bytesPerSecond);
  }

  /**
   * Inverts one bit of one byte.
   *
   * @param direction which
   * @param offset the byte, counted from 0
   * @param bit 0 for the lowest, to 7
   * @return the fault
   */
  public static Fault flip(Direction direction, long offset, int bit) {
    return new Fault(FaultKind.FLIP, direction, offset, bit);
  }

  /**
   * From here on each piece that is read is held back for a while before it is forwarded. The next
   * piece is read only then.
   *
   * @param direction which
   * @param afterBytes how many are forwarded before
   * @param time how long each is held
   * @return the fault
   */
  public static Fault delay(Direction direction, long afterBytes, Duration time) {
    return new Fault(FaultKind.DELAY, direction, afterBytes, time.toNanos());
  }

  /**
   * From here on this direction goes in small writes, each a packet of its own as far as TCP lets
   * it.
   *
   * @param direction which
   * @param afterBytes how many are forwarded before
   * @param bytes the most in one write
   * @return the fault
   */
  public static Fault split(Direction direction, long afterBytes, int bytes) {
    return new Fault(FaultKind.SPLIT, direction, afterBytes, bytes);
  }

  /**
   * As {@link FaultProxy#partition(Duration)}, when this direction has come so far.
   *
   * @param direction whose bytes are counted
   * @param afterBytes how many are forwarded before
   * @param time how long
   * @return the fault
   */
  public static Fault partition(Direction direction, long afterBytes, Duration time) {
    return new Fault(FaultKind.PARTITION, direction, afterBytes, time.toNanos());
  }

  /**
   * As {@link FaultProxy#refuse(Duration)}, when this direction has come so far.
   *
   * @param direction whose bytes are counted
   * @param afterBytes how many are forwarded before
   * @param time how long
   * @return the fault
   */
  public static Fault refuse(Direction direction, long afterBytes, Duration time) {
    return new Fault(FaultKind.REFUSE, direction, afterBytes, time.toNanos());
  }
}
