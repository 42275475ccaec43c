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
  /** The program keeps up while no more than this part of the window waits for it. */
  private static final int DRAINED_PART = 8;

  /** A peer that has less than this part of the window left is about to wait, if it does not. */
  private static final int WAITING_PART = 4;

  private final InboundScope scope;
  private final OutboundChannel channel;
  private final ConnectionCredit all;

  /** What is known of the window, once it was looked at. */
  private @Nullable WindowGrowth growth;

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
      throw inboxes().refusal("channel", ChannelId.fact(channel.id));
    }
  }

  /** Charges the first frame of an array, which has no place yet. */
  void begins(InboundArray array, long overhead, long payload)
      throws ProtocolException, NoRoomException {
    charge(overhead + payload);
    array.charged = overhead + payload;
    array.payloadCharged = payload;
  }

  /** Charges a further frame of an array. */
  void goesOn(InboundArray array, long payload) throws ProtocolException, NoRoomException {
    charge(payload);
    array.charged += payload;
    array.payloadCharged += payload;
    if (array.held) {
      holdsMore(payload);
    } else {
      wants(-payload);
      all.wants(-payload);
    }
  }

  private void holds(InboundArray array, int sign) {
    holdsMore(sign * array.charged);
  }

  private void holdsMore(long bytes) {
    holds(bytes);
    all.holds(bytes, inboxes(), scope, scope.context().runtime());
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
    }
  }

  /**
   * An array in plain mode has its place, and nobody has asked for it. It is counted whole, before
   * its bytes come.
   *
   * @throws NoRoomException if all inboxes together hold too much for this connection to take more
   */
  void keeps(InboundArray array) throws NoRoomException {
    array.charged = array.inboxBytes();
    array.payloadCharged = array.encodedBytes;
    count(array, true);
    if (all.isOverBudget()) {
      throw inboxes().refusal();
    }
  }

  // The window, which grows where the peer waits for credit and the program does not.

  /**
   * The peer is told that it may send more: looks whether it has to wait for that. Where the
   * program is behind, it is right that the peer waits.
   *
   * @param allowedBefore what the peer was allowed to send so far
   */
  private void look(long allowedBefore) {
    if (window() >= all.window() || held() > window() / DRAINED_PART) {
      return;
    }
    WindowGrowth known = growth;
    if (known == null) {
      known = new WindowGrowth();
      growth = known;
    }
    long now = scope.context().runtime().nanoTime();
    long tag = known.looks(now) ? all.probe().begin(channel.id, received(), allowedBefore, now) : 0;
    if (tag != 0) {
      scope.queueControl(ControlFrames.ping(tag));
    }
  }

  /** A PONG has come for this channel; returns whether it was asked for. */
  boolean measured(long tag) {
    WindowGrowth known = growth;
    if (known == null || !all.probe().ends(tag)) {
      return false;
    }
    WindowProbe probe = all.probe();
    long now = scope.context().runtime().nanoTime();
    long roundTrip = probe.roundTrip(now);
    if (probe.foundPeerWaiting(received(), window() / WAITING_PART)
        && held() <= window() / 2
        && known.helps(roundTrip)) {
      window(Math.min(all.window(), 2 * window()));
      known.grew(roundTrip);
      scope.grant(channel, grant(), all.grant());
    } else {
      known.suffices(now);
    }
    return true;
  }

  private long firstWindow() {
    return scope.flow().channelCredit();
  }

  /** The connection is at rest: the window is what it was at first. */
  void trim() {
    if (growth != null) {
      growth = null;
      window(firstWindow());
    }
    all.trim();
  }

  /** Somebody has asked for an array that is here or arriving. */
  void want(InboundArray array) {
    if (array.held) {
      array.held = false;
      holds(array, -1);
      wants(array, 1);
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

  /** What the peer may still send, and the window, in words; empty where nothing limits it. */
  String describe() {
    return isLimited() ? ", peersCredit=" + leftOfBoth() + ", window=" + window() : "";
  }

  /**
   * Whether the peer has credit to go on with an array of which so many bytes are to come: it may
   * wait for no more than half of the smaller first credit.
   */
  boolean allowsMore(long bytesLeft) {
    return leftOfBoth() >= Math.min(bytesLeft, Math.min(firstWindow(), all.window()) / 2);
  }

  @Override
  void settle() {
    boolean due = isDue();
    if (due || all.isDue()) {
      long before = received() + left();
      scope.grant(channel, grant(), all.grant());
      if (due) {
        look(before);
      }
    }
    all.settled(this);
  }
}
