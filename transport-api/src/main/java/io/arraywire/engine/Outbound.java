package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.BackPressure;
import io.arraywire.ConnectionLoad;
import io.arraywire.Delivery;
import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of a connection: what waits to be sent, how it becomes frames, and what waits
 * to be acknowledged.
 *
 * <p>Queues are guarded by the connection's lock. Making frames is the writing thread's alone.
 */
final class Outbound {
  /**
   * What one batch may hold. With half of it, 64 MiB took 1.3 times as long over loopback: a
   * receiver that is done before the next write leaves the kernel's work for both to the sender.
   */
  static final int BATCH_BYTES = 512 << 10;

  /** What a batch holds when only control frames and small arrays wait. */
  static final int SMALL_BATCH_BYTES = 16 << 10;

  private static final int LARGEST_FRAME_OVERHEAD =
      FrameLayout.HEADER_BYTES + FrameLayout.MAX_ATTRIBUTE_BYTES + Encoding.MAX_PREFIX_BYTES;

  /** What may wait to be told to the peer; more only piles up before a peer that does not read. */
  private static final int MOST_CONTROL_BYTES = 1 << 20;

  /** As many small arrays as may be on their way at the same time. */
  private static final int MOST_SPARE = 16 << 10;

  private static final int FEW_SPARE = 256;

  private final ConnectionCore connection;
  private final ReentrantLock lock;

  /** What is being written; an idle connection holds none. The writing thread's. */
  private OutputBatch batch = OutputBatch.NONE;

  private LazyQueue<byte[]> control = LazyQueue.empty();
  private int controlBytes;

  /** Replaced when there is another one, so that it takes no more than one where there is one. */
  private List<OutboundChannel> channels = List.of();

  /**
   * Those that have something to send and, as far as is known, may; each gets one frame in turn.
   */
  private LazyQueue<OutboundChannel> turns = LazyQueue.empty();

  /** Those that owe the peer an acknowledgement or credit. */
  private LazyQueue<OutboundChannel> owing = LazyQueue.empty();

  /** Transfers that are done, to be used again. */
  private LazyQueue<OutboundArray> spare = LazyQueue.empty();

  /** Whole in frames, and not yet all written. */
  private LazyQueue<OutboundArray> writing = LazyQueue.empty();

  private int queuedArrays;

  /** How many arrays wait for room in a queue. */
  private int waitingArrays;

  /** What this connection has taken of the budget; null while it needs none. */
  private @Nullable BudgetShare share;

  /** Whether everything was given up. */
  private boolean dropped;

  private int unacknowledgedArrays;

  /** Requests made and taken that are not answered; the goodbye waits for them. */
  int openRequests;

  /** Whether the batch is not written whole, as far as the other threads are to know. */
  private boolean batchRemains;

  /** The pong that waits to be sent, if one does. */
  private byte @Nullable [] pong;

  /**
   * What says that no further array will come, once everything accepted is sent and acknowledged.
   */
  private byte @Nullable [] goodbye;

  /** What this side says in the handshake, once it was queued. */
  private byte @Nullable [] handshake;

  /** Whether output ends when the goodbye is out: the peer has said its own, so nothing is owed. */
  private boolean endsAfterGoodbye;

  private boolean lastFrameQueued;
  private volatile boolean ended;

  private volatile @Nullable Codec codec;
  private boolean plain;
  private boolean checksums;
  private int chunkBytes;

  /** The same for arrays that the channel takes straight from their own memory. */
  private int arrayDirectChunkBytes;

  // What the peer allows on all channels together, and what was sent of that.
  private FlowOffer peerFlow = FlowOffer.NONE;
  private long allowed = Long.MAX_VALUE;
  private long charged;

  /** How much of what was charged has been answered; see {@link EffectlessFrames#covered}. */
  private long answered;

  /** What this side allows the peer on all channels together. */
  private long granted;

  /** The writing thread's. */
  private long writes;

  /** Whether the last write has left nothing to be written. The writing thread's. */
  private boolean writtenAll;

  // What is still to be noted of the last frame of an array; the writing thread's.

  private @Nullable OutboundArray unsettled;
  private boolean aborted;
  private long saidWithFrame;

  private long arraysSent;
  private long bytesSent;

  /**
   * Those of them that were written with parts of arrays or answers to some, not alone. May
   * overflow: only changes of it matter, and an idle connection is small.
   */
  private int movedBytes;

  Outbound(ConnectionCore connection) {
    this.connection = connection;
    lock = connection.lock;
  }

  // Under the lock.

  List<OutboundChannel> channels() {
    return channels;
  }

  long arraysSent() {
    return arraysSent;
  }

  /**
   * What has waited longest of the arrays of a channel that somebody may wait for; null if nothing
   * waits. What is published waits for nobody until it finds no room.
   */
  @Nullable OutboundArray oldest(OutboundChannel channel) {
    OutboundArray queued = channel.queue.peek();
    if (queued != null && (!queued.published || !channel.waiting.isEmpty())) {
      return queued;
    }
    OutboundArray waiting = channel.waiting.peek();
    return waiting == null ? channel.unacknowledged.peek() : waiting;
  }

  /** What the oldest array of a channel waits for. */
  SendStall stall(OutboundChannel channel) {
    if (channel.queue.isEmpty()) {
      return channel.waiting.isEmpty() ? SendStall.PROCESSING : SendStall.MEMORY;
    }
    if (!mayContinue(channel)) {
      return channel.allowed - channel.charged <= allowed - charged
          ? SendStall.CREDIT
          : SendStall.CONNECTION_CREDIT;
    }
    return batchRemains ? SendStall.CHANNEL : SendStall.TURN;
  }

