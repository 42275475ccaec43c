package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * What the peer may send on one channel: charged with each frame of an array, given back as arrays
 * are taken. What counts on the channel counts on the connection, too. Guarded by the connection's
 * lock.
 */
final class ReceiveCredit extends Credit {
  private final InboundScope scope;
  private final OutboundChannel channel;
  private final ConnectionCredit all;

  /** Says whether the window is large enough, once much has come. */
  private @Nullable WindowSample sample;

  /** What the handler of this channel has, whether the queue still has it or not. */
  private @Nullable InboundArray inHand;

  /** The credit of a channel; the peer is told of more by way of its outgoing half. */
  ReceiveCredit(InboundScope scope, OutboundChannel channel, long window, ConnectionCredit all) {
    super(window);
    this.scope = scope;
    this.channel = channel;
    this.all = all;
  }

  ConnectionCredit ofConnection() {
    return all;
  }

  private InboxBudget inboxes() {
    return scope.context().inboxBudget();
  }

  /**
   * Charges a frame that carries a part of an array.
   *
   * @throws ProtocolException if the peer was not allowed to send as much; nothing is charged
   * @throws NoRoomException if all inboxes together hold too much for this connection to take more
   */
  private void charge(long cost) throws ProtocolException, NoRoomException {
    if (!allows(cost) || !all.allows(cost)) {
      throw new ProtocolException(
          ErrorCode.CREDIT_EXCEEDED,
          "the peer sent more than it was allowed to",
          "channel",
          ChannelId.fact(channel.id),
          "bytes",
          cost,
          "allowed",
          leftOfBoth());
    }
    received(cost);
    all.received(cost);
    if (all.isOverBudget()) {
      throw refusal();
    }
  }

  /** Charges the first frame of an array, which has no place yet. */
  void begins(InboundArray array, long overhead, long payload)
      throws ProtocolException, NoRoomException {
    charge(overhead + payload);
    array.charged = overhead + payload;
    array.payloadCharged = payload;
  }

  /** Charges the first frame of a message, whose table has been read. It has no place yet. */
  void beginsWith(InboundArray array, long payload) throws ProtocolException, NoRoomException {
    charge(payload);
    array.charged += payload;
    array.payloadCharged += payload;
  }

  /** Charges a further frame of an array. */
  void goesOn(InboundArray array, long payload) throws ProtocolException, NoRoomException {
    beginsWith(array, payload);
    if (array.held) {
      holds(payload);
      all.holds(payload);
      budget(array, array.inboxCost(false));
    } else {
      wants(-payload);
      all.wants(-payload);
      if (array.budgeted > 0) {
        // It is for a handler.
        budget(array, array.inboxCost(true));
      }
    }
  }

  private void holds(InboundArray array, int sign) {
    holds(sign * array.charged);
    all.holds(sign * array.charged);
    budget(array, sign > 0 ? array.inboxCost(false) : 0);
  }

  /** The array takes so much of the budget that all connections share. */
  private void budget(InboundArray array, long bytes) {
    long more = bytes - array.budgeted;
    if (more == 0) {
      return;
    }
    if (array.inHand && more < 0) {
      // Before: it may be counted elsewhere, and is to be given back here.
      all.inHand(more);
    }
    all.charges(more, inboxes(), scope, scope.context().runtime());
    array.budgeted = bytes;
    if (array.inHand && more > 0) {
      all.inHand(more);
    }
  }

  private void wants(InboundArray array, int sign) {
    long rest = array.encodedBytes - array.payloadCharged;
    wants(sign * rest);
    all.wants(sign * rest);
  }

  /** An array has its place. */
  void count(InboundArray array, boolean held) {
    array.held = held;
    if (held) {
      holds(array, 1);
    } else {
      wants(array, 1);
      measure(array);
    }
  }

  /**
   * An array in plain mode has its place, and waits there or is for a handler. It is counted whole,
   * before its bytes come.
   *
   * @param held whether nobody has asked for it
   * @throws NoRoomException if all inboxes together hold too much for this connection to take more
   */
  void keeps(InboundArray array, boolean held) throws NoRoomException {
    array.charged = array.inboxBytes();
    array.payloadCharged = array.encodedBytes;
    if (held) {
      count(array, true);
    } else {
      handles(array);
    }
    if (all.isOverBudget()) {
      NoRoomException refusal = refusal();
      // It does not arrive, so nobody else gives back what it was charged.
      uncount(array);
      array.sink.discard();
      throw refusal;
    }
  }

  private NoRoomException refusal() {
    return inboxes().refusal(all.heldOfBudget(), "channel", ChannelId.fact(channel.id));
  }

  // The window, which grows where the peer would wait for credit for as long as a round trip takes.

  /** Whether a larger window could help: it is not what nobody has taken that holds up the peer. */
  private boolean mayGrow() {
    return window() < all.window() && held() <= window() / 2;
  }

