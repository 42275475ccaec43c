package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.FrameAttributes;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * One array that arrives, or has arrived and is not yet taken.
 *
 * <p>Used for one array after the other where they go into memory of the callers', or to handlers.
 * So in the long run an array costs no garbage of this kind; see {@link InboxPool}.
 */
final class InboundArray {
  // What it is; see ArrayHeader.
  private ElementType type = ElementType.BYTE;
  private int count;

  /** The same where it is more than an array can have. */
  private long elements;

  private long sequence;
  private int channel;
  private long dropped;
  private long tag;

  /** Tag, shape and metadata as they came; null where nothing but a tag did. */
  private @Nullable ArrayAttributes attributes;

  /** The same for handlers that were told of it, once one was. */
  private @Nullable ArrayHeader header;

  long encodedBytes;

  /** The count in its header, which its chunks repeat; a message counts elements, not bytes. */
  long headerCount;

  /** Where it goes; of no use before that is known. */
  Sink sink = DroppingSink.NOTHING;

  /** The last sink that put an array into memory, to be used again. */
  private @Nullable DecodingSink decoding;

  /** What travels with it, beside what the receiver sees in the header. */
  ArrayEnvelope envelope = ArrayEnvelope.NONE;

  // What it has cost of the peer's credit, all in all and in payload; guarded by the connection's
  // lock, as are the next ten.
  long charged;
  long payloadCharged;

  /** What its first frame is yet to be charged for. The reading thread's. */
  long uncharged;

  /** Whether it takes up room here, because nobody has asked for it yet. */
  boolean held;

  /** What is counted of it in the memory that all connections share. */
  long budgeted;

  /** Whether its handler has it. */
  boolean inHand;

  /** Whether what it takes beyond its first bytes is in the budget of arrays for handlers. */
  boolean limited;

  /** Whether it is put into memory that its handler has named. */
  boolean inTarget;

  /** Whether it takes no memory any more: nobody gets it, and its rest is read past. */
  private boolean stopped;

  /** What decodes it, for a sink that its handler names; null before its place is looked for. */
  @Nullable Codec codec;

  /** Whether its elements can be lent out as they came. */
  boolean plain;

  /** Whether the handler has still to say where it is to be put. */
  boolean needsTarget;

  /** The caller in whose memory it is put, if any. Guarded by the connection's lock. */
  @Nullable PendingReceive receive;

  /** Whether it does not wait its turn: a reply, or a request that is refused. */
  boolean outOfTurn;

  /** With a request that is taken: what answers it. */
  @Nullable OwedReply reply;

  /** Whether it was acknowledged, and how far one that did not wait its turn came behind it. */
  boolean done;

  long doneThrough;

  /** Why a handler did not want it, if it did not. */
  @Nullable ArraywireException refusal;

  long wireBytes;
  long operations;

  /** The name of what it travels in; null where nobody knows. */
  @Nullable String encoding;

  /** An array begins to arrive. */
  void begins(ElementType arrayType, long all, long number, int onChannel, long bytes) {
    type = arrayType;
    elements = all;
    count = all > ArrayDirect.MOST_ELEMENTS ? Integer.MAX_VALUE : (int) all;
    sequence = number;
    channel = ChannelId.seen(onChannel);
    encodedBytes = bytes;
    dropped = 0;
    tag = 0;
  }

  /** It has no more to say of itself than a number. */
  void tagged(long sendersTag) {
    tag = sendersTag;
  }

  /** What travels with it. */
  void carries(ArrayEnvelope all, long droppedBefore) {
    envelope = all;
    attributes = all.attributes();
    tag = all.attributes().tag();
    dropped = droppedBefore;
  }

  /** Whether it is known where it goes. */
  @SuppressWarnings("ReferenceEquality") // It is that very sink that stands for no place.
  boolean isPlaced() {
    return sink != DroppingSink.NOTHING;
  }

  /** Its place is known. */
  InboundArray into(Sink place) {
    sink = place;
    return this;
  }

  /** Its place is memory of a caller's, which has room for it. */
  InboundArray into(Codec codec, ArraySlice target) {
    DecodingSink place = decoding();
    place.startInto(codec, target, count);
    sink = place;
    return this;
  }

  /** Its place is a fresh array. */
  InboundArray intoFresh(Codec codec, boolean trusted) {
    return intoFresh(codec, trusted, null);
  }

  /** The same, with a limit for the memory that it takes. */
  InboundArray intoFresh(Codec codec, boolean trusted, @Nullable ArrivalShare limit) {
    DecodingSink place = decoding();
    try {
      place.startFresh(codec, type, count, trusted, limit, coming());
    } catch (OutOfMemoryError e) {
      // Nobody else gives back what it was charged: it is no place of the array's yet.
      place.clear();
      throw e;
    }
    sink = place;
    limited = limit != null;
    return this;
  }

  /** Its place is fresh arrays, one for each part if it is a message of parts. */
  InboundArray intoFreshParts(Codec codec, boolean trusted, @Nullable ArrivalShare limit) {
    PartTable parts = attributes == null ? null : attributes.parts();
    if (attributes == null || parts == null || count == 0 || !PartsSink.suits(parts, codec)) {
      return intoFresh(codec, trusted, limit);
    }
    limited = limit != null;
    return into(new PartsSink(codec, attributes, parts, count, trusted, limit, coming()));
  }

