package io.arraywire.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which handlers of a connection wait. Functions; under the connection's lock. */
final class HandlerWaits {
  private HandlerWaits() {}

  /**
   * Notes that the calling thread waits in a call, if it runs one of the handlers; else returns
   * null.
   */
  static @Nullable HandlerWait begin(List<Inbox> inboxes, String call) {
    for (Inbox inbox : inboxes) {
      HandlerRunner runner = inbox.runner();
      if (runner != null && Thread.currentThread().equals(runner.thread())) {
        return runner.waitsIn(call);
      }
    }
    return null;
  }

  /** A handler that waits itself while arrays wait for it; null if none is known. */
  static @Nullable HandlerWait any(List<Inbox> inboxes) {
    for (Inbox inbox : inboxes) {
      HandlerRunner runner = inbox.runner();
      WaitingHandler wait = runner == null ? null : runner.wait;
      if (wait != null && wait.holdsUpOthers()) {
        return wait;
      }
    }
    return null;
  }

  /** The handlers that have not returned, for {@link OutboundScope#runningHandlers}. */
  static String running(List<Inbox> inboxes, ReusableFuture<?> awaited) {
    for (Inbox inbox : inboxes) {
      HandlerRunner runner = inbox.runner();
      if (runner != null && runner.thread() != null) {
        return awaited.isAwaitedBy(runner.thread())
            ? "; "
                + runner
                + " itself waits here, and takes nothing else meanwhile; if the far handler"
                + " waits for that, neither goes on: use sendAsync or another thread"
            : "; "
                + runner
                + " has not returned here either: if it waits for this, use stages or another"
                + " thread in it";
      }
    }
    return "";
  }
}
