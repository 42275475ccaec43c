package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.TargetHandler;
import io.arraywire.TargetMismatchException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks the handler of one channel where arrays go. Guarded by the connection's lock, without which
 * the handler is called.
 */
final class HandlerTargets {
  /** The answer of a handler that has no target for an array. */
  private static final Object NO_TARGET = new Object();

  private final ReceiveQueue queue;
  private final TargetHandler targets;

  /** In plain mode: the array whose target the handler is to name, and the answer. */
  private @Nullable ArrayHeader untargeted;

  private @Nullable Object answer;

  HandlerTargets(ReceiveQueue queue, TargetHandler targets) {
    this.queue = queue;
    this.targets = targets;
  }

  /** Whether a handler's answer is that it has no target. */
  static boolean isNone(Object answer) {
    return answer.equals(NO_TARGET);
  }

  // Plain mode: reading waits for the answer.

  /** The answer for an array; null if the handler has still to be asked. Under the lock. */
  @Nullable Object take(InboundArray array) {
    Object taken = answer;
    if (taken == null) {
      untargeted = array.header();
    } else {
      forget();
    }
    return taken;
  }

  /** Under the lock. */
  void forget() {
    answer = null;
    untargeted = null;
  }

  /** The array that the handler is to be asked about; null if there is none. Under the lock. */
  @Nullable ArrayHeader asked() {
    return answer == null ? untargeted : null;
  }

  /** Has the handler answer; returns whether the reading thread waits for that. */
  boolean answer(ArrayHeader header) {
    Object found = target(header);
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      answer = found;
      return queue.parked;
    } finally {
      lock.unlock();
    }
  }

  // With credit: the array waits, and goes on where the answer says.

  /** Has the handler name a target, unless the array is one that comes again. */
  void bindInTurn(InboundArray array) {
    DeliveryGuard guard = queue.guard();
    if (guard == null) {
      bind(array);
      return;
    }
    DeliveryGuard.Verdict verdict = guard.enter(queue.scope, array.envelope.sessionSequence());
    if (verdict == DeliveryGuard.Verdict.FRESH) {
      try {
        bind(array);
      } finally {
        guard.leave();
      }
      return;
    }
    if (verdict == DeliveryGuard.Verdict.REPEATED) {
      guard.leave();
    }
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      array.needsTarget = false;
      if (array.equals(queue.current)) {
        array.sink.stop();
        queue.want(array);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Asks the handler for the target of an array that is here or arriving, and puts it there. */
  void bind(InboundArray array) {
    Object found = target(array.header());
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      array.needsTarget = false;
      boolean arriving = array.equals(queue.current) && queue.end == null;
      if (!arriving && !queue.holds(array)) {
        // Withdrawn or dropped meanwhile; the target is the handler's again.
        return;
      }
      if (found instanceof ArraySlice target) {
        array.sink.rebind(target);
      } else if (!isNone(found)) {
        array.refusal = (ArraywireException) found;
        array.sink.stop();
      }
      queue.want(array);
    } finally {
      lock.unlock();
    }
  }

  /** The handler's answer: a slice, that there is none, or why the array is refused. */
  private Object target(ArrayHeader header) {
    try {
      ArraySlice target = targets.target(queue.scope.userConnection(), header);
      if (target == null) {
        return NO_TARGET;
      }
      TargetChecks.checkFits(header, target);
      return target;
    } catch (TargetMismatchException e) {
      return e;
    } catch (Throwable thrown) { // What a handler throws must reach the sender, and nobody else.
      return Failures.ofHandler(thrown);
    }
  }
}
