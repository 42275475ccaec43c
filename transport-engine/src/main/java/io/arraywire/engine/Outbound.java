package io.arraywire.engine;

import io.arraywire.NoRoomException;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.wire.FlowOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of a connection. It puts together three parts: the queue, what the peer allows
 * and has acknowledged, and the batch that is written next.
 *
 * <p>The parts are guarded by the connection's lock. A batch is made by the writing thread alone.
 */
final class Outbound {
  final OutboundScope scope;
  final SendQueue queue;
  final SendCredit credit = new SendCredit();
  final Acknowledgements acknowledgements;
  final ControlQueue control = new ControlQueue();
  private final ReentrantLock lock;

  // Guarded by the lock, as the parts are.

  /** Requests made and taken that are not answered; the goodbye waits for them. */
  int openRequests;

  /** How arrays are written, once the two sides have agreed. */
  private volatile @Nullable ArrayWriter arrays;

  /** What is being written; an idle connection has none. The writing thread's. */
  private @Nullable OutputBatch batch;

  /** What is being made; set under the lock. */
  private volatile @Nullable BatchPlan making;

  /** Arrays to be used again, once there was one. */
  private volatile @Nullable OutboundArrayPool pool;

  /** Looks after what waits, once something did. */
  private @Nullable SendWatch watch;

  /** Whether the batch is not written whole, as far as the other threads are to know. */
  private volatile boolean batchRemains;

  /** Whether everything, the last frame included, is written. */
  private volatile boolean ended;

  // The writing thread's.

  private int writes;

  /** Whether the last write has left nothing to be written. */
  private boolean writtenAll;

  /**
   * Whether the batch holds no array, and nothing was left beside it when it was planned. False
   * once it is asked for again: that may have answered a wake-up for what came since.
   */
  private boolean plannedAll;

  /** Guarded by the lock. */
  private long arraysSent;

  // Written by the writing thread alone, for any thread.

  private volatile long bytesSent;

  /**
   * Those of them that were written with parts of arrays or answers to some, not alone. May
   * overflow: only changes of it matter, and an idle connection is small.
   */
  private volatile int movedBytes;

  Outbound(OutboundScope scope) {
    this.scope = scope;
    lock = scope.lock();
    queue = new SendQueue(scope, credit, control);
    acknowledgements = new Acknowledgements(scope.events());
  }

  /** The two sides have agreed. Under the lock. */
  void agreed(ArrayWriter writerOfArrays, FlowOffer flowOfPeer) {
    arrays = writerOfArrays;
    credit.agreed(flowOfPeer);
    queue.channels().forEach(credit::begin);
  }

  /** What chooses whether arrays are compressed; null where nothing does. */
  @Nullable BlockChoice choice() {
    ArrayWriter agreed = arrays;
    return agreed == null ? null : agreed.choice();
  }

  /** How arrays are written. */
  ArrayWriter arrays() {
    ArrayWriter agreed = arrays;
    if (agreed == null) {
      throw new IllegalStateException("arrays before the handshake is over");
    }
    return agreed;
  }

  // Handing in, under the lock.

  /** What brings an array out; it is not accepted yet. */
  OutboundArray array(
      OutboundChannel channel,
      ArraySource source,
      Codec codec,
      SendOptions options,
      byte[] attributes,
      long encodedBytes) {
    OutboundArrayPool free = pool;
    if (free == null) {
      free = new OutboundArrayPool(scope.context());
      pool = free;
    }
    OutboundArray array = free.take();
    if (array == null) {
      array = new OutboundArray(channel, source, codec, options, attributes, encodedBytes);
    } else {
      array.reuse(channel, source, codec, options, attributes, encodedBytes);
    }
    if (scope.events().timesSends()) {
      array.acceptedAt = System.nanoTime() | 1;
    }
    return array;
  }

  /** Takes back an array that went well, or was never accepted. Any thread. */
  void giveBack(OutboundArray array) {
    array.clear();
    OutboundArrayPool free = pool;
    if (free != null) {
      free.giveBack(array);
    }
  }

  /** Accepts an array if there is room for it. */
  boolean accept(OutboundArray array) {
    boolean accepted = queue.accept(array);
    if (accepted) {
      watch();
    }
    return accepted;
  }

  /** Counts the array of a caller that does not wait. Gives it back if there is no room for it. */
  void hold(OutboundArray array) throws NoRoomException {
    HeldArrays counted = scope.heldArrays();
    if (counted == null) {
      return;
    }
    try {
      counted.take(array.source.bytes(), array.channel.id);
    } catch (NoRoomException e) {
      giveBack(array);
      throw e;
    }
    array.holder = counted;
  }

