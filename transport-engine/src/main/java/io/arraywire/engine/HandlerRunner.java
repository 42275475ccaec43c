package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handler of one channel with the arrays that are here, one task at a time. Guarded by
 * the connection's lock, without which the handler itself is called.
 */
final class HandlerRunner implements Runnable {
  private final ReceiveQueue queue;
  private final InboundScope scope;
  private final Handlers handlers;

  private final HandlerCalls calls;

  private boolean scheduled;

  /** Whether a task was run by the very call that handed it in. */
  private boolean inPlace;

  /** Whether the handler was told that it has had everything. */
  private boolean told;

  /** Whether the executor has refused a task, which ends the connection. */
  private boolean refused;

  /** The thread of the task that is at it. */
  private @Nullable Thread thread;

  /** The handler's wait for the far side, once it has waited for longer than a moment. */
  @Nullable WaitingHandler wait;

  /** Asks the handler for targets; null if it names none. */
  private final @Nullable HandlerTargets targets;

  // What became of the array in hand; the task's alone.

  private boolean acknowledges;
  private @Nullable ReceivedArray received;
  private boolean taken;

  HandlerRunner(ReceiveQueue queue, Handlers handlers) {
    this.queue = queue;
    this.handlers = handlers;
    scope = queue.scope;
    calls = new HandlerCalls(handlers, scope.context());
    targets = handlers.targets() == null ? null : new HandlerTargets(queue, calls);
  }

  // Under the lock.

  /** There is something for the handler to do. */
  void schedule() {
    if (scheduled || told) {
      othersCome();
      return;
    }
    scheduled = true;
    boolean here = handlers.isOnLoop() ? LoopTurn.runs(this) : calls.runsHere(queue, this);
    if (!here) {
      handIn();
    }
  }

  private void handIn() {
    try {
      scope.context().executor().execute(this);
      if (inPlace) {
        inPlace = false;
        ranInPlace();
      }
    } catch (RuntimeException | Error e) {
      // Not refusals alone: an executor that cannot start a thread throws an error, and one of the
      // user's may throw anything. That must not keep others from being told of an end.
      scheduled = false;
      if (queue.end == null && !refused) {
        refused = true;
        // Not under the lock.
        scope
            .context()
            .deadlines()
            .after(Duration.ZERO, () -> Log.handlerCannotRun(scope.remoteAddress(), e));
        scope.failLater(Failures.ofExecutor(e));
      } else if (queue.end != null && thread == null && Failures.isRefusal(e)) {
        // Nobody hands out what is here, which may hold files open.
        queue.drop();
        forgetTarget();
      }
    }
  }

  /** Something has come that waits until the handler returns, if it is called now. */
  void othersCome() {
    if (wait != null) {
      wait.look();
    }
  }

  /** A handler in an I/O thread would hold up every connection of that thread. */
  private void ranInPlace() {
    if (queue.end == null) {
      scheduled = false;
      scope.failLater(Failures.ofExecutorInPlace(scope.context().executor()));
    } else {
      // What came before the end, and the end itself, have to be told all the same.
      HandlerThreads.handlers().execute(this);
    }
  }

  /** The thread in which the handler is called; null while it is not. */
  @Nullable Thread thread() {
    return thread;
  }

  /** The handler waits for the far side, in a call that words name. */
  HandlerWait waitsIn(String call) {
    WaitingHandler begun = wait;
    if (begun == null) {
      begun = new WaitingHandler(queue, handlers + " of " + ChannelId.words(queue.out.id));
      wait = begun;
    }
    begun.waitsIn(call);
    return begun;
  }

  /** Whether the handler has had everything, its last call included. */
  boolean isOver() {
    return told && thread == null;
  }

  /**
   * In plain mode: the handler's answer to where an array goes, or null; then it is asked, and
   * reading goes on when it has answered.
   */
  @Nullable Object takeTarget(InboundArray array) {
    Object answer = targets().take(array);
    if (answer == null) {
      schedule();
    }
    return answer;
  }