  private void beginWatch() {
    connection.watchSends();
  }

  OutboundChannel open(int id) {
    OutboundChannel channel = new OutboundChannel(id);
    if (peerFlow.hasCredit()) {
      channel.allowed = peerFlow.channelCredit();
    }
    List<OutboundChannel> more = new ArrayList<>(channels);
    more.add(channel);
    channels = List.copyOf(more);
    return channel;
  }

  void agreed(
      Codec sendCodec,
      boolean plainMode,
      boolean withChecksums,
      int bytesPerChunk,
      int bytesPerArrayDirectChunk,
      FlowOffer flowOfPeer) {
    codec = sendCodec;
    plain = plainMode;
    checksums = withChecksums;
    chunkBytes = bytesPerChunk;
    arrayDirectChunkBytes = bytesPerArrayDirectChunk;
    peerFlow = flowOfPeer;
    if (peerFlow.hasCredit()) {
      allowed = peerFlow.connectionCredit();
      channels.forEach(channel -> channel.allowed = peerFlow.channelCredit());
    }
  }

  /** Whether an array that takes up so much would be accepted now. */
  boolean mayAccept(OutboundChannel channel, long bytes) {
    // What others hold of the budget does not hold up this channel: it has nothing to go on with.
    if (!hasChannelRoom(channel, bytes)) {
      return false;
    }
    boolean left = share == null || share.isEmpty() || connection.context.budget().has(bytes);
    if (!left) {
      connection.watch.heldUp(channel, BackPressure.Cause.SEND_QUEUE);
    }
    return left;
  }

  /** Accepts an array if there is room for it. */
  boolean accept(OutboundChannel channel, OutboundArray transfer) {
    if (!hasChannelRoom(channel, transfer.queueBytes()) || !takesShare(transfer, false)) {
      return false;
    }
    queue(channel, transfer);
    return true;
  }

  private boolean hasRoomInChannel(OutboundChannel channel, long bytes) {
    return channel.queuedBytes == 0 || channel.queuedBytes + bytes <= limit(channel);
  }

  private long limit(OutboundChannel channel) {
    return Math.min(channel.queueLimit, connection.context.options().sendQueueBytes());
  }

  /**
   * Takes what an array needs of what all connections share; returns false if there is too little.
   * The first array of a connection needs no more than the connection, or it would stand still for
   * the others.
   */
  boolean takesShare(OutboundArray transfer, boolean await) {
    BudgetShare own = share();
    long charge = Bookkeeping.charge(connection.context.budget(), transfer);
    boolean took = true;
    if (own.isEmpty()) {
      own.takeAnyway(charge);
    } else {
      took = await ? own.takeOrAwait(charge, connection.link) : own.take(charge);
    }
    if (took) {
      transfer.charge = charge;
    } else {
      connection.watch.heldUp(transfer.channel, BackPressure.Cause.SEND_QUEUE);
    }
    return took;
  }

  private BudgetShare share() {
    BudgetShare own = share;
    if (own == null) {
      own = new BudgetShare(connection.context.budget());
      share = own;
    }
    return own;
  }

  /** Whether what waits for all subscriptions of the peer leaves room for a published array. */
  boolean hasRoomForPublished(long bytes) {
    return share == null || share.hasRoomFor(bytes, connection.context.options().sendQueueBytes());
  }

  /** How many arrays wait for room in a queue. */
  int waitingArrays() {
    return waitingArrays;
  }

  /** Accepts an array now, or as soon as there is room for it. */
  void acceptInTurn(OutboundChannel channel, OutboundArray transfer) {
    channel.waiting = channel.waiting.plus(transfer);
    waitingArrays++;
    admit(channel);
    if (!channel.waiting.isEmpty()) {
      connection.watch.heldUp(channel, BackPressure.Cause.SEND_QUEUE);
      beginWatch();
    }
  }

  /** Accepts of those who wait as many as there is room for. */
  private void admit(OutboundChannel channel) {
    while (!channel.waiting.isEmpty()
        && hasRoomInChannel(channel, channel.waiting.element().queueBytes())
        && hasRoomForWaiting(channel.waiting.element())
        && takesShare(channel.waiting.element(), true)) {
      waitingArrays--;
      queue(channel, channel.waiting.remove());
    }
  }

  private boolean hasRoomForWaiting(OutboundArray transfer) {
    if (!transfer.published || hasRoomForPublished(transfer.queueBytes())) {
      return true;
    }
    // Before it is asked again, or what is given back meanwhile would wake nobody.
    connection.context.budget().await(connection.link);
    return hasRoomForPublished(transfer.queueBytes());
  }

  /** Whether a channel has room for an array, and none waits before it. */
  boolean hasChannelRoom(OutboundChannel channel, long bytes) {
    boolean room = channel.waiting.isEmpty() && hasRoomInChannel(channel, bytes);
    if (!room) {
      connection.watch.heldUp(channel, BackPressure.Cause.SEND_QUEUE);
    }
    return room;
  }

  /** Accepts an array that has its share of the budget. */
  void queue(OutboundChannel channel, OutboundArray transfer) {
    if (transfer.published) {
      share().publishes(transfer.queueBytes());
    }
    CompletableFuture<Void> accepted = transfer.accepted;
    if (accepted != null) {
      accepted.complete(null);
    }
    channel.queuedBytes += transfer.queueBytes();
    channel.queue = channel.queue.plus(transfer);
    queuedArrays++;
    list(channel);
    beginWatch();
  }

