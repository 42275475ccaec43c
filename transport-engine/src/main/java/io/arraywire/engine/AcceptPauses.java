package io.arraywire.engine;

import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How long a listener pauses after each failed accept, and what it logs. Without pauses a process
 * that has used up its file descriptors tries some 250,000 times a second. Logs with the first
 * failure, and then once a minute. One thread.
 */
public final class AcceptPauses {
  private static final Duration FIRST = Duration.ofMillis(10);

  /** The longest that a peer waits once it could be accepted. */
  private static final Duration LONGEST = Duration.ofMillis(250);

  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final SocketAddress address;
  private Duration next = FIRST;
  private boolean logged;
  private long loggedAt;

  /**
   * Makes the pauses of a listener.
   *
   * @param address where it listens
   */
  public AcceptPauses(SocketAddress address) {
    this.address = address;
  }

  /** Resets the pause: a peer was accepted. */
  public void over() {
    next = FIRST;
  }

  /**
   * Answers how long to pause after a failed accept; each pause is longer than the one before, up
   * to 250 ms.
   *
   * @return the pause
   */
  public Duration next() {
    Duration pause = next;
    Duration twice = pause.multipliedBy(2);
    next = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    return pause;
  }

  /**
   * Logs a failed accept and pauses the calling thread, for acceptors with a thread of their own.
   *
   * @param cause what the JDK said
   * @param closed ends the pause early
   */
  public void rest(Throwable cause, CountDownLatch closed) {
    complain(cause);
    try {
      var unused = closed.await(next().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody should interrupt this thread; then it just waits less.
    }
  }

  /**
   * Logs that no peer can be accepted, unless that was logged within the last minute. Call it when
   * the listener pauses already.
   *
   * @param cause what the JDK said
   */
  public void complain(Throwable cause) {
    long now = System.nanoTime();
    if (logged && now - loggedAt < LOG_NANOS) {
      return;
    }
    loggedAt = now;
    logged =
        LOGGER.logged(
            Level.WARNING,
            "peers cannot be accepted for now; further attempts follow at intervals (address="
                + address
                + ", cause="
                + cause
                + ")"
                + ConnectErrors.hint(cause));
  }
}
