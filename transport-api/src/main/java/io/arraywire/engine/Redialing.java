package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.AuthenticationException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.NegotiationException;
import io.arraywire.ResumeRejectedException;
import io.arraywire.SessionExpiredException;
import io.arraywire.UnsupportedVersionException;
import java.time.Duration;

/**
 * Connects again after a session's connection broke, until it is done or the session's time is up.
 *
 * <p>It has a thread of its own while that lasts, for a look-up of a name can block. Between
 * attempts it {@linkplain ReconnectPauses waits}.
 */
final class Redialing implements Runnable {
  private final SessionConnection session;
  private final Dialer dialer;
  private final Duration sessionTimeout;
  private final ReconnectPauses pauses;
  private final Duration attemptTimeout;
  private final int failuresBefore;
  private final ArraywireException brokenBy;
  private ArraywireException last;
  private int attempts;

  /**
   * Prepares to connect again.
   *
   * @param pauses between attempts
   * @param failuresBefore how many connections in a row broke before they were of any use
   * @param attemptTimeout how long one attempt may take: when an outage ends, a connection request
   *     that was sent during it would be repeated only after seconds
   */
  Redialing(
      SessionConnection session,
      Dialer dialer,
      Duration sessionTimeout,
      ReconnectPauses pauses,
      Duration attemptTimeout,
      int failuresBefore,
      ArraywireException cause) {
    this.session = session;
    this.dialer = dialer;
    this.sessionTimeout = sessionTimeout;
    this.pauses = pauses;
    this.attemptTimeout = attemptTimeout;
    this.failuresBefore = failuresBefore;
    brokenBy = cause;
    last = cause;
  }

  int attempts() {
    return attempts;
  }

  @Override
  public void run() {
    long begin = session.runtime().nanoTime();
    long most = SystemDeadlines.nanos(sessionTimeout);
    try {
      for (long left = most; left > 0; left = most - (session.runtime().nanoTime() - begin)) {
        long pause = pauses.nanos(attempts + failuresBefore);
        if (!session.awaitRedial(this, Math.min(pause, left))) {
          return;
        }
        if (pause >= left) {
          // The time is up, and the peer has given the session up as well.
          break;
        }
        attempts++;
        long attemptBegin = session.runtime().nanoTime();
        try {
          var unused = dialer.dial(session::joins, attemptTimeout);
          session.measured(session.runtime().nanoTime() - attemptBegin);
          return;
        } catch (ArraywireException e) {
          last = e;
          if (isFinal(e)) {
            session.redialFailed(this, e);
            return;
          }
          session.attemptFailed(this, e);
        }
      }
      session.redialFailed(
          this,
          new SessionExpiredException(
                  "the connection broke and could not be replaced in time",
                  "sessionTimeout",
                  sessionTimeout,
                  "attempts",
                  attempts,
                  "brokenBy",
                  String.valueOf(brokenBy.getMessage()),
                  "lastFailure",
                  String.valueOf(last.getMessage()))
              .because(last));
    } catch (InterruptedException e) {
      // Only somebody who ends the session interrupts this thread.
      session.redialFailed(this, Failures.closedHere(session.remoteAddress()));
    } catch (RuntimeException | Error e) {
      session.redialFailed(this, Failures.ofBug(e));
    }
  }

  /** What another attempt would not change. */
  private static boolean isFinal(ArraywireException failure) {
    return failure instanceof ResumeRejectedException
        || failure instanceof AuthenticationException
        || failure instanceof NegotiationException
        || failure instanceof UnsupportedVersionException
        || failure instanceof ConnectionClosedException;
  }
}
