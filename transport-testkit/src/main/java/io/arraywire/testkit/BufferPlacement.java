package io.arraywire.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How a buffer is handed to a codec.
 *
 * @param memory what kind of buffer
 * @param offset the position at entry; also the index in the array, so that every alignment meets
 * @param order the byte order setting at entry
 * @param tight whether buffer and array end right after the elements, or have room to spare
 */
record BufferPlacement(Memory memory, int offset, ByteOrder order, boolean tight) {
  /** Room to spare after the elements, in bytes and in elements. */
  private static final int SPARE = 19;

  /** The simplest one. */
  static final BufferPlacement PLAIN =
      new BufferPlacement(Memory.HEAP, 0, ByteOrder.BIG_ENDIAN, true);

  /** All kinds, offsets and orders; tight and roomy take turns, so that each offset has both. */
  static final List<BufferPlacement> ALL = all();

  /** Kinds of buffer. */
  enum Memory {
    /** Backed by an array of its own. */
    HEAP,
    /** Backed by an array that begins before it, so that {@code arrayOffset()} is not 0. */
    HEAP_SLICE,
    /** Outside the heap. */
    DIRECT
  }

  int spare() {
    return tight ? 0 : SPARE;
  }

  /** A buffer whose position and limit leave room for some bytes at this place, all bytes set. */
  ByteBuffer buffer(int bytes, byte fill) {
    int capacity = offset + bytes + SPARE;
    ByteBuffer buffer =
        switch (memory) {
          case HEAP -> ByteBuffer.allocate(capacity);
          case HEAP_SLICE -> ByteBuffer.allocate(capacity + 13).position(13).slice();
          case DIRECT -> ByteBuffer.allocateDirect(capacity);
        };
    byte[] filler = new byte[capacity];
    Arrays.fill(filler, fill);
    buffer.put(0, filler);
    return buffer.position(offset).limit(offset + bytes + spare()).order(order);
  }

  private static List<BufferPlacement> all() {
    List<BufferPlacement> all = new ArrayList<>();
    for (Memory memory : Memory.values()) {
      for (int offset = 0; offset < 10; offset++) {
        boolean even = offset % 2 == 0;
        all.add(new BufferPlacement(memory, offset, ByteOrder.BIG_ENDIAN, even));
        all.add(new BufferPlacement(memory, offset, ByteOrder.LITTLE_ENDIAN, !even));
      }
    }
    return List.copyOf(all);
  }
}
