package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings the arrays of one channel and their takers together: receive calls, which are served in
 * turn, or a handler. Arrays that no caller has asked for are kept up to a budget. Then the peer
 * gets no credit, or in plain mode reading stops, until a caller asks.
 *
 * <p>Any thread. It takes the connection's lock unless a method says otherwise.
 */
final class Inbox {
  final ReceiveQueue queue;
  private final @Nullable Handlers handlers;

  /** Calls the handler, once there is something to call it with. */
  private @Nullable HandlerRunner runner;

  Inbox(InboundScope scope, OutboundChannel out, @Nullable Handlers handlers) {
    queue = new ReceiveQueue(scope, out, handlers != null);
    this.handlers = handlers;
  }

  private ReentrantLock lock() {
    return queue.scope.lock();
  }

  private HandlerRunner runner(Handlers called) {
    HandlerRunner made = runner;
    if (made == null) {
      made = new HandlerRunner(queue, called);
      runner = made;
    }
    return made;
  }

  /** Whether a handler names where arrays go, which may be a sink of any size. */
  boolean namesTargets() {
    return handlers != null && handlers.targets() != null;
  }

  /** Has the handler do what there is to do, if there is a handler. Under the lock. */
  private void schedule() {
    if (handlers != null) {
      runner(handlers).schedule();
    }
  }

  /** From now on the peer sends no more than it is allowed. Under the lock. */
  void keepCredit(ReceiveCredit credit) {
    queue.keepCredit(credit);
  }

  /** It goes on with the credit of another box of the same channel. Under the lock. */
  void keepCreditOf(Inbox other) {
    queue.keepCredit(other.queue.credit());
  }

  /** Gives back what memory its queues need no more. Under the lock. */
  void trim() {
    queue.trim();
  }

  // Receive calls.

  /** What receive calls take from, unless a handler takes it. */
  ReceiveQueue toReceiveFrom() {
    if (handlers != null) {
      boolean inside = isHandlerThread();
      throw new IllegalStateException(
          MessageText.brief(
              inside
                  ? "a handler cannot receive on its own connection: the arrays come to it one after"
                      + " the other, once it returns"
                  : "this connection's arrays go to its handler; to call receive, connect or"
                      + " listen without a handler",
              "handler",
              handlers,
              "channel",
              ChannelId.fact(queue.out.id)));
    }
    return queue;
  }

  // The reading thread.

  /** Whether the next array will be lent out, so that it should not be read past its header. */
  boolean leaseIsNext() {
    PendingReceives line = queue.pending();
    return line != null && line.leaseIsNext();
  }

  /** How large the memory is that the next array is asked for into; 0 if it is not known. */
  long bytesOfNextTarget() {
    PendingReceives line = queue.pending();
    return line == null ? 0 : line.bytesOfNextTarget();
  }

  /**
   * An array begins to arrive: charges its first frame, and finds its place, unless its attributes
   * have still to be read.
   */
  InboundArray begin(FrameHeader header, ElementType type, Codec codec, long payload)
      throws ArraywireException {
    lock().lock();
    try {
      return begun(header, type, codec, payload);
    } finally {
      lock().unlock();
    }
  }

  /** As {@link #begin(FrameHeader, ElementType, Codec, long)}, under the lock. */
  InboundArray begun(FrameHeader header, ElementType type, Codec codec, long payload)
      throws ArraywireException {
    InboundArray array = queue.next();
    ReceiveCredit credit = queue.credit();
    credit.begins(array, FrameLayout.ARRAY_COST + header.attributeBytes, payload);
    array.begins(type, ArrayChecks.count(header), header.sequence, queue.out.id, header.arrayBytes);
    array.encoding = codec.encoding().name();
    if (header.attributeBytes == 0) {
      array.tagged(header.tag);
      place(array, codec);
    }
    return array;
  }

  /** An array begins to arrive in plain mode. */
  InboundArray begin(ElementType type, int count, long sequence, long bytes) {
    lock().lock();
    try {
      InboundArray array = queue.next();
      array.begins(type, count, sequence, queue.out.id, bytes);
      array.encoding = Encoding.RAW_BIG_ENDIAN.name();
      return array;
    } finally {
      lock().unlock();
    }
  }

  /** An array goes on: charges a further frame of it. */
  void goOn(InboundArray array, long payload) throws ArraywireException {
    lock().lock();
    try {
      queue.credit().goesOn(array, payload);
    } finally {
      lock().unlock();
    }
  }

  /**
   * Finds a place for an array that has begun; returns false if there is none yet, so that reading
   * has to stop until {@link Link#resumeReading()}.
   */
  boolean admit(InboundArray array, Codec codec) throws ArraywireException {
    lock().lock();
    try {
      if (array.uncharged > 0) {
        queue.credit().beginsWith(array, array.uncharged);
        array.uncharged = 0;
      }
      return place(array, codec);
    } finally {
      lock().unlock();
    }
  }

  private boolean place(InboundArray array, Codec codec) throws ArraywireException {
    try {
      if (queue.credit().isLimited()) {
        Placement.place(queue, handlers, array, codec);
      } else {
        HandlerRunner asked = handlers == null ? null : runner(handlers);
        queue.parked = !Placement.placeWithoutCredit(queue, handlers, asked, array, codec);
      }
    } catch (OutOfMemoryError e) {
      // It is not arriving yet, so nobody else gives back what it has taken.
      array.sink.discard();
      throw Failures.noMemoryFor(array.header(), e);
    }
    if (queue.parked) {
      queue.current = null;
      return false;
    }
    queue.current = array;
    if (array.needsTarget && queue.isEmpty()) {
      schedule();
    } else if (runner != null) {
      runner.othersCome();
    }
    queue.credit().settle();
    return true;
  }

