package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.TimedOutException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which connection carries a session, why none does, and whether the session goes on; callers wait
 * here for the next connection.
 *
 * <p>Any thread. The lock is the session's; it is taken before a connection's.
 */
final class SessionState {
  final ReentrantLock lock = new ReentrantLock();

  /** A connection came or went, an array is done, or the session ended. */
  final Condition changed;

  /** The connection that carries it, and the one that last did. Written under the lock. */
  private volatile @Nullable ConnectionCore current;

  private volatile @Nullable ConnectionCore last;

  /** What broke the last connection. */
  @GuardedBy("lock")
  private @Nullable ArraywireException brokenBy;

  /**
   * The latest reason why there is no connection: that, or what an attempt to connect failed with.
   */
  @GuardedBy("lock")
  private @Nullable ArraywireException lastFailure;

  /** Written under the lock. */
  private volatile boolean closing;

  /** Whether nobody waits for the close, so that each new connection begins it again. */
  private volatile boolean goodbyeByItself;

  private volatile @Nullable ArraywireException end;

  SessionState(EngineRuntime runtime) {
    changed = runtime.condition(lock);
  }

  // What the session notes.

  /** A connection carries the session from here on; returns whether one did before. */
  @GuardedBy("lock")
  boolean attached(ConnectionCore connection) {
    boolean again = last != null;
    current = connection;
    last = connection;
    changed.signalAll();
    return again;
  }

  @GuardedBy("lock")
  void detached(ArraywireException cause) {
    current = null;
    brokenBy = cause;
    lastFailure = cause;
    changed.signalAll();
  }

  /** An attempt to connect again failed; returns whether that is news. */
  boolean attemptFailed(ArraywireException failure) {
    lock.lock();
    try {
      if (current != null || end != null) {
        return false;
      }
      // One that fails like the one before is no news.
      boolean news = !kind(failure).equals(kind(lastFailure));
      lastFailure = failure;
      return news;
    } finally {
      lock.unlock();
    }
  }

  /** What a failure is, without its facts, of which some change each time. */
  private static String kind(@Nullable ArraywireException failure) {
    if (failure == null) {
      return "";
    }
    String text = String.valueOf(failure.getMessage());
    int facts = text.indexOf(" (");
    return failure.getClass().getName() + (facts < 0 ? text : text.substring(0, facts));
  }

  /** Users have closed the session: it accepts nothing more. */
  void closes() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The same, where nobody waits until the peer has said goodbye, too. */
  void closesByItself() {
    // Before the caller looks for a connection: one that comes later looks here.
    goodbyeByItself = true;
    closes();
  }

  boolean saysGoodbyeByItself() {
    return goodbyeByItself;
  }

  boolean isClosing() {
    return closing;
  }

  @GuardedBy("lock")
  void ended(ArraywireException cause) {
    end = cause;
    current = null;
    changed.signalAll();
  }

  // What callers ask.

  /** What the session ended with; null before. */
  @Nullable ArraywireException end() {
    return end;
  }

  /** The connection that carries the session; null in an outage and after the end. */
  @Nullable ConnectionCore current() {
    return current;
  }

  /** The connection that carries the session, or last did; null before the first one. */
  @Nullable ConnectionCore last() {
    return last;
  }

  /** The same, once there was one. */
  ConnectionCore latest() {
    ConnectionCore latest = last;
    if (latest == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    return latest;
  }

  void checkOpen() throws ArraywireException {
    ArraywireException over = end;
    if (over != null) {
      throw over.forCaller();
    }
    if (closing) {
      throw Failures.closedHere(latest().remoteAddress());
    }
  }

  /** Whether arrays are accepted. A connection that has just failed is an outage like any other. */
  boolean isOpen() {
    ConnectionCore present = current;
    return end == null && !closing && (present == null || !present.isBeingClosed());
  }

  /** The connection that carries the session, for what does not outlive it. */
  ConnectionCore present() throws ArraywireException {
    lock.lock();
    try {
      checkOpen();
      ConnectionCore present = current;
      if (present == null) {
        throw new ConnectionLostException(
            ErrorCode.CONNECTION_RESET,
            "the connection broke and is not replaced yet; with Delivery.SESSION an array would wait"
                + " for that",
            "brokenBy",
            words(brokenBy),
            "lastFailure",
            words(lastFailure));
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a connection, for no longer than a send may wait. */
  ConnectionCore awaitPresent(String option, Duration most)
      throws ArraywireException, InterruptedException {
    long left = SystemDeadlines.nanos(most);
    lock.lockInterruptibly();
    try {
      while (true) {
        checkOpen();
        ConnectionCore present = current;
        if (present != null) {
          return present;
        }
        if (left <= 0) {
          throw new TimedOutException(
              ErrorCode.SEND_TIMEOUT,
              "the array could not begin to leave in time: the connection broke and is not replaced yet",
              option,
              most,
              "brokenBy",
              words(brokenBy),
              "lastFailure",
              words(lastFailure));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a connection that can bring arrays.
   *
   * @param failed the one that no longer can, or null
   * @param nanos how long to wait
   * @return null if there is none in time
   */
  @Nullable ConnectionCore awaitSource(@Nullable ConnectionCore failed, long nanos)
      throws ArraywireException, InterruptedException {
    long left = nanos;
    lock.lockInterruptibly();
    try {
      while (true) {
        ConnectionCore source = current;
        ArraywireException over = end;
        if (over != null) {
          // What came whole before an orderly end can still be had.
          source = over instanceof ConnectionClosedException && !closing ? last : null;
          if (source == null || source.equals(failed)) {
            throw over.forCaller();
          }
        }
        if (source != null && !source.equals(failed)) {
          return source;
        }
        if (left <= 0) {
          return null;
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Describes it.
   *
   * @param attempts how often the connecting side has tried to connect again; negative if it has no
   *     need to
   */
  String describe(int attempts) {
    lock.lock();
    try {
      ArraywireException over = end;
      if (over != null) {
        return "ended: " + over.getMessage();
      }
      if (current != null) {
        return "connected";
      }
      return attempts < 0
          ? "waiting for the peer to come back (lastFailure=" + words(lastFailure) + ")"
          : "connecting again (attempts="
              + attempts
              + ", brokenBy="
              + words(brokenBy)
              + ", lastFailure="
              + words(lastFailure)
              + ")";
    } finally {
      lock.unlock();
    }
  }

  private static String words(@Nullable ArraywireException failure) {
    return failure == null ? "none" : String.valueOf(failure.getMessage());
  }
}
