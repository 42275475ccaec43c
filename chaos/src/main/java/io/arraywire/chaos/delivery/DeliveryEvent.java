package io.arraywire.chaos.delivery;

import org.jspecify.annotations.Nullable;

/** What a {@link DeliveryLog} holds. The numbers are those in log files. */
public enum DeliveryEvent {
  /** A send is about to begin. */
  INVOKE(1),
  /** The send's outcome: the receiver has processed the array. */
  OK(2),
  /** The send's outcome: the receiver may have seen the array, or not. */
  UNKNOWN(3),
  /** The send's outcome: the receiver has not seen the array and never will. */
  FAILED(4),
  /** The receiver has an array. */
  DELIVERED(5);

  private final int number;

  DeliveryEvent(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static @Nullable DeliveryEvent fromNumber(int number) {
    for (DeliveryEvent event : values()) {
      if (event.number == number) {
        return event;
      }
    }
    return null;
  }
}
