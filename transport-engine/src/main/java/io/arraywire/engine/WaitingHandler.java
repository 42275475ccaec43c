package io.arraywire.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** See {@link HandlerWait}: the wait of the handler of one channel. */
final class WaitingHandler implements HandlerWait {
  private final ReceiveQueue queue;
  private final String handler;

  // Guarded by the connection's lock.

  /** What it waits in or for, in words; null while it does not, as far as is known. */
  private @Nullable String call;

  /** Whether it was logged that arrays wait for it. */
  private boolean logged;

  WaitingHandler(ReceiveQueue queue, String handler) {
    this.queue = queue;
    this.handler = handler;
  }

  // Under the lock.

  /** It waits for the far side. */
  void waitsIn(String begun) {
    call = begun;
    look();
  }

  /** Logs once, not under the lock, that arrays wait until a handler returns that waits itself. */
  void look() {
    if (logged || !holdsUpOthers()) {
      return;
    }
    logged = true;
    InboundScope scope = queue.scope;
    String words = "handler " + handler + " waits " + call + " and " + consequence();
    scope.context().deadlines().after(Duration.ZERO, () -> scope.handlerLog().handlerWaits(words));
  }

  /** Whether it waits while others wait for it. */
  boolean holdsUpOthers() {
    return call != null && others() > 0;
  }

  /** How many arrays are here, or begin to come, beside the one that the handler has in hand. */
  private long others() {
    return Math.max(0, queue.load().waitingArrays() - 1L) + (queue.current == null ? 0 : 1);
  }

  private String consequence() {
    long others = others();
    return "keeps "
        + others
        + (others == 1 ? " array" : " arrays")
        + " waiting until it returns; if the far side waits for that, neither goes on: use sendAsync, a"
        + " stage or another thread";
  }

  // Any thread, without the lock.

  @Override
  public String handler() {
    return handler;
  }

  @Override
  public @Nullable String advice() {
    queue.scope.lock().lock();
    try {
      return others() == 0 ? null : "the handler here " + consequence();
    } finally {
      queue.scope.lock().unlock();
    }
  }

  @Override
  public void over() {
    queue.scope.lock().lock();
    try {
      call = null;
    } finally {
      queue.scope.lock().unlock();
    }
  }
}