  /** Gives back an array that was counted and is not accepted. */
  void giveBackHeld(OutboundArray array) {
    HeldArrays counted = array.holder;
    if (counted != null) {
      counted.giveBack(array.source.bytes());
    }
    giveBack(array);
  }

  /** Accepts an array now, or as soon as there is room for it. */
  void acceptInTurn(OutboundArray array) {
    queue.acceptInTurn(array);
    watch();
  }

  /** Has somebody look after what waits. */
  void watch() {
    SendWatch looks = watch;
    if (looks == null) {
      looks = new SendWatch(this);
      watch = looks;
    }
    looks.begin();
  }

  /** Nobody looks after what waits any more. */
  void stopWatching() {
    if (watch != null) {
      watch.end();
    }
  }

  /** Whether no more than one array is in flight: none that the peer is about to acknowledge. */
  boolean isAlone() {
    return queue.queuedArrays() <= 1 && !acknowledgements.isMissingSome();
  }

  // Taking back, any thread.

  /**
   * Takes an array back; returns how far it had got. From its return on nobody touches the caller's
   * array any more.
   */
  OutboundArray.Progress withdraw(OutboundArray array) {
    OutboundArray.Progress progress;
    lock.lock();
    try {
      progress = array.withdraw();
      awaitMade(array);
      if (progress == OutboundArray.Progress.NOT_BEGUN) {
        queue.remove(array);
      } else if (progress == OutboundArray.Progress.PARTLY_FRAMED) {
        // The peer has to be told, credit or not.
        queue.list(array.channel);
      } else {
        acknowledgements.forget(array);
      }
    } finally {
      lock.unlock();
    }
    array.saveArrayDirect();
    OpenedSource.close(array.source);
    if (progress == OutboundArray.Progress.NOT_BEGUN) {
      array.releaseCopy();
    }
    return progress;
  }

