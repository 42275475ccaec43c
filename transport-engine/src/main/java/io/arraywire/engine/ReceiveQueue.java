package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLoad;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * Holds the arrays of one channel that are here and the receive calls that wait for some, and
 * brings both together in their order. Guarded by the connection's lock, with which all methods are
 * called where nothing else is said.
 */
final class ReceiveQueue {
  final InboundScope scope;

  /** Where answers to what comes go. */
  final OutboundChannel out;

  /** Whether a handler takes the arrays, and not receive calls. */
  private final boolean handled;

  /** What the peer may send; null before the handshake is over. */
  private @Nullable ReceiveCredit credit;

  private LazyQueue<InboundArray> ready = LazyQueue.empty();

  /** The receive calls that wait, once one did. */
  private @Nullable PendingReceives pending;

  /** What is to be used again, once there is something. */
  private @Nullable InboxPool pool;

  long readyBytes;
  private long arraysTaken;

  /** The array that is arriving, once it has a place. */
  @Nullable InboundArray current;

  /** Why nothing more will come; null while something may. */
  @Nullable ArraywireException end;

  boolean endIsFailure;

  /** Whether what comes is read and dropped: nobody here wants it any more. */
  private boolean dropping;

  /** Whether the reading thread waits for room or for a receive. */
  boolean parked;

  /** Whether a caller that does not wait has asked for the next array, which has not begun. */
  boolean polled;

  ReceiveQueue(InboundScope scope, OutboundChannel out, boolean handled) {
    this.scope = scope;
    this.out = out;
    this.handled = handled;
  }

  boolean isSubscribed() {
    return ChannelId.isSubscription(out.id);
  }

  /** Gives back what memory its queues need no more. */
  void trim() {
    ready = ready.trimmed();
    pending = pending == null || pending.isEmpty() ? null : pending;
    if (credit != null) {
      credit.trim();
    }
    pool = null;
  }

  // Credit.

  ReceiveCredit credit() {
    ReceiveCredit kept = credit;
    if (kept == null) {
      throw new IllegalStateException("an array before the handshake is over");
    }
    return kept;
  }

  void keepCredit(ReceiveCredit kept) {
    credit = kept;
  }

  /** Somebody has asked for an array that is here or arriving, and the peer may send the rest. */
  void want(InboundArray array) {
    credit().want(array, handled);
    credit().settle();
  }

  /** An array is no longer here, or will not come, and the peer may send another. */
  private void uncount(InboundArray array) {
    credit().uncount(array);
    credit().settle();
  }

  // Receive calls.

  /** Has a receive get in line, or have what is here. */
  void add(PendingReceive receive) throws ArraywireException {
    InboundArray first = ready.peek();
    if (first != null) {
      if (receive.fits(first)) {
        removeFirst();
        uncount(first);
        give(first, receive);
      }
    } else if (end != null) {
      throw end.forCaller();
    } else {
      line().add(receive);
      giveCurrent();
    }
  }

  /** The receive calls that wait; null if none ever did. Any thread. */
  @Nullable PendingReceives pending() {
    return pending;
  }

  private PendingReceives line() {
    if (pending == null) {
      pending = new PendingReceives();
    }
    return pending;
  }

  /**
   * Gives the array that is arriving to the receive that waits for it, where it need not be held up
   * for that.
   */
  private void giveCurrent() {
    InboundArray array = current;
    while (array != null
        && array.held
        && array.receive == null
        && credit().isLimited()
        && !line().isEmpty()) {
      PendingReceive receive = line().removeFirst();
      if (receive.fits(array)) {
        if (!ReceiveTargets.goOn(scope, array, receive)) {
          return;
        }
        array.receive = receive;
        want(array);
      }
    }
  }