  private void list(OutboundChannel channel) {
    if (!channel.listed && !channel.queue.isEmpty()) {
      channel.listed = true;
      turns = turns.plus(channel);
    }
  }

  /** An array no longer takes room in the queue. */
  private void leave(OutboundArray transfer) {
    OutboundChannel channel = transfer.channel;
    if (dropped) {
      return;
    }
    channel.queuedBytes -= transfer.queueBytes();
    share().giveBack(transfer.charge);
    if (transfer.published) {
      share().publishes(-transfer.queueBytes());
      if (waitingArrays > 0) {
        // They may wait for what all subscriptions together take.
        channels.forEach(this::admit);
      }
    }
    if (channel.queue.isEmpty()) {
      connection.watch.goesOn(channel, BackPressure.Cause.CREDIT);
    }
    admit(channel);
    if (channel.waiting.isEmpty() && channel.queuedBytes <= limit(channel) / 2) {
      connection.watch.goesOn(channel, BackPressure.Cause.SEND_QUEUE);
    }
    sayLast(channel);
  }

  /** Gives back what memory its queues need no more. Under the lock. */
  void trim() {
    spare = LazyQueue.empty();
    if (share != null) {
      share.trim();
      share = share.isEmpty() ? null : share;
    }
    control = control.trimmed();
    turns = turns.trimmed();
    owing = owing.trimmed();
    writing = writing.trimmed();
    for (OutboundChannel channel : channels) {
      channel.waiting = channel.waiting.trimmed();
      channel.queue = channel.queue.trimmed();
      channel.unacknowledged = channel.unacknowledged.trimmed();
    }
  }

  /** The published array that was queued first of those of which no byte has left. */
  @Nullable OutboundArray oldestPublished(OutboundChannel channel) {
    for (OutboundArray transfer : channel.queue) {
      if (transfer.published && transfer.sequence == 0) {
        return transfer;
      }
    }
    return null;
  }

  /** Every published array that is not whole in frames. */
  List<OutboundArray> published(OutboundChannel channel) {
    List<OutboundArray> all = new ArrayList<>(channel.queue);
    all.addAll(channel.waiting);
    all.removeIf(transfer -> !transfer.published);
    return all;
  }

  /**
   * Queues a control frame behind the arrays that are queued on a channel; returns false if there
   * are more of them than a peer that reads would leave.
   */
  boolean queueBehind(OutboundChannel channel, byte[] frame) {
    channel.last = frame;
    sayLast(channel);
    return controlBytes <= MOST_CONTROL_BYTES;
  }

  private void sayLast(OutboundChannel channel) {
    byte[] last = channel.last;
    if (last != null && channel.queue.isEmpty() && channel.waiting.isEmpty()) {
      channel.last = null;
      if (!lastFrameQueued) {
        control = control.plus(last);
        controlBytes += last.length;
      }
    }
  }

  void queueHandshake(byte[] message) {
    handshake = message;
    queueControl(message);
  }

  /** Queues a frame; returns whether there was room for it. */
  boolean queueControl(byte[] frame) {
    if (lastFrameQueued) {
      return true;
    }
    if (controlBytes + frame.length > MOST_CONTROL_BYTES) {
      return false;
    }
    control = control.plus(frame);
    controlBytes += frame.length;
    return true;
  }

  /** Queues the answer to a ping, in place of one that is still waiting. */
  boolean queuePong(byte[] frame) {
    byte[] waiting = pong;
    if (waiting != null) {
      System.arraycopy(frame, 0, waiting, 0, frame.length);
      return true;
    }
    pong = frame;
    return queueControl(frame);
  }

  @SuppressWarnings("ReferenceEquality") // It is the very frame that is meant.
  private byte @Nullable [] takeControl(int room) {
    byte[] first = control.peek();
    if (first == null || first.length > room) {
      return null;
    }
    control.remove();
    controlBytes -= first.length;
    if (first == pong) {
      pong = null;
    }
    if (first == handshake) {
      handshake = null;
    }
    return first;
  }

  /** Queues what ends the stream; nothing is queued after it. */
  void queueLast(byte @Nullable [] frame) {
    if (frame != null && !lastFrameQueued) {
      control = control.plus(frame);
    }
    lastFrameQueued = true;
  }

  /** Says goodbye when everything that was accepted is sent and acknowledged. */
  void closeWhenDrained(byte[] goodbyeFrame) {
    if (goodbye == null) {
      goodbye = goodbyeFrame;
    }
  }

  /** Ends when the goodbye is out and nothing else waits. */
  void endAfterGoodbye() {
    endsAfterGoodbye = true;
  }

  /** Whether an acknowledgement or credit is due; the peer needs none once nothing follows it. */
  private boolean owesAnything() {
    while (!owing.isEmpty() && !owing.element().owes()) {
      owing.remove().owing = false;
    }
    return !owing.isEmpty() && !lastFrameQueued;
  }

  private void owe(OutboundChannel channel) {
    if (!channel.owing && channel.owes()) {
      channel.owing = true;
      owing = owing.plus(channel);
    }
  }

