package io.arraywire.testkit.simulation;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.TransportObserver;
import org.jspecify.annotations.Nullable;

/** Sees that no connection ends because one of its ends broke the protocol or failed by itself. */
final class Watcher implements TransportObserver {
  private final Judge judge;

  Watcher(Judge judge) {
    this.judge = judge;
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    look(connection, cause);
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    look(connection, cause);
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    look(connection, error);
  }

  private void look(Connection connection, @Nullable ArraywireException cause) {
    judge.told(cause);
    noteRefusal(cause);
    boolean stranger = connection.localAddress().toString().endsWith(Accounts.STRANGER);
    if (stranger && (judge.isTamperedWith() || ErrorCode.TLS_MISMATCH.isOf(cause))) {
      // It may have no TLS.
      return;
    }
    if (judge.isTamperedWith() && ErrorCode.TLS_FAILED.isOf(cause)) {
      // Seen beneath the engine, as it should be.
      return;
    }
    // A stream that is cut off inside a frame is nobody's fault.
    boolean broken = cause instanceof ProtocolException && !ErrorCode.TRUNCATED.isOf(cause);
    if (cause != null && (broken || cause.code() == ErrorCode.INTERNAL)) {
      judge.violation("a connection failed by itself: " + cause);
    }
  }

  private void noteRefusal(@Nullable ArraywireException cause) {
    if (cause == null) {
      return;
    }
    if (cause.code() == ErrorCode.RESUME_REJECTED && cause.facts().containsKey("openedBy")) {
      judge.met(Occurrence.SESSION_REFUSED_TO_ANOTHER);
    }
    if (cause.code() == ErrorCode.TOO_MANY_CONNECTIONS
        && "sessions".equals(cause.facts().get("limit"))) {
      judge.met(Occurrence.SESSION_TOO_MANY);
    }
  }
}