  /** Takes back a receive whose caller was interrupted; returns whether it was not served yet. */
  boolean withdraw(PendingReceive receive) {
    if (receive.result.isDone()) {
      return false;
    }
    line().remove(receive);
    if (current != null && current.receive == receive) {
      current.receive = null;
      if (receive.target != null) {
        ReceiveTargets.giveBack(scope, current);
      }
      credit().unwant(current);
      giveCurrent();
    }
    return true;
  }

  // What arrives.

  /** What describes the next array, one that was used before if there is one. */
  InboundArray next() {
    InboundArray array = pool == null ? null : pool.takeArray();
    return array == null ? new InboundArray() : array;
  }

  /** Whether an array is one that came before and was handed out then. */
  private @Nullable DeliveryGuard repeats(InboundArray array) {
    DeliveryGuard guard = handled ? null : guard();
    return guard != null && guard.isRepeated(array.envelope.sessionSequence()) ? guard : null;
  }

  /** Keeps arrays from being handed out twice, or null: what is published does not come again. */
  @Nullable DeliveryGuard guard() {
    return isSubscribed() ? null : scope.guard(out.id);
  }

  /**
   * An array has come whole: gives it to the first receive that it fits, or keeps it.
   *
   * @return whether it is here now, and nobody has it yet
   */
  boolean complete(InboundArray array) {
    current = null;
    DeliveryGuard guard = repeats(array);
    if (guard != null) {
      repeated(array, guard.refusal(array.envelope.sessionSequence()));
      return false;
    }
    if (isClosed()) {
      // After the end a sink takes no more, so what is in it is not the whole array.
      array.sink.discard();
      backInLine(array);
      uncount(array);
      if (dropping) {
        notTaken(array);
      }
      return false;
    }
    PendingReceive receive = array.receive;
    if (receive != null) {
      array.receive = null;
      give(array, receive);
      credit().settle();
      return false;
    }
    PendingReceive waiting = pending == null ? null : pending.firstFor(array);
    if (waiting != null) {
      line().removeFirst();
      uncount(array);
      give(array, waiting);
      return false;
    }
    ready = ready.plus(array);
    readyBytes += array.inboxBytes();
    return true;
  }

  /** An array came again that a receive call has had; the receive in line has the next one. */
  private void repeated(InboundArray array, @Nullable ArraywireException refusal) {
    backInLine(array);
    uncount(array);
    array.sink.discard();
    if (refusal != null) {
      scope.queueRejected(out, array.sequence(), refusal);
    }
    processedOutOfTurn(array.sequence(), false);
  }

  /**
   * An array that did not wait its turn is processed. An acknowledgement covers all arrays before,
   * so it waits for those that wait their turn.
   */
  void processedOutOfTurn(long sequence, boolean isReply) {
    InboundArray last = ready.peekLast();
    if (last == null || last.done) {
      scope.processedOutOfTurn(out, sequence, isReply);
    } else {
      last.doneThrough = sequence;
    }
  }

  /** The sender took back the array that was arriving; its receive has the next one. */
  void aborted(InboundArray array) {
    current = null;
    backInLine(array);
    uncount(array);
  }

  /**
   * The receive that was to have an array has the next one. There may be none, where this side has
   * begun to fail or to close and has not told waiting calls. Then that ends the receive, too.
   */
  private void backInLine(InboundArray array) {
    PendingReceive receive = array.receive;
    if (receive != null) {
      line().addFirst(receive);
      array.receive = null;
    }
  }

  InboxPool pool() {
    if (pool == null) {
      pool = InboxPool.of(scope.context());
    }
    return pool;
  }

