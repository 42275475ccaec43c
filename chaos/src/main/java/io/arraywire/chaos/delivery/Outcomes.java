package io.arraywire.chaos.delivery;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ErrorCode;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What the outcome of a send with {@link io.arraywire.Delivery#PROCESSED} says of the array. */
final class Outcomes {
  private Outcomes() {}

  /** The outcome of a send that ended with a failure, or without one. */
  static DeliveryEvent of(@Nullable Throwable failure) {
    if (failure == null) {
      return DeliveryEvent.OK;
    }
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    // These alone are documented to come before any byte was sent. A closed connection may have
    // been closed during the transfer, and an array that was rejected had been delivered.
    boolean certain =
        cause instanceof ArrayTooLargeException
            || ErrorCode.SEND_QUEUE_FULL.isOf(cause)
            || ErrorCode.SEND_TIMEOUT.isOf(cause)
            || cause instanceof IllegalArgumentException;
    return certain ? DeliveryEvent.FAILED : DeliveryEvent.UNKNOWN;
  }
}
