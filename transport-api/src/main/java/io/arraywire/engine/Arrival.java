package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FrameLayout;
import org.jspecify.annotations.Nullable;

/** One array on its way in, or in and not yet taken. */
final class Arrival {
  final ArrayHeader header;
  final long encodedBytes;
  final Sink sink;

  /** What travels with it, beside what the receiver sees in the header. */
  ArrayEnvelope envelope = ArrayEnvelope.NONE;

  // What it has cost of the peer's credit, all in all and in payload; guarded by the connection's
  // lock, as are the next four.
  long charged;
  long payloadCharged;

  /** Whether it takes up room here, because nobody has asked for it yet. */
  boolean held;

  /** Whether its elements can be lent out as they came. */
  boolean plain;

  /** Whether the handler has still to say where it is to be put. */
  boolean needsTarget;

  /** The caller in whose memory it is put, if any. Guarded by the connection's lock. */
  @Nullable Claim claim;

  /** Whether it does not wait its turn: a reply, or a request that is refused. */
  boolean outOfTurn;

  /** With a request: what answers it. */
  @Nullable ReplyEnd reply;

  /** With a reply: who waits for it, if anybody does. Guarded by the connection's lock. */
  @Nullable PendingRequest answers;

  /** Whether it was acknowledged, and how far one that did not wait its turn came behind it. */
  boolean done;

  long doneThrough;

  /** Why a handler did not want it, if it did not. */
  @Nullable ArraywireException refusal;

  long wireBytes;
  long operations;

  Arrival(ArrayHeader header, long encodedBytes, Sink sink) {
    this.header = header;
    this.encodedBytes = encodedBytes;
    this.sink = sink;
  }

  /** What it takes up while it waits to be taken. */
  long inboxBytes() {
    return inboxBytes(header, encodedBytes);
  }

  static long inboxBytes(ArrayHeader header, long encodedBytes) {
    ArrayAttributes attributes = header.attributes();
    int body =
        attributes.hasBody()
            ? attributes.metadata().length + Long.BYTES * attributes.shape().length
            : 0;
    return encodedBytes + body + FrameLayout.ARRAY_COST;
  }

  ReceivedArray received() {
    ArraySlice slice = sink.slice();
    return new ReceivedArray(header, slice, receipt(0));
  }

  ReceivedArray copiedInto(ArraySlice target) {
    ArraySlice from = sink.slice();
    System.arraycopy(from.array(), from.offset(), target.array(), target.offset(), from.length());
    sink.countCopies(1, (long) from.length() * from.type().bytes());
    return new ReceivedArray(
        header, ArraySlice.ofArray(target.array(), target.offset(), from.length()), receipt(0));
  }

  LeasedArray leased() {
    return sink.lease(new LeaseFacts(header, receipt(sink.pooledBytes())));
  }

  private Receipt receipt(long pooledBytes) {
    return new Receipt(header.count(), wireBytes, sink.copied(), operations, pooledBytes);
  }
}
