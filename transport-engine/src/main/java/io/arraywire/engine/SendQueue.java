package io.arraywire.engine;

import io.arraywire.ProtocolException;
import io.arraywire.spi.BackPressure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of a connection that wait to be sent: for room in the queue of their channel, then for
 * their turn. Guarded by the connection's lock.
 */
final class SendQueue {
  private final ConnectionScope scope;
  private final SendCredit credit;
  private final ControlQueue control;

  /**
   * The channel that was opened first, which knows the next one. Each idle connection would pay 24
   * bytes for a list of its only channel.
   */
  private @Nullable OutboundChannel first;

  /**
   * Those that have something to send and, as far as is known, may; each gets one frame in turn.
   */
  private LazyQueue<OutboundChannel> turns = LazyQueue.empty();

  /** Whole in frames, and not yet all written. */
  private LazyQueue<OutboundArray> writing = LazyQueue.empty();

  /** Accepted, and not yet whole in frames. */
  private int queuedArrays;

  /** How many arrays wait for room in a queue. */
  private int waitingArrays;

  /** What this connection has taken of the budget; null while it needs none. */
  private @Nullable BudgetShare share;

  SendQueue(ConnectionScope scope, SendCredit credit, ControlQueue control) {
    this.scope = scope;
    this.credit = credit;
    this.control = control;
  }

  /** All channels, in a list that is the caller's. */
  List<OutboundChannel> channels() {
    List<OutboundChannel> all = new ArrayList<>(1);
    for (OutboundChannel each = first; each != null; each = each.next) {
      all.add(each);
    }
    return all;
  }

