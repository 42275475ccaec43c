package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;

/** Takes what {@link OutgoingArray} makes, in any portions. */
final class IncomingArray {
  private static final int NOT_KNOWN = -1;

  private final float[] target;

  /** What came of the header or of an element. */
  private final ByteBuffer rest = ByteBuffer.allocate(Float.BYTES).flip();

  private int count = NOT_KNOWN;
  private int filled;

  IncomingArray(float[] target) {
    this.target = target;
  }

  /** Begins a chunk with what it has to be read behind. */
  void stage(ByteBuffer chunk) {
    chunk.clear().put(rest);
  }

  /**
   * Takes bytes from a buffer of a library, which does not begin with what {@link #stage} puts.
   *
   * @return whether all of the array is there; then nothing of another was
   */
  boolean takeMore(ByteBuffer bytes) {
    if (rest.hasRemaining()) {
      ByteBuffer whole = ByteBuffer.allocate(Float.BYTES).order(bytes.order()).put(rest);
      while (whole.hasRemaining() && bytes.hasRemaining()) {
        whole.put(bytes.get());
      }
      if (take(whole.flip())) {
        return true;
      }
      if (rest.hasRemaining()) {
        return false;
      }
    }
    return take(bytes);
  }

  /**
   * Takes the bytes of a chunk that was begun with {@link #stage}.
   *
   * @return whether all of the array is there; then nothing of another was
   */
  boolean take(ByteBuffer chunk) {
    if (count == NOT_KNOWN && chunk.remaining() >= RawSelector.HEADER_BYTES) {
      count = chunk.getInt();
    }
    if (count != NOT_KNOWN) {
      int some = Math.min(count - filled, chunk.remaining() / Float.BYTES);
      chunk.asFloatBuffer().get(target, filled, some);
      chunk.position(chunk.position() + some * Float.BYTES);
      filled += some;
    }
    rest.clear().put(chunk).flip();
    if (filled != count) {
      return false;
    }
    count = NOT_KNOWN;
    filled = 0;
    return true;
  }
}