  /** Its handler has named a target for it, and it goes on there. */
  void goesInto(ArraySlice target) {
    sink.rebind(target);
    inTarget = true;
    if (decoding != null) {
      decoding.dropSpare();
    }
  }

  /**
   * It is refused: if it is a request, no other answer is owed, and it is no longer open. Without
   * the lock.
   */
  void answeredByRefusal() {
    if (reply != null) {
      boolean unused = reply.refuse();
    }
  }

  /** Nobody gets it: it takes no more memory, and counts no more. */
  void stop() {
    stopped = true;
    sink.stop();
  }

  /** Its handler has named no target for it: what it takes counts as that of others does. */
  void limitedBy(ArrivalShare limit) {
    limited = true;
    sink.limit(limit);
  }

  /**
   * How many bytes of it have come, or come with the frame that is being read. In plain mode, where
   * nothing is charged yet, a peer has one array at a time.
   */
  private long coming() {
    return charged == 0 ? encodedBytes : payloadCharged;
  }

  private DecodingSink decoding() {
    DecodingSink place = decoding;
    if (place == null) {
      place = new DecodingSink();
      decoding = place;
    }
    return place;
  }

  /** Forgets the array, which has been put where it was wanted. Nobody else knows it any more. */
  void clear() {
    sink = DroppingSink.NOTHING;
    envelope = ArrayEnvelope.NONE;
    attributes = null;
    header = null;
    charged = 0;
    payloadCharged = 0;
    uncharged = 0;
    held = false;
    budgeted = 0;
    inHand = false;
    limited = false;
    inTarget = false;
    stopped = false;
    codec = null;
    plain = false;
    needsTarget = false;
    receive = null;
    outOfTurn = false;
    reply = null;
    done = false;
    doneThrough = 0;
    refusal = null;
    wireBytes = 0;
    operations = 0;
    if (decoding != null) {
      decoding.clear();
    }
  }

  /**
   * What the inbox counts of it: all that it takes. Of one for a handler it counts no more than
   * what it begins with, and what travels with it. {@link ArrivalBudget} counts the rest. Of one in
   * the handler's own target only what travels with it counts.
   *
   * @param byHandler whether its handler has asked for it
   */
  long inboxCost(boolean byHandler) {
    if (stopped) {
      return 0;
    }
    if (inTarget) {
      return charged - payloadCharged;
    }
    return limited || (byHandler && !needsTarget)
        ? charged - payloadCharged + Math.min(payloadCharged, ArrivalBudget.FIRST_BYTES)
        : heapBytes();
  }

  /** What it takes here: the array that grows as bytes come is up to twice as large as they are. */
  private long heapBytes() {
    long whole = (long) count * type.bytes();
    if (whole <= ArrivalBudget.FIRST_BYTES || payloadCharged <= ArrivalBudget.FIRST_BYTES) {
      return charged;
    }
    double come = Math.min(1, (double) payloadCharged / encodedBytes);
    int elements = ArrivalBudget.halving(count, (int) Math.ceil(come * count));
    long grown = ArrivalBudget.heapBytes((long) elements * type.bytes());
    return charged - payloadCharged + grown;
  }

  /** What it takes up while it waits to be used again. */
  int spareBytes() {
    return FrameLayout.ARRAY_COST + (decoding == null ? 0 : decoding.keptBytes());
  }

  ElementType type() {
    return type;
  }

  int count() {
    return count;
  }

  /** How many elements it has, which may be more than {@link #count} can say. */
  long elements() {
    return elements;
  }

  /** Whether no array can hold it, but only a sink. */
  boolean exceedsArrays() {
    return elements > ArrayDirect.MOST_ELEMENTS;
  }

  long sequence() {
    return sequence;
  }

  /** What handlers that are told of it see. */
  ArrayHeader header() {
    ArrayHeader seen = header;
    if (seen == null) {
      ArrayAttributes all = attributes;
      if (all == null) {
        all = ArrayAttributes.tagged(tag);
      }
      seen = new ArrayHeader(type, count, sequence, all, channel, dropped);
      header = seen;
    }
    return seen;
  }

  /** What it takes up while it waits to be taken. */
  long inboxBytes() {
    ArrayAttributes all = attributes;
    int body = all != null && all.hasBody() ? FrameAttributes.bytes(all) : 0;
    return encodedBytes + body + FrameLayout.ARRAY_COST;
  }

  /** What is received in its place. */
  ReceivedArray received(ArraySlice slice) {
    return new ReceivedArray(header(), slice, receipt(0));
  }

  /** Received in the caller's memory: it is there already, or is copied there. */
  void receivedIn(ArraySlice target, ArrayInfo info) {
    sink.deliver(target, count);
    info.describe(type, count, sequence, channel, dropped);
    info.attribute(tag, attributes);
    info.cost(wireBytes, sink.copied(), operations);
  }

  LeasedArray leased() {
    return sink.lease(new LeaseFacts(header(), receipt(sink.pooledBytes())));
  }

  Receipt receipt(long pooledBytes) {
    return new Receipt(elements, wireBytes, sink.copied(), operations, pooledBytes, encoding);
  }
}
