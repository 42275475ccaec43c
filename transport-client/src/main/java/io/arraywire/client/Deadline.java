package io.arraywire.client;

import java.time.Duration;

/** Moments of the runtime's clock. Stateless. */
final class Deadline {
  /** Some centuries: a difference of two moments must not overflow. */
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private Deadline() {}

  /** The moment when a time is over that begins now. */
  static long after(ClientRuntime runtime, Duration time) {
    return runtime.nanoTime() + nanos(time);
  }

  /** What is left until a moment: a nanosecond at least, which then ends a call at once. */
  static Duration left(ClientRuntime runtime, long deadline) {
    return Duration.ofNanos(Math.max(1, deadline - runtime.nanoTime()));
  }

  static long nanos(Duration time) {
    return time.compareTo(Duration.ofNanos(FOREVER)) > 0 ? FOREVER : time.toNanos();
  }
}
