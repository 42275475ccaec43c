package io.arraywire.stream;

import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Slows a listener down while it cannot accept. Without it a process that has used up its file
 * descriptors tries some 250,000 times a second. One thread.
 */
final class AcceptFailures {
  private static final long FIRST_MILLIS = 10;

  /** The longest that a peer waits once it could be accepted. */
  private static final long MOST_MILLIS = 500;

  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final SocketAddress address;
  private long delay = FIRST_MILLIS;
  private boolean logged;
  private long loggedAt;

  AcceptFailures(SocketAddress address) {
    this.address = address;
  }

  /** A peer was accepted. */
  void over() {
    delay = FIRST_MILLIS;
  }

  /** Waits a while, or until the listener is closed. */
  void backOff(Throwable cause, CountDownLatch closed) {
    logIfDue(cause);
    try {
      var unused = closed.await(delay, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody should interrupt this thread; then it just waits less.
      return;
    }
    delay = Math.min(MOST_MILLIS, 2 * delay);
  }

  private void logIfDue(Throwable cause) {
    long now = System.nanoTime();
    if (logged && now - loggedAt < LOG_NANOS) {
      return;
    }
    try {
      Log.acceptFails(address, cause);
      logged = true;
      loggedAt = now;
    } catch (RuntimeException | Error e) {
      // Whatever is short may be short for logging, too; this thread must live on.
    }
  }
}