  OutboundChannel open(int id) {
    OutboundChannel channel = new OutboundChannel(id);
    credit.begin(channel);
    OutboundChannel last = first;
    if (last == null) {
      first = channel;
      return channel;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = channel;
    return channel;
  }

  int queuedArrays() {
    return queuedArrays;
  }

  int waitingArrays() {
    return waitingArrays;
  }

  boolean isEmpty() {
    return queuedArrays == 0 && waitingArrays == 0;
  }

  // Room.

  /** Whether an array that takes up so much would be accepted now. */
  boolean mayAccept(OutboundChannel channel, long bytes) {
    // What others hold of the budget does not hold up this channel: it has nothing to go on with.
    if (!hasRoom(channel, bytes)) {
      return false;
    }
    boolean left = share == null || share.isEmpty() || budget().has(bytes);
    if (!left) {
      heldUp(channel, BackPressure.Cause.SEND_QUEUE);
    }
    return left;
  }

  /** Accepts an array if there is room for it. */
  boolean accept(OutboundArray array) {
    if (!hasRoom(array.channel, array.queueBytes()) || !takesShare(array, false)) {
      return false;
    }
    queue(array);
    return true;
  }

  /** Accepts an array now, or as soon as there is room for it; returns whether it was now. */
  boolean acceptInTurn(OutboundArray array) {
    OutboundChannel channel = array.channel;
    channel.waiting = channel.waiting.plus(array);
    waitingArrays++;
    admit(channel);
    if (channel.waiting.isEmpty()) {
      return true;
    }
    heldUp(channel, BackPressure.Cause.SEND_QUEUE);
    return false;
  }

  /** Accepts as many waiting arrays as there is room for. */
  private void admit(OutboundChannel channel) {
    for (OutboundArray array = channel.waiting.peek();
        array != null
            && hasRoomInChannel(channel, array.queueBytes())
            && hasRoomForWaiting(array)
            && takesShare(array, true);
        array = channel.waiting.peek()) {
      channel.waiting.remove();
      waitingArrays--;
      queue(array);
    }
  }

  /** The same on all channels: other connections may have given back what was missing here. */
  void admitAll() {
    if (waitingArrays > 0) {
      for (OutboundChannel each = first; each != null; each = each.next) {
        admit(each);
      }
    }
  }

  /** Whether a channel has room for an array, and none waits before it. */
  boolean hasRoom(OutboundChannel channel, long bytes) {
    boolean room = channel.waiting.isEmpty() && hasRoomInChannel(channel, bytes);
    if (!room) {
      heldUp(channel, BackPressure.Cause.SEND_QUEUE);
    }
    return room;
  }

  private boolean hasRoomInChannel(OutboundChannel channel, long bytes) {
    return channel.queuedBytes == 0 || channel.queuedBytes + bytes <= limit(channel);
  }

  private long limit(OutboundChannel channel) {
    return Math.min(channel.queueLimit, scope.context().options().sendQueueBytes());
  }

  private boolean hasRoomForWaiting(OutboundArray array) {
    if (!array.published || hasRoomForPublished(array.queueBytes())) {
      return true;
    }
    // Before it is asked again, or what is given back meanwhile would wake nobody.
    budget().await(scope.link());
    return hasRoomForPublished(array.queueBytes());
  }

  /** Whether what waits for all subscriptions of the peer leaves room for a published array. */
  boolean hasRoomForPublished(long bytes) {
    return share == null || share.hasRoomFor(bytes, scope.context().options().sendQueueBytes());
  }

  // What all connections share.

  private MemoryBudget budget() {
    return scope.context().budget();
  }

  private BudgetShare share() {
    BudgetShare own = share;
    if (own == null) {
      own = new BudgetShare(budget());
      share = own;
    }
    return own;
  }

  /**
   * Charges an array to the budget that all connections share; returns false if it has too little
   * left. The only array of a connection is taken in any case, so that other connections cannot
   * bring this one to a standstill.
   *
   * @param await whether the link hears of it as soon as the budget has room again
   */
  boolean takesShare(OutboundArray array, boolean await) {
    BudgetShare own = share();
    long charge = Bookkeeping.charge(budget(), array);
    boolean took = true;
    if (own.isEmpty()) {
      own.takeAnyway(charge);
    } else {
      took = await ? own.takeOrAwait(charge, scope.link()) : own.take(charge);
    }
    if (took) {
      array.charge = charge;
    } else {
      heldUp(array.channel, BackPressure.Cause.SEND_QUEUE);
    }
    return took;
  }

  // Turns.

  /** Accepts an array that has its share of the budget. */
  void queue(OutboundArray array) {
    if (array.published) {
      share().publishes(array.queueBytes());
    }
    CompletableFuture<Void> accepted = array.accepted;
    if (accepted != null) {
      accepted.complete(null);
    }
    OutboundChannel channel = array.channel;
    channel.queuedBytes += array.queueBytes();
    channel.queue = channel.queue.plus(array);
    queuedArrays++;
    list(channel);
  }

  /** A channel may go on, if it has something to go on with. */
  void list(OutboundChannel channel) {
    if (!channel.listed && !channel.queue.isEmpty()) {
      channel.listed = true;
      turns = turns.plus(channel);
    }
  }

  /** The peer allows more; returns whether that changed anything. */
  boolean allowed(OutboundChannel channel, long onChannel, long onConnection)
      throws ProtocolException {
    long before = credit.allowed();
    boolean changed = credit.allow(channel, onChannel, onConnection);
    OutboundArray oldest = channel.queue.peek();
    if (changed && oldest != null) {
      oldest.movedAt = scope.context().runtime().nanoTime();
    }
    if (credit.allowed() > before) {
      for (OutboundChannel each = first; each != null; each = each.next) {
        list(each);
      }
    } else {
      list(channel);
    }
    return changed;
  }

  boolean hasTurns() {
    return !turns.isEmpty();
  }

  /** The channel whose turn it is to send a frame, and that may; null if there is none. */
  @Nullable OutboundChannel turn(int chunkBytes) {
    for (OutboundChannel channel = turns.peek(); channel != null; channel = turns.peek()) {
      skipWithdrawn(channel);
      boolean empty = channel.queue.isEmpty();
      if (!empty && credit.mayContinue(channel, chunkBytes)) {
        goesOn(channel, BackPressure.Cause.CREDIT);
        return channel;
      }
      if (!empty) {
        heldUp(channel, BackPressure.Cause.CREDIT);
      }
      // Back in line when it is given an array or credit.
      turns.remove();
      channel.listed = false;
    }
    return null;
  }

  /** A channel has had its turn: the others come first. */
  void next(OutboundChannel channel) {
    if (turns.size() > 1 && turns.remove(channel)) {
      turns = turns.plus(channel);
    }
  }

  private void skipWithdrawn(OutboundChannel channel) {
    // A withdrawn array of which a frame is out needs an ABORT frame; see BatchWriter.
    for (OutboundArray array = channel.queue.peek();
        array != null && array.sequence == 0 && array.isWithdrawn();
        array = channel.queue.peek()) {
      giveUpFirst(channel);
    }
  }

  /** Forgets the first array of a channel, which was withdrawn. */
  void giveUpFirst(OutboundChannel channel) {
    queuedArrays--;
    OutboundArray array = channel.queue.remove();
    leave(array);
    array.releaseCopy();
  }

  /** The first array of a channel is whole in frames. */
  void framed(OutboundArray array) {
    OutboundChannel channel = array.channel;
    channel.queue.remove();
    queuedArrays--;
    array.framed = true;
    writing = writing.plus(array);
    sayLast(channel);
  }

  /** The kernel took the last byte of an array. */
  void written(OutboundArray array) {
    writing.remove(array);
    leave(array);
  }

  /** An array no longer takes room in the queue. */
  private void leave(OutboundArray array) {
    OutboundChannel channel = array.channel;
    if (channel.dropped) {
      return;
    }
    channel.queuedBytes -= array.queueBytes();
    share().giveBack(array.charge);
    if (array.published) {
      share().publishes(-array.queueBytes());
      // They may wait for what all subscriptions together take.
      admitAll();
    }
    if (channel.queue.isEmpty()) {
      goesOn(channel, BackPressure.Cause.CREDIT);
    }
    admit(channel);
    if (channel.waiting.isEmpty() && channel.queuedBytes <= limit(channel) / 2) {
      goesOn(channel, BackPressure.Cause.SEND_QUEUE);
    }
    sayLast(channel);
  }

  /** Takes back an array of which there is no frame yet. */
  void remove(OutboundArray array) {
    OutboundChannel channel = array.channel;
    if (channel.queue.remove(array)) {
      queuedArrays--;
      leave(array);
    } else {
      waitingArrays -= channel.waiting.remove(array) ? 1 : 0;
      sayLast(channel);
    }
  }

  /**
   * Queues a control frame behind the arrays that are queued on a channel. Returns false if there
   * are more of them than a peer that reads would leave.
   */
  boolean queueBehind(OutboundChannel channel, byte[] frame) {
    channel.last = frame;
    sayLast(channel);
    return !control.isOverfull();
  }

  private void sayLast(OutboundChannel channel) {
    byte[] last = channel.last;
    if (last != null && channel.queue.isEmpty() && channel.waiting.isEmpty()) {
      channel.last = null;
      control.queueAnyway(last);
    }
  }

  private void heldUp(OutboundChannel channel, BackPressure.Cause cause) {
    scope.events().heldUp(channel, cause);
  }

  private void goesOn(OutboundChannel channel, BackPressure.Cause cause) {
    scope.events().goesOn(channel, cause);
  }

  // The end.

  /** Gives back memory that it needs no more. */
  void trim() {
    if (share != null) {
      share.trim();
      share = share.isEmpty() ? null : share;
    }
    turns = turns.trimmed();
    writing = writing.trimmed();
    for (OutboundChannel channel = first; channel != null; channel = channel.next) {
      channel.waiting = channel.waiting.trimmed();
      channel.queue = channel.queue.trimmed();
    }
  }

  /** Forgets everything that is not written, and adds it to a list. */
  void drop(List<OutboundArray> all) {
    all.addAll(writing);
    for (OutboundChannel channel = first; channel != null; channel = channel.next) {
      all.addAll(channel.queue);
      all.addAll(channel.waiting);
      channel.queue.clear();
      channel.waiting.clear();
      channel.queuedBytes = 0;
      channel.last = null;
      channel.listed = false;
      channel.dropped = true;
      goesOn(channel, BackPressure.Cause.SEND_QUEUE);
      goesOn(channel, BackPressure.Cause.CREDIT);
    }
    if (share != null) {
      share.end();
    }
    writing.clear();
    turns.clear();
    queuedArrays = 0;
    waitingArrays = 0;
  }
}