  private void goodbyeIfDrained() {
    if (goodbye != null && drained() && !lastFrameQueued) {
      if (goodbye.length > 0) {
        control = control.plus(goodbye);
        controlBytes += goodbye.length;
        goodbye = new byte[0];
      }
      // Acknowledgements may still follow until the peer has said goodbye, too.
      lastFrameQueued = endsAfterGoodbye && control.isEmpty() && !owesAnything();
    }
  }

  private boolean drained() {
    return queuedArrays == 0
        && unacknowledgedArrays == 0
        && openRequests == 0
        && waitingArrays == 0;
  }

  /** What the end of the connection has waited for in vain, for who has to know. */
  String missing() {
    if (queuedArrays > 0 || batchRemains) {
      return "the peer did not read everything in time; what it had not read may be lost";
    }
    if (unacknowledgedArrays > 0) {
      return Drain.NOT_ACKNOWLEDGED;
    }
    if (openRequests > 0) {
      return "not every request was answered in time; nothing else is missing";
    }
    return "the peer did not say goodbye in time; what it had not read may be lost";
  }

  boolean hasUnacknowledged() {
    return unacknowledgedArrays > 0;
  }

  /** Whether no more than one array is on its way: none that the peer is about to acknowledge. */
  boolean isAlone() {
    return queuedArrays <= 1 && unacknowledgedArrays == 0;
  }

  boolean isLastFrameQueued() {
    return lastFrameQueued;
  }

  /** Whether somebody waits for the peer to have processed an array, sent or not. */
  boolean awaitsAcknowledgement() {
    return hasUnacknowledged()
        || channels.stream()
            .anyMatch(channel ->
                channel.queue.stream()
                    .anyMatch(transfer -> transfer.options.delivery() == Delivery.PROCESSED));
  }

  /** Whether everything, the last frame included, is written. */
  boolean isEnded() {
    return ended;
  }

  /** What was written since the beginning, and whether the rest waits for the peer to read. */
  long bytesSent() {
    return bytesSent;
  }

  /** Changes when something of an array, or of an answer to one, is written; not by heartbeats. */
  int movedBytes() {
    return movedBytes;
  }

  /** Whether there are bytes that the channel does not take. */
  boolean isStuck() {
    return batchRemains;
  }

  void processed(OutboundChannel channel, long sequence) {
    channel.processed = Math.max(channel.processed, sequence);
    owe(channel);
  }

  /**
   * This side allows the peer more, on a channel and on all of them, in bytes since the beginning.
   */
  void grant(OutboundChannel channel, long onChannel, long onConnection) {
    granted = onConnection;
    channel.granted = onChannel;
    if (channel.granted == channel.grantedSaid) {
      // Only the connection has more: said on this channel all the same.
      channel.grantedSaid--;
    }
    owe(channel);
  }

  /** The peer has its first credit from the handshake. */
  void grantedInHandshake(OutboundChannel channel, long onChannel, long onConnection) {
    channel.granted = onChannel;
    channel.grantedSaid = onChannel;
    granted = Math.max(granted, onConnection);
  }

  /** The peer allows more; returns whether that changed anything. */
  boolean allowed(OutboundChannel channel, long onChannel, long onConnection)
      throws UnexpectedFrameException {
    if (onChannel < channel.allowed || onConnection < allowed) {
      throw new UnexpectedFrameException(
          "credit that was given was taken back",
          "channel",
          channel.id,
          "channelCredit",
          Long.toUnsignedString(onChannel),
          "before",
          channel.allowed,
          "connectionCredit",
          Long.toUnsignedString(onConnection),
          "connectionBefore",
          allowed);
    }
    boolean changed = onChannel > channel.allowed || onConnection > allowed;
    channel.allowed = onChannel;
    if (onConnection > allowed) {
      allowed = onConnection;
      channels.forEach(this::list);
    } else {
      list(channel);
    }
    return changed;
  }

  /** An ACK or CREDIT has come; returns whether the arrays that were sent account for it. */
  boolean coversAnswer() {
    // Charged by the writing thread, which has had the lock since, before it wrote.
    long window = peerFlow.hasCredit() ? peerFlow.connectionCredit() : Long.MAX_VALUE;
    long covered = EffectlessFrames.covered(answered, charged, window);
    if (covered == EffectlessFrames.NOT_COVERED) {
      return false;
    }
    answered = covered;
    return true;
  }

  /** The peer has processed arrays. Returns a chain of those that are done by that. */
  @Nullable OutboundArray acknowledged(OutboundChannel channel, long sequence)
      throws UnexpectedFrameException {
    if (sequence < 0 || sequence > channel.lastSequence) {
      throw new UnexpectedFrameException(
          "an acknowledgement of an array that was not sent",
          "acknowledged",
          sequence,
          "sent",
          channel.lastSequence);
    }
    OutboundArray first = null;
    OutboundArray last = null;
    while (!channel.unacknowledged.isEmpty()
        && channel.unacknowledged.element().sequence <= sequence) {
      OutboundArray transfer = channel.unacknowledged.remove();
      unacknowledgedArrays--;
      transfer.acknowledged = true;
      // The peer can be faster than the writing thread, which has yet to note what it wrote.
      if (transfer.handedOff) {
        connection.watch.acknowledged(transfer);
        if (last == null) {
          first = transfer;
        } else {
          last.next = transfer;
        }
        last = transfer;
      }
    }
    return first;
  }

  /** The full number of which a header carried the low 32 bits. */
  long widen(OutboundChannel channel, int low) {
    long base =
        channel.unacknowledged.isEmpty()
            ? channel.lastSequence
            : channel.unacknowledged.element().sequence;
    return base + (low - (int) base);
  }

