package io.arraywire.engine;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls the request handler of one channel, and knows whether its calls have been short of late.
 * Then the thread that reads makes them itself where the {@link Link} lets it: nobody is woken, and
 * all that they answer leaves with one write. The handler may block all the same: another thread
 * takes the reader's place then. But the link's other connections have waited meanwhile, so a
 * handler that is not short has to be short for longer each time.
 *
 * <p>The task that calls the handler uses it, and the thread that begins a task under the lock.
 */
final class RequestCalls {
  /** A call that takes longer is worth the wake-up of another thread. */
  static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** When the calls of one task have taken so long, the executor has those that wait. */
  static final long SHORT_TASK_NANOS = 2 * SHORT_NANOS;

  /** So many short calls in a row are enough at first, and so many at most. */
  static final int FIRST_IN_A_ROW = 32;

  static final int MOST_IN_A_ROW = 1 << 16;

  /**
   * After so many times the calls that were wanted, half of them are enough. So a long call on the
   * thread that reads is one of some hundred, or of more.
   */
  static final int TIMES_TO_FORGET = 4;

  private final RequestHandler handler;
  private final EngineContext context;
  private final int firstInARow;

  /** Whether the library chooses the thread, and the task has no other code of the user's. */
  private final boolean mayBeHere;

  private int wantedInARow;
  private int shortInARow;

  /** Whether the thread that reads runs the task, and for how long the handler had it. */
  private boolean here;

  private long taskNanos;

  private RequestCalls(Handlers handlers, RequestHandler handler, EngineContext context) {
    this.handler = handler;
    this.context = context;
    mayBeHere = context.runsHandlersItself() && !handlers.isOnLoop() && handlers.targets() == null;
    firstInARow = context.runtime().shortCalls(FIRST_IN_A_ROW);
    wantedInARow = firstInARow;
  }

  /** Makes those of a channel's handlers; null if they take no requests. */
  static @Nullable RequestCalls of(Handlers handlers, EngineContext context) {
    RequestHandler handler = handlers.requests();
    return handler == null ? null : new RequestCalls(handlers, handler, context);
  }

  /**
   * Has the calling thread run a task that begins with a call; returns false if it does not. Under
   * the lock.
   */
  boolean runsHere(ReceiveQueue queue, Runnable task) {
    taskNanos = 0;
    // In a session a request may come again while the connection before still handles it.
    here =
        shortInARow >= wantedInARow
            && isRequest(queue.first())
            && queue.guard() == null
            && queue.scope.link().runsTask(task, context.executor());
    return here;
  }

  private static boolean isRequest(@Nullable InboundArray array) {
    return array != null && array.reply != null;
  }

  /**
   * Whether the task ends now, and the executor has the next one.
   *
   * @param next what that begins with; null for the end of the connection
   */
  boolean leaves(@Nullable InboundArray next) {
    boolean leaves = here && (taskNanos > SHORT_TASK_NANOS || !isRequest(next));
    if (leaves) {
      here = false;
    }
    return leaves;
  }

  void onRequest(Connection connection, ReceivedArray request, Reply reply) throws Exception {
    if (!mayBeHere) {
      handler.onRequest(connection, request, reply);
      return;
    }
    long began = context.runtime().nanoTime();
    try {
      handler.onRequest(connection, request, reply);
    } finally {
      took(context.runtime().nanoTime() - began);
    }
  }

  private void took(long nanos) {
    taskNanos += nanos;
    if (nanos > SHORT_NANOS) {
      if (shortInARow >= wantedInARow) {
        wantedInARow = Math.min(2 * wantedInARow, MOST_IN_A_ROW);
      }
      shortInARow = 0;
    } else if (shortInARow < TIMES_TO_FORGET * wantedInARow) {
      shortInARow++;
    } else if (wantedInARow > firstInARow) {
      wantedInARow = Math.max(wantedInARow / 2, firstInARow);
      shortInARow = wantedInARow;
    }
  }
}
