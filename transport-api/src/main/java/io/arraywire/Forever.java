package io.arraywire;

import java.time.Duration;

/** The timeout of calls that wait for as long as it takes: centuries. */
final class Forever {
  static final Duration TIMEOUT = Duration.ofNanos(Long.MAX_VALUE);

  private Forever() {}
}