  /** The peer refuses an array; returns its transfer if somebody waits for it. */
  @Nullable OutboundArray rejected(OutboundChannel channel, long sequence)
      throws UnexpectedFrameException {
    if (sequence < 1
        || sequence > channel.lastSequence
        || ++channel.rejections > channel.lastSequence) {
      throw new UnexpectedFrameException(
          "a refusal of an array that was not sent, or of one that was refused before",
          "refused",
          sequence,
          "sent",
          channel.lastSequence);
    }
    for (Iterator<OutboundArray> i = channel.unacknowledged.iterator(); i.hasNext(); ) {
      OutboundArray transfer = i.next();
      if (transfer.sequence == sequence) {
        i.remove();
        unacknowledgedArrays--;
        return transfer;
      }
    }
    return null;
  }

  /** Takes back an array of which there is no frame yet. */
  void remove(OutboundArray transfer) {
    if (transfer.channel.queue.remove(transfer)) {
      queuedArrays--;
      leave(transfer);
    } else {
      waitingArrays -= transfer.channel.waiting.remove(transfer) ? 1 : 0;
      sayLast(transfer.channel);
    }
  }

  /** A withdrawn array of which a frame is out has to be told of, credit or not. */
  void withdrawn(OutboundArray transfer) {
    list(transfer.channel);
  }

  /** Everything that is not done, which the caller fails. */
  @SuppressWarnings("ReferenceEquality") // It is the very message that is meant.
  List<OutboundArray> drop() {
    List<OutboundArray> all = new ArrayList<>();
    for (OutboundChannel channel : channels) {
      all.addAll(channel.unacknowledged);
      channel.unacknowledged.clear();
    }
    all.addAll(writing);
    for (OutboundChannel channel : channels) {
      all.addAll(channel.queue);
      all.addAll(channel.waiting);
      channel.queue.clear();
      channel.waiting.clear();
      channel.queuedBytes = 0;
      channel.last = null;
      channel.listed = false;
      connection.watch.goesOn(channel, BackPressure.Cause.SEND_QUEUE);
      connection.watch.goesOn(channel, BackPressure.Cause.CREDIT);
    }
    dropped = true;
    if (share != null) {
      share.end();
    }
    waitingArrays = 0;
    writing.clear();
    turns.clear();
    queuedArrays = 0;
    unacknowledgedArrays = 0;
    // An error frame is understood behind the handshake only.
    byte[] first = control.peek();
    control.clear();
    controlBytes = 0;
    pong = null;
    if (first != null && first == handshake) {
      control = control.plus(first);
      controlBytes = first.length;
    }
    return all;
  }

  ConnectionLoad load() {
    return new ConnectionLoad(
        queuedArrays + waitingArrays,
        channels.stream().mapToLong(channel -> channel.queuedBytes).sum(),
        unacknowledgedArrays,
        0,
        0,
        openRequests);
  }

  String describe() {
    StringBuilder all =
        new StringBuilder("arraysSent=")
            .append(arraysSent)
            .append(", bytesSent=")
            .append(bytesSent)
            .append(", queuedArrays=")
            .append(queuedArrays)
            .append(", unacknowledgedArrays=")
            .append(unacknowledgedArrays);
    for (OutboundChannel channel : channels) {
      if (channel.queuedBytes > 0) {
        all.append(", queuedBytes[channel ").append(channel.id).append("]=");
        all.append(channel.queuedBytes);
      }
      if (peerFlow.hasCredit()) {
        all.append(", creditLeft[channel ").append(channel.id).append("]=");
        all.append(Math.min(channel.allowed - channel.charged, allowed - charged));
      }
      if (!channel.waiting.isEmpty()) {
        all.append(", the queue is full: waitingSends[channel ").append(channel.id).append("]=");
        all.append(channel.waiting.size());
      }
      if (!channel.queue.isEmpty() && !mayContinue(channel)) {
        all.append(", channel ").append(channel.id).append(" waits for credit");
      }
    }
    return all.toString();
  }

  // The writing thread.

  /** The batch being written, or a new one, or null if there is nothing to write. */
  @Nullable OutputBatch next() {
    if (batch.remaining() > 0) {
      return batch;
    }
    boolean nothing;
    boolean small;
    lock.lock();
    try {
      if (waitingArrays > 0) {
        // Other connections may have given back what was missing here.
        channels.forEach(this::admit);
      }
      OutboundChannel turn = turn();
      goodbyeIfDrained();
      nothing = control.isEmpty() && turn == null && !owesAnything();
      small =
          turn == null
              || (queuedArrays == 1
                  && turn.queue.element().encodedBytes < connection.context.smallBatchBytes() / 2)
              || isArrayDirect(turn.queue.element());
      if (nothing) {
        // Heartbeats need it often, and for a short time.
        control = control.trimmed();
        ended |= lastFrameQueued;
      }
    } finally {
      lock.unlock();
    }
    if (nothing) {
      release();
      return null;
    }
    fill(small);
    if (batch.isEmpty() && small) {
      // What made it small was withdrawn meanwhile, and something large stands behind it.
      fill(false);
    }
    if (batch.isEmpty()) {
      release();
      return null;
    }
    return batch;
  }

