package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.TargetMismatchException;
import io.arraywire.source.ArraySink;
import io.arraywire.spi.Codec;
import java.util.Objects;
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
  private final HandlerCalls calls;

  /** In plain mode: the array whose target the handler is to name, and the answer. */
  private @Nullable InboundArray untargeted;

  private @Nullable Object answer;

  HandlerTargets(ReceiveQueue queue, HandlerCalls calls) {
    this.queue = queue;
    this.calls = calls;
  }

  /** Whether a handler's answer is that it has no target. */
  static boolean isNone(Object answer) {
    return answer.equals(NO_TARGET);
  }

  // Plain mode: reading waits for the answer.

  /** The answer for an array; null if the handler has still to be asked. Under the lock. */
  @Nullable Object take(InboundArray array) {
    Object taken = answer;
    untargeted = taken == null ? array : null;
    answer = null;
    return taken;
  }

  /** Nobody takes an answer any more. Under the lock. */
  void forget() {
    if (answer instanceof WritingSink unused) {
      unused.discard();
    }
    answer = null;
    untargeted = null;
  }

  /** The array that the handler is to be asked about; null if there is none. Under the lock. */
  @Nullable InboundArray asked() {
    return answer == null ? untargeted : null;
  }

  /** Has the handler answer; returns whether the reading thread waits for that. */
  boolean answer(InboundArray array) {
    Object found = target(array);
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      if (queue.isClosed() && found instanceof WritingSink unused) {
        // Nobody takes it any more.
        unused.discard();
      } else {
        answer = found;
      }
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
        array.stop();
        queue.want(array);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Asks the handler for the target of an array that is here or arriving, and puts it there. */
  void bind(InboundArray array) {
    Object found = target(array);
    WritingSink writing = found instanceof WritingSink opened ? opened : null;
    boolean bound = false;
    try {
      bound = bind(array, found);
    } finally {
      if (!bound && writing != null) {
        writing.discard();
      }
    }
    if (bound && writing != null) {
      writing.writeBefore();
    }
  }

  /** Whether the array is still there to be put anywhere. */
  private boolean bind(InboundArray array, Object found) {
    ReentrantLock lock = queue.scope.lock();
    lock.lock();
    try {
      array.needsTarget = false;
      boolean arriving = array.equals(queue.current) && queue.end == null;
      if (!arriving && !queue.holds(array)) {
        // Withdrawn or dropped meanwhile; the target is the handler's again.
        return false;
      }
      ArrivalShare limit = queue.credit().arrivals();
      if (found instanceof ArraySlice target) {
        array.goesInto(target);
      } else if (found instanceof WritingSink target) {
        array.sink.rebind(target);
      } else if (!isNone(found)) {
        array.refusal = (ArraywireException) found;
        array.stop();
      } else if (limit != null) {
        array.limitedBy(limit);
      }
      queue.want(array);
      queue.credit().limitsHands(array);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The handler's answer: a slice, a sink, that there is none, or why the array is refused. */
  private Object target(InboundArray array) {
    try {
      ArrayHeader header = array.header();
      ArraySink target = calls.target(queue.scope.userConnection(), header);
      if (target == null) {
        return array.exceedsArrays() ? TargetChecks.needsSink(array.elements()) : NO_TARGET;
      }
      if (target instanceof ArraySlice slice) {
        TargetChecks.checkFits(header, slice);
        return slice;
      }
      return opened(target, array, header);
    } catch (TargetMismatchException e) {
      return e;
    } catch (Throwable thrown) { // What a handler throws must reach the sender, and nobody else.
      return Failures.ofHandler(thrown);
    }
  }

  private Object opened(ArraySink sink, InboundArray array, ArrayHeader header)
      throws TargetMismatchException {
    Codec codec = Objects.requireNonNull(array.codec, "an array without a codec");
    TargetChecks.checkType(header, sink.type());
    EngineContext context = queue.scope.context();
    return WritingSink.open(
        sink,
        header.type(),
        array.elements(),
        codec,
        new WritingSink.Host(
            context.pool(), context.completions()::executeElsewhere, queue.scope::failLater));
  }
}
