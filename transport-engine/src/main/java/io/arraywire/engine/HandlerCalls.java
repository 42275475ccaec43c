package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.source.ArraySink;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Times the calls of one channel's handler: of what takes arrays, what answers requests, and what
 * names targets. If they have been {@linkplain ShortCalls short} of late, the thread that reads
 * makes them itself where the {@link Link} lets it. Nobody is woken then, and all that they answer
 * leaves with one write. The handler may block all the same: another thread takes the reader's
 * place then. But the link's other connections have waited meanwhile, so a handler that is not
 * short has to be short for longer each time.
 *
 * <p>The task that calls the handler uses it, and the thread that begins a task under the lock.
 */
final class HandlerCalls {
  /** When the calls of one task have taken so long, the executor has those that wait. */
  static final long SHORT_TASK_NANOS = 2 * ShortCalls.SHORT_NANOS;

  /**
   * When one task has taken so long with all that belongs to its calls, likewise. The calls may be
   * so short that most of the time goes elsewhere.
   */
  static final long LONGEST_TASK_NANOS = 5 * SHORT_TASK_NANOS;

  private final Handlers handlers;
  private final EngineContext context;

  /** What the calls of late were; null if the library does not choose the thread. */
  private final @Nullable ShortCalls lately;

  /** Whether the thread that reads runs the task, and for how long the handler had it. */
  private boolean here;

  private long taskNanos;

  /** When the first call of the task began, once one has, and when the last one ended. */
  private boolean taskBegun;

  private long firstBegan;
  private long lastEnded;

  HandlerCalls(Handlers handlers, EngineContext context) {
    this.handlers = handlers;
    this.context = context;
    lately =
        context.runsHandlersItself() && !handlers.isOnLoop()
            ? new ShortCalls(context.runtime())
            : null;
  }

  /**
   * Has the calling thread run a task that begins with a call; returns false if it does not. Under
   * the lock.
   */
  boolean runsHere(ReceiveQueue queue, Runnable task) {
    taskNanos = 0;
    taskBegun = false;
    // In a session an array may come again while the connection before still handles it.
    here =
        lately != null
            && lately.areShort()
            && (queue.first() != null || queue.end == null)
            && queue.guard() == null
            && queue.scope.link().runsTask(task, context.executor());
    return here;
  }

  /**
   * Whether the task ends now, and the executor has the next one.
   *
   * @param ends whether nothing is left but to tell the end of the connection
   */
  boolean leaves(boolean ends) {
    boolean leaves = here && (ends || isLong());
    if (leaves) {
      here = false;
    }
    return leaves;
  }

  private boolean isLong() {
    return taskNanos > SHORT_TASK_NANOS
        || (taskBegun && lastEnded - firstBegan > LONGEST_TASK_NANOS);
  }

  void onArray(Connection connection, ReceivedArray array) throws Exception {
    long began = begin();
    try {
      handlers.arrays().onArray(connection, array);
    } finally {
      end(began);
    }
  }

  /** Without a handler for them, requests are refused before they come here. */
  void onRequest(Connection connection, ReceivedArray request, Reply reply) throws Exception {
    long began = begin();
    try {
      Objects.requireNonNull(handlers.requests()).onRequest(connection, request, reply);
    } finally {
      end(began);
    }
  }

  /** To be called only where the handler names targets. */
  @Nullable ArraySink target(Connection connection, ArrayHeader header) throws Exception {
    long began = begin();
    try {
      return Objects.requireNonNull(handlers.targets()).target(connection, header);
    } finally {
      end(began);
    }
  }

  private long begin() {
    if (lately == null) {
      return 0;
    }
    long now = lately.now();
    if (!taskBegun) {
      taskBegun = true;
      firstBegan = now;
    }
    return now;
  }

  private void end(long began) {
    if (lately != null) {
      long took = lately.took(began);
      taskNanos += took;
      lastEnded = began + took;
    }
  }
}