  void forgetTarget() {
    if (targets != null) {
      targets.forget();
    }
  }

  private HandlerTargets targets() {
    if (targets == null) {
      throw new IllegalStateException("a handler that names no targets");
    }
    return targets;
  }

  // The task.

  /** To be called by the executor, at the end of a {@link LoopTurn}, or by the {@link Link}. */
  @Override
  public void run() {
    if (scope.lock().isHeldByCurrentThread()) {
      // Only the submitting thread holds the lock, so the executor has run the task in place. Told
      // by a flag: somebody's executor may catch an exception.
      inPlace = true;
      return;
    }
    try {
      work();
    } catch (Throwable thrown) { // What the handler throws is dealt with where it is called.
      lose(thrown);
    }
  }

  /** Hands out what there is. */
  private void work() {
    ReentrantLock lock = scope.lock();
    boolean begins = true;
    InboundArray done = null;
    while (true) {
      InboundArray array;
      InboundArray arriving = null;
      InboundArray wanted = null;
      boolean asks = false;
      boolean over = false;
      boolean resumes = false;
      lock.lock();
      try {
        if (begins && !begins()) {
          return;
        }
        begins = false;
        if (done != null) {
          finish(done);
          resumes = queue.parked;
        }
        array = queue.first();
        boolean more = array != null || queue.end != null;
        if (more && calls.leaves(array == null)) {
          array = null;
          thread = null;
          handIn();
        } else if (array != null) {
          queue.want(array);
          queue.credit().inHand(array);
          asks = array.needsTarget;
        } else {
          boolean open = queue.end == null;
          wanted = open && targets != null ? targets.asked() : null;
          arriving = open ? wantedOfArriving() : null;
          if (wanted == null && arriving == null) {
            over = !open && !told;
            told |= over;
            scheduled = false;
            thread = over ? thread : null;
          }
        }
      } finally {
        lock.unlock();
      }
      if (done != null) {
        done = null;
        scope.events().flush();
        resume(resumes);
      }
      if (array != null) {
        handle(array, asks);
        done = array;
      } else if (arriving != null) {
        targets().bindInTurn(arriving);
      } else if (wanted != null) {
        resume(targets().answer(wanted));
      } else {
        if (over) {
          tellOver();
        }
        return;
      }
    }
  }

  /** Whether no task is at it yet: an executor may take one and throw all the same. */
  private boolean begins() {
    boolean first = thread == null;
    if (first) {
      thread = Thread.currentThread();
    }
    return first;
  }

  private void resume(boolean wasParked) {
    if (wasParked) {
      scope.link().resumeReading();
    }
  }

  /** The handler has returned; the connection may have been dropped meanwhile. Under the lock. */
  private void finish(InboundArray array) {
    ReceivedArray given = received;
    if (given != null) {
      received = null;
      scope.events().received(given.header(), given.receipt());
    }
    if (acknowledges) {
      queue.handled(array, taken);
    }
    queue.credit().handled(array);
    queue.remove(array);
    if (given != null) {
      queue.pool().giveBack(array);
    }
  }

  /**
   * The task cannot go on, and nothing that it had in hand may be taken for processed. The
   * connection ends, and the handler is told so.
   */
  private void lose(Throwable thrown) {
    ArraywireException cause = Failures.ofHandlerTask(queue.out.id, thrown);
    ReentrantLock lock = scope.lock();
    lock.lock();
    try {
      scheduled = false;
      thread = null;
      queue.end(cause, true);
      queue.credit().lost(queue.first());
      queue.drop();
      schedule();
    } finally {
      lock.unlock();
      scope.failLater(cause);
    }
  }

  /**
   * The handler has nothing else to do: it wants what is arriving. Returns that if its target has
   * to be asked for. Under the lock.
   */
  private @Nullable InboundArray wantedOfArriving() {
    InboundArray array = queue.current;
    if (array == null || !array.held || !queue.credit().isLimited()) {
      return null;
    }
    if (array.needsTarget) {
      return array;
    }
    queue.want(array);
    return null;
  }