  /**
   * Gives an array to a receive that it fits, with the lock, so that acknowledgements keep their
   * order.
   */
  private void give(InboundArray array, PendingReceive receive) {
    try {
      Object given = receive.given(array);
      arraysTaken++;
      DeliveryGuard guard = guard();
      if (guard != null) {
        guard.handsOut(array.envelope.sessionSequence());
      }
      done(array, true);
      if (scope.events().seesReceived()) {
        Receipt receipt = given instanceof LeasedArray lease ? lease.receipt() : array.receipt(0);
        scope.events().received(array.header(), receipt);
      }
      receive.result.complete(given);
      if (receive.kind == PendingReceive.Kind.INTO) {
        pool().giveBack(array);
      }
    } catch (OutOfMemoryError e) {
      // The array is lost, and its sender must not be told otherwise by a later acknowledgement.
      ReceiveTargets.fail(scope, array, receive, e);
      array.sink.discard();
    } catch (RuntimeException | Error e) {
      ReceiveTargets.fail(scope, array, receive, e);
      // The reading thread goes no further.
      throw e;
    }
  }

  /** An array is taken, and is acknowledged with what came behind it out of turn. */
  private void done(InboundArray array, boolean comesAgain) {
    array.sink.release();
    array.done = true;
    scope.processed(out, Math.max(array.sequence(), array.doneThrough), comesAgain);
  }

  // What a handler takes.

  @Nullable InboundArray first() {
    return ready.peek();
  }

  boolean holds(InboundArray array) {
    return ready.contains(array);
  }

  /** The handler has had an array, or refused it. */
  void handled(InboundArray array, boolean taken) {
    arraysTaken += taken ? 1 : 0;
    // It is in the line until now.
    done(array, ready.size() > 1);
  }

  /** An array leaves the line, unless all have left it meanwhile. */
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  void remove(InboundArray array) {
    if (ready.peek() == array) {
      removeFirst();
    }
  }

  private void removeFirst() {
    readyBytes -= ready.remove().inboxBytes();
  }

  // The end.

  /** What nothing more comes for, if that is a failure. */
  @Nullable ArraywireException failure() {
    return endIsFailure ? end : null;
  }

  /** Whether what comes now goes to nobody. */
  boolean isClosed() {
    return dropping || end != null;
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }

  /** Nothing more will come; returns whether that is new. What is here can still be taken. */
  boolean end(ArraywireException cause, boolean failure) {
    if (end != null) {
      return false;
    }
    end = cause;
    endIsFailure = failure;
    // A reply may come for as long as somebody waits for it.
    if (current != null && !current.outOfTurn) {
      current.stop();
      credit().handled(current);
      if (current.receive != null) {
        current.receive.result.completeExceptionally(cause);
        current.receive = null;
      }
    }
    if (pending != null) {
      pending.end(cause);
    }
    return true;
  }

  /** This side has closed: nobody gets anything any more. */
  void drop() {
    dropping = true;
    ready.forEach(this::notTaken);
    InboundArray last = ready.peekLast();
    if (last != null && last.doneThrough > 0) {
      scope.processed(out, last.doneThrough, false);
    }
    clear();
    if (current != null) {
      // Its rest is read past.
      want(current);
    }
    if (credit != null) {
      credit.settle();
    }
  }

  /** Gives back the memory of what is here: nobody can have it any more. */
  void clear() {
    for (InboundArray array : ready) {
      if (!array.inHand) {
        array.sink.discard();
        credit().uncount(array);
      }
    }
    ready.clear();
    readyBytes = 0;
  }

  /** Tells the sender; of an array that was published, nobody waits to hear. */
  private void notTaken(InboundArray array) {
    if (array.envelope.publication() == 0) {
      scope.notTaken(out, array.sequence());
    }
  }

  /** The reading thread is done; what it was filling is no longer in use. */
  void disposed() {
    if (current != null) {
      current.sink.stop();
      current.sink.discard();
      credit().uncount(current);
      backInLine(current);
      current = null;
    }
    trim();
    if (credit != null) {
      credit.ofConnection().end(scope);
    }
  }

  ConnectionLoad load() {
    return new ConnectionLoad(0, 0, 0, ready.size(), readyBytes, 0);
  }

  long arraysTaken() {
    return arraysTaken;
  }

  /** What the peer may still send; null where nothing limits that. */
  @Nullable Long peersCredit() {
    return credit == null || !credit.isLimited() ? null : credit.leftOfBoth();
  }
}