  /** Notes that bytes were written; returns a chain of the transfers that are done by that. */
  @Nullable OutboundArray wrote(long count) {
    OutboundArray whole = batch.wrote(count, ++writes);
    OutboundArray first = null;
    OutboundArray last = null;
    lock.lock();
    try {
      bytesSent += count;
      movedBytes += batch.movesArrays() ? (int) count : 0;
      batchRemains = batch.remaining() > 0;
      while (whole != null) {
        OutboundArray transfer = whole;
        whole = transfer.next;
        transfer.next = null;
        arraysSent++;
        transfer.handedOff = true;
        writing.remove(transfer);
        leave(transfer);
        connection.watch.sent(transfer);
        if (transfer.acknowledged) {
          connection.watch.acknowledged(transfer);
        }
        if (transfer.options.delivery() != Delivery.PROCESSED || transfer.acknowledged) {
          if (last == null) {
            first = transfer;
          } else {
            last.next = transfer;
          }
          last = transfer;
        }
      }
      writtenAll = !batchRemains && hasNothingElse();
      if (writtenAll) {
        // As in next(), which nobody may come to now.
        control = control.trimmed();
      }
    } finally {
      lock.unlock();
    }
    return first;
  }

  /** Whether nothing is queued at all. Under the lock. */
  private boolean hasNothingElse() {
    return control.isEmpty()
        && turns.isEmpty()
        && owing.isEmpty()
        && goodbye == null
        && !lastFrameQueued
        // What other connections give back of the budget may let go on what waits here.
        && waitingArrays == 0;
  }

  /**
   * Whether nothing was left when {@link #wrote} was last called. What came since has woken the
   * writer, who has yet to answer that. Gives the batch's memory back if so.
   */
  boolean hasWrittenAll() {
    if (writtenAll) {
      release();
    }
    return writtenAll;
  }

  // Transfers that are used again.

  /** A transfer for an array, not accepted yet. */
  OutboundArray transfer(
      OutboundChannel channel,
      ArraySlice slice,
      SendOptions options,
      byte[] attributes,
      long encodedBytes) {
    OutboundArray transfer;
    lock.lock();
    try {
      transfer = spare.isEmpty() ? null : spare.remove();
    } finally {
      lock.unlock();
    }
    if (transfer == null) {
      return new OutboundArray(channel, slice, options, attributes, encodedBytes);
    }
    transfer.reuse(channel, slice, options, attributes, encodedBytes);
    return transfer;
  }

  /**
   * Takes back a transfer that went well and that nobody else knows any more. One that failed or
   * was withdrawn may be known to a thread that is about to find out, and is left to the collector.
   */
  void giveBack(OutboundArray transfer) {
    transfer.clear();
    giveBackAll(transfer);
  }

  /** The same with a chain of them, which are cleared. */
  private void giveBackAll(OutboundArray chain) {
    lock.lock();
    try {
      long room = mostSpare() - spare.size();
      for (OutboundArray transfer = chain; transfer != null && room > 0; room--) {
        OutboundArray following = transfer.next;
        transfer.next = null;
        spare = spare.plusFirst(transfer);
        transfer = following;
      }
    } finally {
      lock.unlock();
    }
  }

  /** No more than wait to be sent at the same time, where a budget does not say what that is. */
  private long mostSpare() {
    boolean budgeted = connection.context.hasSetBudget();
    long queued = connection.context.options().sendQueueBytes() / FrameLayout.ARRAY_COST;
    return Math.min(budgeted ? FEW_SPARE : MOST_SPARE, Math.max(1, queued));
  }

