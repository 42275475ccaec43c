package io.arraywire.engine;

import io.arraywire.frame.FrameHeader;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.KnownAttributes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of the messages that came last on a few channels of a connection, so that a table
 * that repeats is not read again. What they hold is bounded, whatever the peer sends. The reading
 * thread's.
 */
final class KnownTables {
  /** The most heap for all of a connection: one table of 15 KiB, or several smaller ones. */
  static final int MOST_HEAP_BYTES = 64 << 10;

  /** A power of two. More channels share them, and those with different tables read them anew. */
  private static final int PLACES = 8;

  private final @Nullable KnownAttributes[] last = new KnownAttributes[PLACES];
  private final int[] heapBytes = new int[PLACES];

  private static int place(FrameHeader header) {
    return header.channel & (PLACES - 1);
  }

  /** What a message says whose bytes are known; null if they have to be read. */
  @Nullable ArrayEnvelope find(FrameHeader header, ByteBuffer body) {
    KnownAttributes known = last[place(header)];
    return known == null ? null : known.envelope(header, body);
  }

  /** Keeps what was read, if there is room for it. */
  void keep(FrameHeader header, byte[] body, ArrayEnvelope read) {
    int place = place(header);
    int bytes = KnownAttributes.heapBytes(body.length);
    if (bytes <= MOST_HEAP_BYTES - heapBytes() + heapBytes[place]) {
      last[place] = KnownAttributes.of(header, body, read);
      heapBytes[place] = bytes;
    }
  }

  /** What all of them hold. */
  int heapBytes() {
    int all = 0;
    for (int bytes : heapBytes) {
      all += bytes;
    }
    return all;
  }
}
