package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of {@link RawSelector} for one array after the other, of which a socket takes some. */
final class OutgoingArray {
  private final float[] source;
  private int count;

  /** Bytes of header and elements that have left. */
  private int written;

  OutgoingArray(float[] source) {
    this.source = source;
  }

  /** Starts anew with so many elements. */
  void begin(int elements) {
    count = Objects.checkIndex(elements, source.length + 1);
    written = 0;
  }

  boolean hasRemaining() {
    return left() > 0;
  }

  /** Bytes of header and elements that have not left. */
  int left() {
    return RawSelector.HEADER_BYTES + count * Float.BYTES - written;
  }

  /** Fills a chunk with what comes next; the socket may have taken a part of an element. */
  void stage(ByteBuffer chunk) {
    chunk.clear();
    int from = 0;
    if (written < RawSelector.HEADER_BYTES) {
      chunk.putInt(count);
    } else {
      from = (written - RawSelector.HEADER_BYTES) / Float.BYTES;
    }
    int some = Math.min(count - from, chunk.remaining() / Float.BYTES);
    chunk.asFloatBuffer().put(source, from, some);
    chunk.limit(chunk.position() + some * Float.BYTES).position(written % Float.BYTES);
  }

  /** So many bytes have left. */
  void wrote(int bytes) {
    written += bytes;
  }
}
