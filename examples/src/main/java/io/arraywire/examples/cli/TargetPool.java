package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * Lends arrays for others to fill, and never more of them than a limit of bytes, whatever peers
 * declare.
 *
 * <p>An array that was given back is lent again where it fits, which saves zeroing it and touching
 * its pages anew; those that lie idle make room when the limit is near. Any thread.
 */
final class TargetPool {
  private final long limit;
  private final List<Object> idle = new ArrayList<>();
  private long used;

  /**
   * Makes a pool.
   *
   * @param limit the most bytes that may be lent or lie idle
   */
  TargetPool(long limit) {
    this.limit = limit;
  }

  /**
   * Lends an array.
   *
   * @param type its element type
   * @param count the least elements it must have
   * @return the array, whatever its elements are
   * @throws IOException if the limit does not allow it
   * @throws OutOfMemoryError if the heap does not
   */
  Object take(ElementType type, int count) throws IOException {
    synchronized (this) {
      Object best = null;
      for (Object array : idle) {
        if (ElementType.of(array) == type
            && Array.getLength(array) >= count
            && (best == null || Array.getLength(array) < Array.getLength(best))) {
          best = array;
        }
      }
      if (best != null) {
        idle.remove(best);
        return best;
      }
      reserve((long) count * type.bytes());
    }
    try {
      return type.newArray(count);
    } catch (OutOfMemoryError e) {
      synchronized (this) {
        used -= (long) count * type.bytes();
      }
      throw e;
    }
  }

  private void reserve(long bytes) throws IOException {
    while (used + bytes > limit && !idle.isEmpty()) {
      used -= bytesOf(idle.remove(0));
    }
    if (used + bytes > limit) {
      throw new IOException(
          "the receiver has not enough memory for this array now; try later, or give the receiver a"
              + " larger heap with ARRAYWIRE_JAVA_OPTS=-Xmx (arrayBytes="
              + bytes
              + ", usedBytes="
              + used
              + ", limitBytes="
              + limit
              + ")");
    }
    used += bytes;
  }

  /**
   * Takes an array back.
   *
   * @param array one that was lent
   */
  synchronized void give(Object array) {
    idle.add(array);
  }

  /**
   * The memory in use.
   *
   * @return bytes lent and idle
   */
  synchronized long usedBytes() {
    return used;
  }

  private static long bytesOf(Object array) {
    return (long) Array.getLength(array) * ElementType.of(array).bytes();
  }
}
