package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import org.jspecify.annotations.Nullable;

/** One array on its way in, or in and not yet taken. */
final class Arrival {
  final ArrayHeader header;
  final long encodedBytes;
  final Sink sink;

  /** The caller in whose memory it is put, if any. Guarded by the connection's lock. */
  @Nullable Claim claim;

  /** Why a handler did not want it, if it did not. */
  @Nullable ArraywireException refusal;

  long wireBytes;
  long operations;

  Arrival(ArrayHeader header, long encodedBytes, Sink sink) {
    this.header = header;
    this.encodedBytes = encodedBytes;
    this.sink = sink;
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
    return new Receipt(header.count(), wireBytes, sink.copiedBytes, operations, pooledBytes);
  }
}