  /** Takes an array back unless its first frame is planned; returns whether it did. */
  boolean withdrawUnlessBegun(OutboundArray array) {
    lock.lock();
    try {
      return array.sequence == 0 && withdraw(array) == OutboundArray.Progress.NOT_BEGUN;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no frame of an array is being made. Under the lock, which it may let go. */
  private void awaitMade(OutboundArray array) {
    BatchPlan plan = making;
    if (plan != null && plan.isMaking(array)) {
      plan.awaitMade(lock, scope.context().runtime(), () -> !isMaking(array));
    }
  }

  private boolean isMaking(OutboundArray array) {
    BatchPlan plan = making;
    return plan != null && plan.isMaking(array);
  }

  // The writing thread.

  /** The batch being written, or a new one, or null if there is nothing to write. */
  @Nullable OutputBatch next() {
    OutputBatch next = batch;
    plannedAll = false;
    if (next != null && next.remaining() > 0) {
      return next;
    }
    ArrayWriter agreed = arrays;
    lock.lock();
    try {
      queue.admitAll();
      OutboundChannel turn = agreed == null ? null : queue.turn(agreed.chunkBytes());
      if (isDrained()) {
        control.drained(owing() != null);
      }
      if (turn == null && control.isEmpty() && owing() == null) {
        // Heartbeats need it often, and for a short time.
        control.trim();
        ended |= control.isLastQueued();
      } else {
        if (next == null) {
          next = scope.context().batches().take();
          batch = next;
        }
        batchRemains = BatchWriter.plan(this, next, agreed, isSmall(turn, agreed));
        making = batchRemains ? next.plan() : null;
        plannedAll = batchRemains && !next.plan().hasArrays() && hasNothingElse();
        if (plannedAll) {
          // As above, where nobody may come to now.
          control.trim();
        }
      }
    } finally {
      lock.unlock();
    }
    if (next == null || making == null) {
      release();
      return null;
    }
    do {
      make(next, agreed);
    } while (planMore(next.plan(), agreed));
    return next;
  }

  private void make(OutputBatch next, @Nullable ArrayWriter agreed) {
    try {
      BatchWriter.make(scope.context(), scope.link(), next, agreed);
    } finally {
      making = null;
      next.plan().tellMade(lock);
    }
    BrokenSources.giveUp(scope, queue, credit, acknowledgements, next.plan());
  }

  /** Plans more of a batch that is not full; returns whether there is more. */
  private boolean planMore(BatchPlan plan, @Nullable ArrayWriter agreed) {
    if (!plan.isRoundOver() || plan.isFull()) {
      return false;
    }
    plannedAll = false;
    lock.lock();
    try {
      making = BatchWriter.planMore(this, plan, agreed) ? plan : null;
    } finally {
      lock.unlock();
    }
    return making != null;
  }

  private boolean isSmall(@Nullable OutboundChannel turn, @Nullable ArrayWriter agreed) {
    if (turn == null || agreed == null) {
      return true;
    }
    OutboundArray array = turn.queue.element();
    return (queue.queuedArrays() == 1 && array.encodedBytes < scope.context().smallBatchBytes() / 2)
        || agreed.isArrayDirect(array, scope.link());
  }

  /** The channel that has owed something longest; the peer needs nothing behind the last frame. */
  @Nullable OutboundChannel owing() {
    OutboundChannel first = acknowledgements.firstOwing();
    return control.isLastQueued() ? null : first;
  }

  private boolean isDrained() {
    return queue.isEmpty() && !acknowledgements.isMissingSome() && openRequests == 0;
  }

  /** Notes that bytes were written; returns a chain of the arrays that are done by that. */
  @Nullable OutboundArray wrote(long count) {
    OutputBatch batch = made();
    OutboundArray whole = batch.wrote(count, ++writes);
    note(count, batch.movesArrays());
    if (plannedAll && batch.remaining() == 0) {
      // An answer or a heartbeat, whole in one write. What came since it was planned has woken the
      // writer, which has yet to answer that.
      batchRemains = false;
      writtenAll = true;
      return null;
    }
    OutboundArray first = null;
    OutboundArray last = null;
    lock.lock();
    try {
      batchRemains = batch.remaining() > 0;
      while (whole != null) {
        OutboundArray array = whole;
        whole = array.next;
        array.next = null;
        arraysSent++;
        array.handedOff = true;
        queue.written(array);
        scope.events().sent(array);
        if (array.acknowledged) {
          scope.events().acknowledged(array);
        }
        if (!array.isToBeAcknowledged() || array.acknowledged) {
          if (last == null) {
            first = array;
          } else {
            last.next = array;
          }
          last = array;
        }
      }
      writtenAll = !batchRemains && hasNothingElse();
      if (writtenAll) {
        // As in next(), which nobody may come to now.
        control.trim();
      }
    } finally {
      lock.unlock();
    }
    return first;
  }

  private void note(long count, boolean ofArrays) {
    long sentBefore = bytesSent;
    bytesSent = sentBefore + count;
    if (ofArrays) {
      int movedBefore = movedBytes;
      movedBytes = movedBefore + (int) count;
    }
  }

  private OutputBatch made() {
    OutputBatch last = batch;
    if (last == null) {
      throw new IllegalStateException("no batch was made");
    }
    return last;
  }

  /** Whether nothing is queued at all. Under the lock. */
  private boolean hasNothingElse() {
    return control.isEmpty()
        && !queue.hasTurns()
        && acknowledgements.owesNothing()
        && !control.saysGoodbye()
        && !control.isLastQueued()
        // What other connections give back of the budget may let go on what waits here.
        && queue.waitingArrays() == 0;
  }

  /**
   * Whether nothing was left when {@link #wrote} was last called. What came since has woken the
   * writer, which has yet to answer that. Gives the batch's memory back if so.
   */
  boolean hasWrittenAll() {
    if (writtenAll) {
      release();
    }
    return writtenAll;
  }

  /** How many nanoseconds ago the channel was full, if the last write told. Its thread's. */
  long takeFull() {
    OutputBatch last = batch;
    return last == null ? LinkRate.NEVER : last.takeFull();
  }

  /** Gives back what batches are made with. */
  void release() {
    OutputBatch used = batch;
    if (used != null) {
      batch = null;
      used.release();
      used.blocks.rest();
      scope.context().batches().giveBack(used);
    }
  }

  /** Completes the arrays of a chain. Any thread, without the lock. */
  void complete(@Nullable OutboundArray chain) {
    for (OutboundArray array = chain; array != null; ) {
      OutboundArray following = array.next;
      array.next = null;
      if (array.complete(scope.context().completions())) {
        giveBack(array);
      }
      array = following;
    }
  }

  // The end, under the lock.

  /** Whether everything, the last frame included, is written. Any thread. */
  boolean isEnded() {
    return ended;
  }

  /** Everything that is not done, which the caller fails. */
  List<OutboundArray> drop() {
    List<OutboundArray> all = new ArrayList<>();
    acknowledgements.drop(queue.channels(), all);
    queue.drop(all);
    control.drop();
    return all;
  }

  /** Gives back what memory its parts need no more: the connection is at rest. */
  void trim() {
    pool = null;
    queue.trim();
    control.trim();
    acknowledgements.trim(queue.channels());
  }

  // Looks.

  /** Under the lock. */
  long arraysSent() {
    return arraysSent;
  }

  /** Whether there are bytes that the channel does not take. */
  boolean isStuck() {
    return batchRemains;
  }

  /** What was written since the beginning. */
  long bytesSent() {
    return bytesSent;
  }

  /** Changes when something of an array, or of an answer to one, is written; not by heartbeats. */
  int movedBytes() {
    return movedBytes;
  }
}