  /** An array has come whole. */
  void complete(InboundArray array) {
    Runnable then;
    lock().lock();
    try {
      then = completed(array);
    } finally {
      lock().unlock();
    }
    if (then != null) {
      then.run();
    }
  }

  /** As {@link #complete}, under the lock; returns what to do without it, or null. */
  @Nullable Runnable completed(InboundArray array) {
    if (array.outOfTurn) {
      return completedOutOfTurn(array);
    }
    if (queue.complete(array)) {
      schedule();
    }
    return null;
  }

  private @Nullable Runnable completedOutOfTurn(InboundArray array) {
    InboundScope scope = queue.scope;
    Runnable then = null;
    queue.current = null;
    queue.credit().settle();
    if (array.envelope.reply() != 0) {
      then = scope.requests().replied(array);
    } else if (array.refusal != null) {
      ArraywireException refusal = array.refusal;
      scope.queueRejected(queue.out, array.sequence(), refusal);
      scope.events().rejected(ChannelId.seen(queue.out.id), array.sequence(), false, refusal);
      long request = array.envelope.request();
      then =
          () -> scope.handlerLog().refused(queue.out.id, array.sequence(), request, refusal, true);
    }
    boolean isReply = array.envelope.reply() != 0;
    queue.processedOutOfTurn(array.sequence(), isReply);
    if (isReply) {
      queue.pool().giveBack(array);
    }
    return then;
  }

  /** The sender took back the array that was arriving. */
  void aborted(InboundArray array) {
    lock().lock();
    try {
      if (array.outOfTurn || array.reply != null) {
        queue.scope.requests().aborted(array);
      }
      queue.aborted(array);
    } finally {
      lock().unlock();
    }
    array.sink.discard();
  }

  /** Whether the peer has credit to go on with an array. Under the lock. */
  boolean allowsMore(long bytesLeft) {
    return queue.credit().allowsMore(bytesLeft);
  }

  // The end.

  /** Nothing more will come. What is here already can still be taken. */
  void end(ArraywireException cause, boolean failure) {
    lock().lock();
    try {
      if (queue.end(cause, failure)) {
        schedule();
      }
    } finally {
      lock().unlock();
    }
  }

  /** This side closes: receive calls get nothing more, a handler everything that still comes. */
  void closing(ArraywireException cause) {
    lock().lock();
    try {
      if (handlers == null) {
        end(cause, false);
        drop();
      }
    } finally {
      lock().unlock();
    }
    resume();
  }

  /** This side has had enough of what it subscribed to. */
  void closeSubscription(ArraywireException cause) {
    end(cause, false);
    drop();
    resume();
  }

  /** Wakes the reading thread if it waits for what has just changed. */
  private void resume() {
    boolean wasParked;
    lock().lock();
    try {
      wasParked = queue.parked;
    } finally {
      lock().unlock();
    }
    if (wasParked) {
      queue.scope.link().resumeReading();
    }
  }

  /** This side has closed: nobody gets anything any more. */
  void drop() {
    lock().lock();
    try {
      queue.drop();
      if (runner != null) {
        runner.forgetTarget();
      }
    } finally {
      lock().unlock();
    }
  }

  /**
   * Drops the arrays that nobody has taken: there is no memory for them any more. Later receives
   * fail with the cause, even if the connection had ended in order.
   */
  void dropUntaken(ArraywireException cause) {
    lock().lock();
    try {
      if (!queue.isEmpty()) {
        queue.clear();
        queue.end = cause;
        queue.endIsFailure = true;
      }
    } finally {
      lock().unlock();
    }
  }

  /**
   * The connection broke and another one goes on with its session. Drops what receive calls have
   * not taken yet: the peer sends it again.
   */
  void superseded() {
    lock().lock();
    try {
      if (handlers == null && !queue.isSubscribed()) {
        queue.clear();
      }
    } finally {
      lock().unlock();
    }
  }

  /** The reading thread is done; what it was filling is no longer in use. */
  void disposed() {
    lock().lock();
    try {
      queue.disposed();
      if (runner != null) {
        runner.forgetTarget();
      }
    } finally {
      lock().unlock();
    }
  }

  boolean isEnded() {
    lock().lock();
    try {
      return queue.end != null;
    } finally {
      lock().unlock();
    }
  }

  /** Whether nothing will come of it any more, the handler's last call included. Under the lock. */
  boolean isSpent() {
    return queue.end != null
        && (handlers == null ? queue.isEmpty() : runner != null && runner.isOver());
  }

  /** What calls the handler, once there was something to call it with. Under the lock. */
  @Nullable HandlerRunner runner() {
    return runner;
  }

  /** The thread in which the handler is called; null while it is not. Under the lock. */
  @Nullable Thread handlerThread() {
    return runner == null ? null : runner.thread();
  }

  /** Whether the caller is this connection's handler. */
  boolean isHandlerThread() {
    lock().lock();
    try {
      return Thread.currentThread().equals(handlerThread());
    } finally {
      lock().unlock();
    }
  }

  ConnectionLoad load() {
    return queue.load();
  }

  String describe() {
    PendingReceives pending = queue.pending();
    Long credit = queue.peersCredit();
    return "channel="
        + ChannelId.fact(queue.out.id)
        + ", arraysTaken="
        + queue.arraysTaken()
        + ", waitingArrays="
        + queue.load().waitingArrays()
        + ", waitingBytes="
        + queue.readyBytes
        + ", waitingReceivers="
        + (pending == null ? 0 : pending.size())
        + (credit == null ? "" : ", peersCredit=" + credit)
        + (queue.parked ? ", reading stopped until an array is taken" : "");
  }
}
