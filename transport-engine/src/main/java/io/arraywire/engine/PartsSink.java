package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Encoding;
import io.arraywire.LeasedArray;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts each part of a message into an array of its own while it arrives. A caller that wants the
 * bytes of the message gets them put together when it is complete.
 */
final class PartsSink extends Sink {
  private final Codec decoder;
  private final ArrayAttributes attributes;
  private final PartTable table;
  private final int bytes;
  private final boolean trusted;
  private final @Nullable ArrivalShare limit;

  /**
   * What the parts begin with, which are many, beyond what an array may begin with; each counts
   * itself what it takes then. Null while there is no more.
   */
  private @Nullable ArrivalCharge firsts;

  /** What they have begun with, less what was charged. */
  private long begunBytes;

  private @Nullable ArraywireException refusal;

  /** How many bytes come with the first frame. */
  private final long coming;

  /** Those that have come, and the one that is coming. */
  private final List<DecodingSink> parts = new ArrayList<>();

  private final PartCursor cursor;

  /** How many bytes have come. */
  private long at;

  private boolean stopped;

  PartsSink(
      Codec decoder,
      ArrayAttributes attributes,
      PartTable table,
      int bytes,
      boolean trusted,
      @Nullable ArrivalShare limit,
      long coming) {
    this.decoder = decoder;
    this.attributes = attributes;
    this.table = table;
    this.bytes = bytes;
    this.trusted = trusted;
    this.limit = limit;
    this.coming = coming;
    cursor = new PartCursor(table);
    try {
      next();
    } catch (OutOfMemoryError e) {
      // Nobody knows this sink yet, so nobody else can give back what it was charged.
      discard();
      throw e;
    }
  }

  /** Whether a message of parts can be put so: as its codec would put it together again. */
  static boolean suits(PartTable table, Codec decoder) {
    if (!decoder.encoding().equals(Encoding.RAW_LITTLE_ENDIAN)) {
      return false;
    }
    for (int i = 0; i < table.size(); i++) {
      if (!table.encodingOf(i).equals(Encoding.RAW_LITTLE_ENDIAN)) {
        return false;
      }
    }
    return true;
  }

  /** Begins the parts that the next byte may belong to. */
  private void next() {
    while (cursor.next(at)) {
      int part = cursor.part();
      // The rest of the first frame, or else as much as has come already.
      long more = Math.max(coming - at, at);
      int first = ArrivalBudget.first(table.typeOf(part), table.countOf(part), more);
      refusal = begins((long) first * table.typeOf(part).bytes());
      if (refusal != null) {
        giveUp();
        return;
      }
      DecodingSink begun = new DecodingSink();
      parts.add(begun);
      begun.startFresh(decoder, table.typeOf(part), table.countOf(part), trusted, limit, more);
    }
  }

  /** A part begins with so many bytes; returns why there is no room for them, or null. */
  private @Nullable ArraywireException begins(long first) {
    begunBytes += first;
    if (limit == null || begunBytes <= ArrivalBudget.FIRST_BYTES) {
      return null;
    }
    ArrivalCharge charge = firsts;
    if (charge == null) {
      charge = new ArrivalCharge();
      charge.begin(limit, false, bytes);
      firsts = charge;
    }
    // As much at a time, so that small parts do not take a lock each.
    begunBytes -= ArrivalBudget.FIRST_BYTES;
    return charge.take(ArrivalBudget.FIRST_BYTES, bytes);
  }

  /** There is no memory for the rest, so nobody gets what has come. */
  private void giveUp() {
    stopped = true;
    giveBackFirsts();
    parts.forEach(DecodingSink::stop);
  }

  private void giveBackFirsts() {
    if (firsts != null) {
      firsts.keep(0);
    }
  }

  private DecodingSink current() {
    return parts.get(cursor.part());
  }

  @Override
  synchronized void put(ByteBuffer source, int count) throws ProtocolException {
    int left = count;
    while (left > 0) {
      int some;
      if (at < cursor.elementsEnd() && !stopped) {
        some = (int) Math.min(left, cursor.elementsEnd() - at);
        current().put(source, some);
      } else {
        some = stopped ? left : (int) Math.min(left, cursor.partEnd() - at);
        source.position(source.position() + some);
      }
      moved(some);
      left -= some;
    }
  }

  @Override
  synchronized void putBlock(ByteBuffer bytes, BlockScratch block) throws ProtocolException {
    if (!stopped) {
      current().putBlock(bytes, block);
    }
    moved(block.plainBytes());
  }

  private void moved(long count) {
    at += count;
    if (!stopped && current().refusal() != null) {
      giveUp();
    }
    if (!stopped) {
      next();
    }
  }

  @Override
  synchronized int arrayRoom() {
    return stopped || at >= cursor.elementsEnd()
        ? 0
        : (int) Math.min(current().arrayRoom(), cursor.elementsEnd() - at);
  }

  @Override
  synchronized long fill(ArrayIo io, int atMost) throws IOException {
    if (arrayRoom() == 0) {
      return 0;
    }
    long read = current().fill(io, (int) Math.min(atMost, cursor.elementsEnd() - at));
    if (read > 0) {
      moved(read);
    } else if (current().refusal() != null) {
      giveUp();
    }
    return read;
  }

  // Wherever it is wanted, it goes on here, and is put together there in the end.

  @Override
  void rebind(ArraySlice target) {}

  @Override
  void rebindToPool(MemoryPool pool) {}

  @Override
  synchronized @Nullable ArraywireException refusal() {
    if (refusal != null) {
      return refusal;
    }
    for (DecodingSink each : parts) {
      if (each.refusal() != null) {
        return each.refusal();
      }
    }
    return null;
  }

  @Override
  synchronized void release() {
    giveBackFirsts();
    parts.forEach(DecodingSink::release);
  }

  @Override
  synchronized void discard() {
    giveBackFirsts();
    parts.forEach(DecodingSink::discard);
  }

  @Override
  synchronized void stop() {
    giveUp();
  }

  @Override
  synchronized long copied() {
    long all = super.copied();
    for (DecodingSink each : parts) {
      long more = each.copied();
      if (all < 0 || more < 0) {
        return Receipt.UNKNOWN;
      }
      all += more;
    }
    return all;
  }

  @Override
  synchronized ArraySlice slice() {
    List<ArraySlice> slices = new ArrayList<>(parts.size());
    for (DecodingSink each : parts) {
      slices.add(each.slice());
    }
    return ArraySlice.ofParts(Message.ofParts(slices, attributes), bytes);
  }

  @Override
  void deliver(ArraySlice target, int count) {
    copy(together().array(), 0, target, count);
  }

  @Override
  LeasedArray lease(LeaseFacts facts) {
    return new HeapLease(facts, together());
  }

  /** The bytes of the message, little-endian as they came. */
  private ArraySlice together() {
    byte[] whole = new byte[bytes];
    ArraySlice message = slice();
    PartsCodec.INSTANCE.encode(
        message.type(),
        message.array(),
        0,
        bytes,
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN));
    countCopies(1, bytes);
    return ArraySlice.of(whole);
  }
}