  /** Hands out an array, unless it is one that comes again. */
  private void handle(InboundArray array, boolean asks) {
    acknowledges = true;
    taken = false;
    DeliveryGuard guard = queue.guard();
    if (guard == null) {
      taken = handOut(array, asks) == null;
      return;
    }
    long sequence = array.envelope.sessionSequence();
    DeliveryGuard.Verdict verdict = guard.enter(scope, sequence);
    if (verdict == DeliveryGuard.Verdict.STALE) {
      array.sink.discard();
      acknowledges = false;
      return;
    }
    try {
      if (verdict == DeliveryGuard.Verdict.FRESH) {
        guard.handsOut(sequence);
        ArraywireException refusal = handOut(array, asks);
        if (refusal != null) {
          guard.refused(sequence, refusal);
        }
        taken = refusal == null;
        return;
      }
    } finally {
      guard.leave();
    }
    array.sink.discard();
    ArraywireException refusal = guard.refusal(sequence);
    if (refusal != null) {
      refuse(array, refusal);
    }
  }

  /** Returns why the array was refused, or null. */
  private @Nullable ArraywireException handOut(InboundArray array, boolean asks) {
    if (asks && array.sink.refusal() == null) {
      targets().bind(array);
    }
    if (array.refusal == null) {
      array.refusal = array.sink.finish();
    }
    if (array.refusal != null) {
      return refuse(array, array.refusal);
    }
    if (array.reply != null) {
      return handleRequest(array, array.reply);
    }
    try {
      ReceivedArray given = array.received(array.sink.slice());
      calls.onArray(scope.userConnection(), given);
      received = given;
      return null;
    } catch (Throwable thrown) { // What a handler throws must reach the sender, and nobody else.
      return refuse(array, Failures.ofHandler(thrown));
    }
  }

  private @Nullable ArraywireException handleRequest(InboundArray array, OwedReply reply) {
    try {
      if (!reply.isCancelled()) {
        ReceivedArray given = array.received(array.sink.slice());
        Reply held = reply.forHandler();
        calls.onRequest(scope.userConnection(), given, held);
        reply.handlerReturned(held);
        received = given;
      }
      return null;
    } catch (Throwable thrown) { // As above.
      if (!reply.refuse()) {
        scope
            .handlerLog()
            .answeredAndFailed(queue.out.id, array.sequence(), array.envelope.request(), thrown);
        return null;
      }
      ArraywireException refusal = refuse(array, Failures.ofHandler(thrown));
      scope.wakeWriterToSayGoodbye();
      return refusal;
    }
  }

  private ArraywireException refuse(InboundArray array, ArraywireException refusal) {
    array.answeredByRefusal();
    scope.refuse(queue.out, array.sequence(), array.envelope.request(), refusal);
    return refusal;
  }

  // The end.

  /** The handler has had everything. */
  private void tellOver() {
    ReentrantLock lock = scope.lock();
    ArraywireException cause;
    lock.lock();
    try {
      cause = queue.failure();
    } finally {
      lock.unlock();
    }
    if (queue.isSubscribed()) {
      tellClosed(handlers, scope.userConnection(), cause);
    } else {
      scope.handlerOver(handlers, cause);
    }
    lock.lock();
    try {
      thread = null;
    } finally {
      lock.unlock();
    }
  }

  /** Tells a handler that its connection or subscription has ended; what it throws is logged. */
  static void tellClosed(
      Handlers handlers, Connection connection, @Nullable ArraywireException cause) {
    try {
      handlers.closed(connection, cause);
    } catch (RuntimeException | Error thrown) {
      Log.handlerFailed(connection, thrown);
    }
  }

  /** Names the handler, for a warning. */
  @Override
  public String toString() {
    return "handler " + handlers + " of " + ChannelId.words(queue.out.id);
  }
}