  /**
   * Somebody wants an array; if it is large, or little credit is left, looks how large the window
   * should be.
   */
  private void measure(InboundArray array) {
    if ((array.encodedBytes < window() / 2 && left() >= window() / 4) || !mayGrow()) {
      return;
    }
    WindowSample begun = sample;
    if (begun == null) {
      begun = new WindowSample();
      sample = begun;
    }
    int from = begun.begin(received(), scope.context().runtime().nanoTime());
    if (from != 0) {
      scope.queueControl(ControlFrames.ping(tag(channel.id, from)));
    }
  }

  private static long tag(int channel, int from) {
    return ((long) channel << Integer.SIZE) | Integer.toUnsignedLong(from);
  }

  /** The channel that a PONG was asked for by. */
  static int channelOf(long tag) {
    return (int) (tag >>> Integer.SIZE);
  }

  /** A PONG has come for this channel; returns whether it was asked for. */
  boolean measured(long tag) {
    WindowSample open = sample;
    long came = open == null ? -1 : open.end((int) tag, received());
    if (open == null || came < 0) {
      return false;
    }
    if (came >= window() / 3 * 2 && mayGrow()) {
      window(Math.min(all.window(), Math.max(window(), 2 * came)));
      open.looksAgain();
      scope.grant(channel, grant(), all.grant());
    } else {
      open.holds(scope.context().runtime().nanoTime());
    }
    return true;
  }

  private long firstWindow() {
    return scope.flow().channelCredit();
  }

  /** The connection is at rest: the window is what it was at first. */
  void trim() {
    if (sample != null) {
      sample = null;
      window(firstWindow());
    }
    all.trim();
  }

  /**
   * Somebody has asked for an array that is here or arriving.
   *
   * @param byHandler whether it is a handler
   */
  void want(InboundArray array, boolean byHandler) {
    if (array.held) {
      array.held = false;
      holds(-array.charged);
      all.holds(-array.charged);
      wants(array, 1);
      measure(array);
    }
    budget(array, byHandler ? array.inboxCost(true) : 0);
  }

  /**
   * An array that begins is for a handler. It counts until the handler has returned, since a peer
   * may have one in hand on each channel.
   */
  void handles(InboundArray array) {
    budget(array, array.inboxCost(true));
  }

  /** A handler has got an array: from here on nobody can drop it. */
  void inHand(InboundArray array) {
    array.inHand = true;
    inHand = array;
    all.inHand(array.budgeted);
    limitsHands(array);
  }

  /** Refuses an array in hand if handlers have in hand all that there is room for. */
  void limitsHands(InboundArray array) {
    ArrivalShare limit = array.limited && array.inHand ? arrivals() : null;
    if (limit != null && array.refusal == null && !all.handsOver(limit)) {
      array.refusal = limit.budget.refusal(limit, array.encodedBytes, array.budgeted);
    }
  }

  /**
   * The task that called the handler is over, whatever the handler had in hand. If the queue has
   * dropped that before, nobody but this gives its memory back.
   *
   * @param first what the queue has first, or null
   */
  void lost(@Nullable InboundArray first) {
    InboundArray array = inHand;
    if (array == null) {
      return;
    }
    array.inHand = false;
    all.inHand(-array.budgeted);
    inHand = null;
    if (array != first) {
      array.sink.discard();
      budget(array, 0);
    }
  }

  /**
   * What limits the memory of arrays that no handler has named a target for; null if nothing does.
   * A handler gets every array in the end. Other arrays have no limit here: one that nobody
   * receives would be counted for ever.
   */
  @Nullable ArrivalShare arrivals() {
    ArrivalBudget budget = scope.context().arrivals();
    return budget == null ? null : all.arrivals(budget);
  }

  /** The handler has returned, or will not be called. */
  void handled(InboundArray array) {
    budget(array, 0);
    if (array == inHand) {
      inHand = null;
    }
  }

  /** The receive that had asked for the array that is arriving no longer wants it. */
  void unwant(InboundArray array) {
    if (!array.held) {
      array.held = true;
      wants(array, -1);
      holds(array, 1);
    }
  }

  /** An array is no longer here, or will not come. */
  void uncount(InboundArray array) {
    handled(array);
    if (array.held) {
      array.held = false;
      holds(array, -1);
    } else {
      wants(array, -1);
    }
    array.charged = 0;
    array.payloadCharged = array.encodedBytes;
  }

  /** What the peer may still send. */
  long leftOfBoth() {
    return Math.min(left(), all.left());
  }

  /**
   * Whether the peer has credit to go on with an array of which so many bytes are to come. It may
   * wait for no more than half of the smaller first credit.
   */
  boolean allowsMore(long bytesLeft) {
    return leftOfBoth() >= Math.min(bytesLeft, Math.min(firstWindow(), all.window()) / 2);
  }

  @Override
  void settle() {
    if (isDue() || all.isDue()) {
      scope.grant(channel, grant(), all.grant());
    }
    all.settled(this);
  }
}
