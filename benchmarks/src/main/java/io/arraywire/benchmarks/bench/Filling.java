package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Puts the elements of arrays that follow each other without a gap into one array. */
final class Filling {
  private final float[] target;
  private int position;

  /** Bytes of an element whose rest is yet to come. */
  private int partialBits;

  private int partialBytes;

  Filling(float[] target) {
    this.target = target;
  }

  /**
   * Elements came.
   *
   * @param count elements in each array
   * @return how many arrays they complete
   */
  int put(FloatBuffer elements, int count) {
    int whole = 0;
    while (elements.hasRemaining()) {
      int some = Math.min(count - position, elements.remaining());
      elements.get(target, position, some);
      whole += advance(some, count);
    }
    return whole;
  }

  /** Little-endian bytes of elements came, split anywhere; otherwise as with elements. */
  int put(ByteBuffer bytes, int count) {
    int whole = 0;
    while (bytes.hasRemaining()) {
      if (partialBytes == 0 && bytes.remaining() >= Float.BYTES) {
        FloatBuffer elements = bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        whole += put(elements, count);
        bytes.position(bytes.position() + elements.position() * Float.BYTES);
      } else {
        whole += put(bytes.get(), count);
      }
    }
    return whole;
  }

  private int put(byte bits, int count) {
    partialBits |= Byte.toUnsignedInt(bits) << (Byte.SIZE * partialBytes);
    partialBytes++;
    if (partialBytes < Float.BYTES) {
      return 0;
    }
    target[position] = Float.intBitsToFloat(partialBits);
    partialBits = 0;
    partialBytes = 0;
    return advance(1, count);
  }

  private int advance(int some, int count) {
    position += some;
    if (position < count) {
      return 0;
    }
    position = 0;
    return 1;
  }
}