  /** Completes the transfers of a chain, for who waits for them. Without the lock. */
  void complete(@Nullable OutboundArray chain) {
    OutboundArray free = null;
    for (OutboundArray transfer = chain; transfer != null; ) {
      OutboundArray following = transfer.next;
      transfer.next = null;
      if (transfer.complete(connection.context.completions())) {
        transfer.clear();
        transfer.next = free;
        free = transfer;
      }
      transfer = following;
    }
    if (free != null) {
      giveBackAll(free);
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very batch that is meant.
  void release() {
    if (batch != OutputBatch.NONE) {
      batch.release();
      connection.context.batches().giveBack(batch);
      batch = OutputBatch.NONE;
    }
  }

  /** The channel whose turn it is to send a frame, and that may; null if there is none. */
  private @Nullable OutboundChannel turn() {
    while (!turns.isEmpty()) {
      OutboundChannel channel = turns.element();
      skipWithdrawn(channel);
      boolean empty = channel.queue.isEmpty();
      if (!empty && mayContinue(channel)) {
        connection.watch.goesOn(channel, BackPressure.Cause.CREDIT);
        return channel;
      }
      if (!empty) {
        connection.watch.heldUp(channel, BackPressure.Cause.CREDIT);
      }
      // Back in line when it is given an array or credit.
      turns.remove();
      channel.listed = false;
    }
    return null;
  }

  private void skipWithdrawn(OutboundChannel channel) {
    // A withdrawn array of which a frame is out needs an ABORT frame; see fill.
    while (!channel.queue.isEmpty()
        && channel.queue.element().sequence == 0
        && channel.queue.element().isWithdrawn()) {
      queuedArrays--;
      OutboundArray transfer = channel.queue.remove();
      leave(transfer);
      transfer.releaseCopy();
    }
  }

  private boolean mayContinue(OutboundChannel channel) {
    OutboundArray transfer = channel.queue.element();
    if (transfer.isWithdrawn() || !peerFlow.hasCredit()) {
      return true;
    }
    // Not in ever smaller pieces: the peer gives credit when half of it is used up.
    long half = Math.min(peerFlow.channelCredit(), peerFlow.connectionCredit()) / 2;
    long wanted = transfer.overhead() + Math.min(transfer.bytesLeft(), chunkBytes);
    return credit(channel) >= Math.min(wanted, half);
  }

  private long credit(OutboundChannel channel) {
    return Math.min(channel.allowed - channel.charged, allowed - charged);
  }

  @SuppressWarnings("ReferenceEquality") // It is the very batch that is meant.
  private void fill(boolean small) {
    if (batch == OutputBatch.NONE) {
      batch = connection.context.batches().take();
    }
    MemoryKind kind = codec == null ? MemoryKind.HEAP : codec.traits().staging();
    boolean fits =
        small == (batch.holdsMemory() && batch.capacity() < connection.context.batchBytes());
    if (batch.holdsMemory() && (!fits || kind != batch.kind())) {
      batch.release();
    }
    int staging =
        small
            ? connection.context.smallBatchBytes()
            : Math.max(connection.context.batchBytes(), chunkBytes + LARGEST_FRAME_OVERHEAD);
    batch.begin(connection.context.pool(), kind, staging, connection.link.space(staging));
    boolean full = false;
    while (true) {
      OutboundChannel turn;
      OutboundArray transfer;
      long credit;
      long acknowledge = 0;
      lock.lock();
      try {
        settle();
        turn = full || batch.isFull() || !appendControl() ? null : turn();
        if (turn == null) {
          batchRemains = batch.remaining() > 0;
          return;
        }
        transfer = turn.queue.element();
        credit = credit(turn);
        if (turn.processed != turn.processedSaid && !lastFrameQueued) {
          acknowledge = turn.processed;
        }
      } finally {
        lock.unlock();
      }
      full = !appendElements(turn, transfer, credit, acknowledge);
      unsettled = full ? null : transfer;
    }
  }

  /**
   * Appends what goes before arrays: control frames, acknowledgements and credit. Returns whether
   * there is room for more. Under the lock.
   */
  private boolean appendControl() {
    while (!batch.isFull()) {
      byte[] bytes = takeControl(batch.space().remaining());
      if (bytes != null) {
        batch.appendBytes(bytes);
      } else if (!control.isEmpty()) {
        return false;
      } else if (owesAnything()) {
        OutboundChannel first = owing.element();
        // An acknowledgement alone rides on the next frame of its channel, if one goes out now.
        if (first.granted == first.grantedSaid && first.equals(turn())) {
          return true;
        }
        appendOwed(first);
      } else {
        return true;
      }
    }
    return false;
  }

  /**
   * Notes for the other threads what the last frame of an array changed: with the lock that is
   * needed anyhow to find out what comes next. Under the lock.
   */
  private void settle() {
    OutboundArray transfer = unsettled;
    if (transfer == null) {
      return;
    }
    unsettled = null;
    OutboundChannel channel = transfer.channel;
    if (saidWithFrame != 0) {
      channel.processedSaid = saidWithFrame;
      saidWithFrame = 0;
    }
    if (transfer.isFramed() || aborted) {
      aborted = false;
      finished(transfer);
    }
    // Others have their turn after one frame.
    if (turns.size() > 1 && turns.remove(channel)) {
      turns = turns.plus(channel);
    }
  }

  private void appendOwed(OutboundChannel channel) {
    boolean credit = channel.granted != channel.grantedSaid;
    FrameHeader header = batch.beginFrame(credit ? FrameType.CREDIT : FrameType.ACK, 0);
    header.channel = channel.id;
    if (credit) {
      header.tag = channel.granted;
      header.count = granted;
      channel.grantedSaid = channel.granted;
      if (channel.processed != channel.processedSaid) {
        header.flags |= FrameLayout.FLAG_ACKNOWLEDGES;
        header.acknowledged = (int) channel.processed;
      }
    } else {
      header.sequence = channel.processed;
    }
    channel.processedSaid = channel.processed;
    batch.putHeader();
    batch.endFrame(null, FrameLayout.HEADER_BYTES);
  }

  /** What arrays are encoded with. */
  Codec codec() {
    Codec agreed = codec;
    if (agreed == null) {
      throw new IllegalStateException("arrays before the handshake is over");
    }
    return agreed;
  }

  /** Appends a frame of an array, or returns false if the batch has no room for it. */
  private boolean appendElements(
      OutboundChannel channel, OutboundArray transfer, long credit, long acknowledge) {
    synchronized (transfer) {
      if (transfer.isWithdrawn()) {
        abort(transfer);
        return true;
      }
      return plain ? appendPlain(transfer) : appendFrame(channel, transfer, credit, acknowledge);
    }
  }

  private void abort(OutboundArray transfer) {
    if (transfer.sequence != 0 && !plain) {
      FrameHeader header = batch.beginFrame(FrameType.ABORT, 0);
      header.sequence = transfer.sequence;
      header.channel = transfer.channel.id;
      batch.putHeader();
      batch.endFrame(null, FrameLayout.HEADER_BYTES);
    }
    transfer.releaseCopy();
    aborted = true;
  }

  private boolean appendFrame(
      OutboundChannel channel, OutboundArray transfer, long credit, long acknowledge) {
    Codec sendCodec = codec();
    CodecTraits traits = sendCodec.traits();
    Encoding encoding = sendCodec.encoding();
    int width = encoding.elementBytes(transfer.slice.type());
    boolean begins = transfer.sequence == 0;
    int count = transfer.slice.length();
    int prefix = begins ? encoding.prefixBytes(transfer.slice.type(), count) : 0;
    int attributes = begins ? transfer.attributes.length : 0;
    boolean arrayDirect = isArrayDirect(transfer) && transfer.isInArray();
    long wanted =
        Math.min(
            Math.min(transfer.bytesLeft(), arrayDirect ? arrayDirectChunkBytes : chunkBytes),
            credit - transfer.overhead());
    long staged = attributes + (arrayDirect ? prefix : wanted);
    if (staged > batch.room() || (traits.elementwise() && !batch.isEmpty())) {
      return false;
    }
    int elements = (int) Math.min(transfer.remainingElements(), (wanted - prefix) / width);
    int payload = prefix + elements * width;
    FrameHeader header = batch.beginFrame(begins ? FrameType.ARRAY : FrameType.CHUNK, staged);
    ByteBuffer space = batch.space();
    int from = space.position();
    space.put(transfer.attributes, 0, attributes);
    if (prefix > 0) {
      encoding.putPrefix(transfer.slice.type(), count, space);
    }
    long offset = transfer.framedBytes;
    if (arrayDirect) {
      transfer.lendArrayDirect(elements);
    } else {
      transfer.encode(sendCodec, elements, space);
      countCopies(transfer, traits, payload, space.isDirect());
    }
    long cost = (long) transfer.overhead() + payload;
    channel.charged += cost;
    charged += cost;
    if (begins) {
      transfer.begins(++channel.lastSequence);
    }
    transfer.framedBytes += payload;

    header.encoding = encoding.code();
    header.elementType = transfer.slice.type().code();
    header.attributeBytes = attributes;
    header.channel = channel.id;
    header.sequence = transfer.sequence;
    header.tag = transfer.options.attributes().tag();
    header.count = count;
    header.arrayBytes = begins ? transfer.encodedBytes : offset;
    header.payloadBytes = payload;
    if (checksums) {
      header.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      header.payloadChecksum = checksum(space, from);
    }
    if (acknowledge != 0) {
      header.flags |= FrameLayout.FLAG_ACKNOWLEDGES;
      header.acknowledged = (int) acknowledge;
      saidWithFrame = acknowledge;
    }
    batch.putHeader();
    batch.append(from);
    if (arrayDirect) {
      batch.appendArrayDirect(transfer, elements * width);
    }
    batch.endFrame(transfer, (long) FrameLayout.HEADER_BYTES + attributes + payload);
    if (traits.elementwise()) {
      batch.writeElementwise(FrameLayout.HEADER_BYTES + attributes + prefix, width);
    }
    if (transfer.isFramed()) {
      transfer.releaseCopy();
    }
    return true;
  }

  /** Whether an array is best taken by the channel straight from its own memory, past the codec. */
  private boolean isArrayDirect(OutboundArray transfer) {
    return !checksums
        && !plain
        && ArrayDirect.suits(codec(), transfer.slice.type())
        && ArrayDirect.pays(transfer.encodedBytes, connection.link);
  }

  private boolean appendPlain(OutboundArray transfer) {
    Codec sendCodec = codec();
    CodecTraits traits = sendCodec.traits();
    int width = sendCodec.encoding().elementBytes(transfer.slice.type());
    ByteBuffer space = batch.space();
    int from = space.position();
    boolean begins = transfer.sequence == 0;
    if (space.remaining() < 4 + width || (traits.elementwise() && !batch.isEmpty())) {
      return false;
    }
    if (begins) {
      space.order(ByteOrder.BIG_ENDIAN).putInt(transfer.slice.length());
      transfer.begins(++transfer.channel.lastSequence);
    }
    int room = Math.min(space.remaining(), chunkBytes);
    int elements = Math.min(transfer.remainingElements(), room / width);
    transfer.encode(sendCodec, elements, space);
    transfer.framedBytes += (long) elements * width;
    countCopies(transfer, traits, (long) elements * width, space.isDirect());
    batch.append(from);
    batch.endFrame(transfer, space.position() - from);
    if (traits.elementwise()) {
      batch.writeElementwise(begins ? Integer.BYTES : 0, width);
    }
    if (transfer.isFramed()) {
      transfer.releaseCopy();
    }
    return true;
  }

  private void countCopies(
      OutboundArray transfer, CodecTraits traits, long payload, boolean direct) {
    if (traits.copiesToEncode() == Receipt.UNKNOWN) {
      transfer.copiedBytes = Receipt.UNKNOWN;
    } else {
      transfer.copiedBytes +=
          payload * (traits.copiesToEncode() + connection.context.copies(direct));
    }
  }

  private int checksum(ByteBuffer space, int from) {
    int to = space.position();
    int limit = space.limit();
    space.limit(to).position(from);
    CRC32C checksum = new CRC32C();
    checksum.update(space);
    space.limit(limit).position(to);
    return (int) checksum.getValue();
  }

  /** The last frame of an array is made. */
  private void finished(OutboundArray transfer) {
    if (!transfer.channel.queue.remove(transfer)) {
      return;
    }
    queuedArrays--;
    if (transfer.isFramed()) {
      transfer.framed = true;
      writing = writing.plus(transfer);
      sayLast(transfer.channel);
    } else {
      leave(transfer);
    }
    if (transfer.isFramed() && !plain && transfer.options.delivery() == Delivery.PROCESSED) {
      transfer.channel.unacknowledged = transfer.channel.unacknowledged.plus(transfer);
      unacknowledgedArrays++;
    }
  }
}
