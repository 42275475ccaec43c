package io.arraywire.engine;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A handler that waits for the far side of its own connection. Until it returns, nothing else
 * reaches it; where the far side waits for that in turn, neither goes on.
 *
 * <p>Any thread, without the connection's lock.
 */
interface HandlerWait {
  /**
   * How long a handler waits, in nanoseconds, before a check whether others wait for it. It is
   * longer than a round trip, so that a handler that merely sends causes no warning.
   */
  long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The fact of a failure that names the handler. */
  String FACT = "waitingHandler";

  /** What it waits in, as {@link WaitNotes#callerWaits} is told. */
  String IN_SEND = "in send for the far side";

  /** The handler's class and its channel. */
  String handler();

  /**
   * What a failure says of arrays that wait until the handler returns, and of the way out; null if
   * none waits.
   */
  @Nullable String advice();

  /** It no longer waits. */
  void over();

  /** As {@link #over}, where there is one. */
  static void ended(@Nullable HandlerWait wait) {
    if (wait != null) {
      wait.over();
    }
  }
}
