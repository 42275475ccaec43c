package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of a session, on the connecting side. After a break it connects again until
 * it succeeds or the session's time is up.
 *
 * <p>It has a thread of its own during an outage, for a look-up of a name can block. Between
 * attempts it {@linkplain ReconnectPauses waits}.
 */
final class Reconnector {
  private final Session session;
  private final Dialer dialer;
  private final EngineRuntime runtime;
  private final ReconnectPauses pauses;

  private final AttemptTime attemptTime;

  /** What goes on since the connection broke. Written under the session's lock. */
  private volatile @Nullable Outage outage;

  Reconnector(Session session, Dialer dialer) {
    this.session = session;
    this.dialer = dialer;
    runtime = session.context.runtime();
    TransportOptions options = session.context.options();
    pauses = new ReconnectPauses(options.longestReconnectPause(), runtime::below);
    attemptTime = new AttemptTime(options.connectTimeout());
  }

  /** Makes a connection and notes how long that took. */
  EngineConnection dial(Duration timeout) throws ArraywireException, InterruptedException {
    long begin = runtime.nanoTime();
    EngineConnection made = dialer.dial(session::joins, timeout);
    attemptTime.connected(runtime.nanoTime() - begin);
    return made;
  }

  /** The peer acknowledged an array in this time. */
  void answered(long nanos) {
    attemptTime.answered(nanos);
  }

  /**
   * Connects again, on another thread. Under the session's lock.
   *
   * @param failuresBefore how many connections in a row broke before they were of any use
   */
  void begin(ArraywireException cause, int failuresBefore) {
    Outage begun = new Outage(cause, failuresBefore);
    outage = begun;
    begun.interrupt =
        runtime.start("arraywire-session " + session.userConnection.remoteAddress(), begun);
  }

  /**
   * There is a connection again, or the session has ended. Under the session's lock.
   *
   * @return interrupts the thread, unless it is the one that calls
   */
  Runnable stop() {
    Outage over = outage;
    outage = null;
    return over == null ? () -> {} : over.interrupt;
  }

  /** Attempts since the connection broke; negative if it did not. */
  int attempts() {
    Outage now = outage;
    return now == null ? -1 : now.attempts;
  }

  /** Connects again after one break. */
  private final class Outage implements Runnable {
    private final ArraywireException brokenBy;
    private final int failuresBefore;

    /**
     * How long one attempt may take: when an outage ends, a connection request that was sent during
     * it would be repeated only after seconds.
     */
    private final Duration attemptTimeout = attemptTime.get();

    private ArraywireException last;
    private int attempts;

    /** Under the session's lock. */
    private Runnable interrupt = () -> {};

    Outage(ArraywireException cause, int failuresBefore) {
      brokenBy = cause;
      last = cause;
      this.failuresBefore = failuresBefore;
    }

    @Override
    public void run() {
      try {
        ArraywireException failure = connectAgain();
        if (failure != null) {
          endSession(failure);
        }
      } catch (InterruptedException e) {
        // Only the end of the session interrupts this thread.
        endSession(Failures.closedHere(session.userConnection.remoteAddress()));
      } catch (RuntimeException | Error e) {
        endSession(Failures.ofBug(e));
      }
    }

    /** Returns why there will be no connection; null if there is one, or nobody wants it. */
    private @Nullable ArraywireException connectAgain() throws InterruptedException {
      long begin = runtime.nanoTime();
      Duration sessionTimeout = session.identity.timeout();
      long most = SystemDeadlines.nanos(sessionTimeout);
      for (long left = most; left > 0; left = most - (runtime.nanoTime() - begin)) {
        long pause = pauses.nanos(attempts + failuresBefore);
        if (!pause(Math.min(pause, left))) {
          return null;
        }
        if (pause >= left) {
          // The time is up, and the peer has given the session up as well.
          break;
        }
        attempts++;
        try {
          var unused = dial(attemptTimeout);
          return null;
        } catch (ArraywireException e) {
          last = e;
          if (isFinal(e)) {
            return e;
          }
          if (isWanted() && session.state.attemptFailed(e)) {
            Log.notConnectedAgain(session.userConnection, attempts, e);
          }
        }
      }
      return new ConnectionLostException(
              ErrorCode.SESSION_EXPIRED,
              "the connection broke and could not be replaced in time",
              "sessionTimeout",
              sessionTimeout,
              "attempts",
              attempts,
              "brokenBy",
              String.valueOf(brokenBy.getMessage()),
              "lastFailure",
              String.valueOf(last.getMessage()))
          .because(last);
    }

    /** Waits before an attempt; returns whether it is still wanted. */
    private boolean pause(long nanos) throws InterruptedException {
      session.state.lock.lock();
      try {
        long left = nanos;
        while (left > 0 && isWanted()) {
          left = session.state.changed.awaitNanos(left);
        }
        return isWanted();
      } finally {
        session.state.lock.unlock();
      }
    }

    private void endSession(ArraywireException cause) {
      if (isWanted()) {
        session.end(cause);
      }
    }

    private boolean isWanted() {
      return equals(outage);
    }
  }

  /** What another attempt would not change. */
  private static boolean isFinal(ArraywireException failure) {
    return ErrorCode.RESUME_REJECTED.isOf(failure)
        || ErrorCode.AUTHENTICATION_FAILED.isOf(failure)
        || ErrorCode.NEGOTIATION_FAILED.isOf(failure)
        || ErrorCode.UNSUPPORTED_VERSION.isOf(failure)
        || failure instanceof ConnectionClosedException;
  }
}
