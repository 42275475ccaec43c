package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long an attempt to replace a session's connection may take. The time is short, since an
 * attempt that began while nothing got through is only waited for. But it is as long as it takes to
 * get to a peer far away.
 *
 * <p>How far that is, is told by the fastest of whatever the peer has answered. A program's first
 * connection alone would mislead: it can take a second for the code that both ends load, where the
 * way takes microseconds. Any thread.
 */
final class AttemptTime {
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A listener may need as long another time, and some more. */
  private static final long CONNECTS = 4;

  /** TCP, TLS and the handshake go there and back four times; and as much again to spare. */
  private static final long ANSWERS = 8;

  private final long mostNanos;

  @GuardedBy("this")
  private long fastestNanos;

  /**
   * Begins with nothing measured.
   *
   * @param connectTimeout the longest that it may be
   */
  AttemptTime(Duration connectTimeout) {
    mostNanos = SystemDeadlines.nanos(connectTimeout);
    fastestNanos = mostNanos;
  }

  /** A connection was made in this time. */
  void connected(long nanos) {
    measured(nanos, CONNECTS);
  }

  /** The peer acknowledged an array in this time. */
  void answered(long nanos) {
    measured(nanos, ANSWERS);
  }

  private synchronized void measured(long nanos, long times) {
    // A longer one is not the fastest, and its product might overflow.
    if (nanos < fastestNanos / times) {
      fastestNanos = nanos * times;
    }
  }

  synchronized Duration get() {
    return Duration.ofNanos(Math.min(mostNanos, Math.max(LEAST_NANOS, fastestNanos)));
  }
}
