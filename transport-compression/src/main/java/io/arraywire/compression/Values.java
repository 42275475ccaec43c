package io.arraywire.compression;

import io.arraywire.Encoding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds the values that the elements of a block have, if they are few. In most blocks they are not,
 * and that must not cost more than a moment: it looks at some elements first. One thread at a time.
 */
final class Values {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Elements from all over the block, at which it looks. */
  private static final int LOOKS = 512;

  /** So many of them are enough where hardly any repeats another. */
  private static final int FIRST_LOOKS = 192;

  /** Elements beside each other, at which it looks where those did not repeat. */
  private static final int PROBES = 128;

  /** Elements repeat if one of so many has a value that was seen before. */
  private static final int REPEAT = 32;

  /** A table of values is worth its bytes if each is there so many times. */
  private static final int USES = 4;

  private static final int SLOT_BITS = 13;
  private static final int MASK = (1 << SLOT_BITS) - 1;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** The values in ascending order, little-endian. */
  final byte[] bytes = new byte[Layout.MOST_VALUES * Long.BYTES];

  /** Planes of indices: for each element, which value it has. */
  final byte[] indices = new byte[Encoding.MAX_BLOCK_BYTES];

  /** In the order in which they were found, then in ascending order. */
  private long[] found = new long[Layout.MOST_VALUES];

  private long[] sorted = new long[Layout.MOST_VALUES];
  private final int[] begins = new int[1 + (1 << Byte.SIZE)];

  private int count;

  /** For each element, which value it has, in the order in which they were found. */
  private final short[] places = new short[Encoding.MAX_BLOCK_BYTES / Short.BYTES];

  private final short[] ranks = new short[Layout.MOST_VALUES];

  /** A hash table: values, and 1 plus their place, or 0. */
  private final long[] keys = new long[1 << SLOT_BITS];

  private final short[] slots = new short[1 << SLOT_BITS];

  Values() {}

  /** How many there are. */
  int count() {
    return count;
  }

  /** Looks at some elements of a block; returns whether a good part of them repeat each other. */
  boolean look(byte[] elements, int elementCount, int width) {
    Arrays.fill(slots, (short) 0);
    count = 0;
    // Odd, so that it goes round in rows of a picture, and in records.
    int step = elementCount / LOOKS | 1;
    int looks = 0;
    for (int i = 0; i < elementCount; i += step) {
      int unused = placeOf(element(elements, i, width), Layout.MOST_VALUES);
      looks++;
      if (looks == FIRST_LOOKS && !isMuch(looks - count, looks)) {
        break;
      }
    }
    return isMuch(looks - count, looks) || neighboursRepeat(elements, elementCount, width, step);
  }

  private static boolean isMuch(int repeated, int of) {
    return repeated * REPEAT >= of;
  }

  /** Whether elements in the middle repeat each other, or what was looked at. */
  private boolean neighboursRepeat(byte[] elements, int elementCount, int width, int step) {
    int begin = Math.max(1, elementCount / 2);
    int end = Math.min(elementCount, begin + PROBES);
    int repeated = 0;
    long before = element(elements, begin - 1, width);
    for (int i = begin; i < end; i++) {
      long value = element(elements, i, width);
      if (value == before || (i % step != 0 && slots[slotOf(value)] != 0)) {
        repeated++;
      }
      before = value;
    }
    return repeated > 0 && isMuch(repeated, end - begin);
  }

  /**
   * Finds the values of the block that was looked at, and the index of each element. False if there
   * are too many, or planes are as good.
   */
  boolean find(byte[] elements, int elementCount, int width) {
    int most = width == Short.BYTES ? Layout.VALUES_OF_A_BYTE : Layout.MOST_VALUES;
    most = Math.min(most, elementCount / USES);
    if (count > most) {
      return false;
    }
    long last = element(elements, 0, width);
    int place = placeOf(last, most);
    for (int i = 0; i < elementCount; i++) {
      long value = element(elements, i, width);
      if (value != last) {
        last = value;
        place = placeOf(value, most);
      }
      if (place < 0) {
        return false;
      }
      places[i] = (short) place;
    }
    long differences = differences();
    if (bytesIn(differences) < 2) {
      // The plane of that byte is what the indices would be.
      return false;
    }
    sort(differences);
    write(width);
    index(elementCount);
    return true;
  }

  private static long element(byte[] elements, int i, int width) {
    return switch (width) {
      case Short.BYTES -> (short) SHORTS.get(elements, i * Short.BYTES);
      case Integer.BYTES -> (int) INTS.get(elements, i * Integer.BYTES);
      default -> (long) LONGS.get(elements, i * Long.BYTES);
    };
  }

  /** Where a value is in the hash table, or would be. */
  private int slotOf(long value) {
    int slot = (int) ((value * MIX) >>> (Long.SIZE - SLOT_BITS));
    while (slots[slot] != 0 && keys[slot] != value) {
      slot = (slot + 1) & MASK;
    }
    return slot;
  }

  /** The place of a value, which is new perhaps; negative if it is one too many. */
  private int placeOf(long value, int most) {
    int slot = slotOf(value);
    if (slots[slot] == 0) {
      if (count >= most) {
        return -1;
      }
      keys[slot] = value;
      found[count++] = value;
      slots[slot] = (short) count;
    }
    return slots[slot] - 1;
  }

  /** The bits in which not all values are the same. */
  private long differences() {
    long differences = 0;
    for (int i = 1; i < count; i++) {
      differences |= found[i] ^ found[0];
    }
    return differences;
  }

  private static int bytesIn(long bits) {
    int bytes = 0;
    for (long left = bits; left != 0; left >>>= Byte.SIZE) {
      bytes += (left & 0xff) == 0 ? 0 : 1;
    }
    return bytes;
  }

  /**
   * Sorts the values as unsigned numbers, by one byte after the other: several times as fast as by
   * comparing them. Of values in order, the upper bytes of indices are alike where elements are
   * near.
   */
  private void sort(long differences) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      if ((differences >>> shift & 0xff) != 0) {
        sortByByte(shift);
      }
    }
    for (int i = 0; i < count; i++) {
      ranks[slots[slotOf(found[i])] - 1] = (short) i;
    }
  }

  private void sortByByte(int shift) {
    Arrays.fill(begins, 0);
    for (int i = 0; i < count; i++) {
      begins[1 + (int) (found[i] >>> shift & 0xff)]++;
    }
    for (int i = 1; i < begins.length; i++) {
      begins[i] += begins[i - 1];
    }
    for (int i = 0; i < count; i++) {
      sorted[begins[(int) (found[i] >>> shift & 0xff)]++] = found[i];
    }
    long[] other = found;
    found = sorted;
    sorted = other;
  }

  private void index(int elementCount) {
    for (int i = 0; i < elementCount; i++) {
      indices[i] = (byte) ranks[places[i]];
    }
    if (count > Layout.VALUES_OF_A_BYTE) {
      for (int i = 0; i < elementCount; i++) {
        indices[elementCount + i] = (byte) (ranks[places[i]] >> Byte.SIZE);
      }
    }
  }

  private void write(int width) {
    for (int i = 0; i < count; i++) {
      switch (width) {
        case Short.BYTES -> SHORTS.set(bytes, i * Short.BYTES, (short) found[i]);
        case Integer.BYTES -> INTS.set(bytes, i * Integer.BYTES, (int) found[i]);
        default -> LONGS.set(bytes, i * Long.BYTES, found[i]);
      }
    }
  }

  /**
   * Puts values in the place of their indices, which are in planes. False, and not all are put, if
   * there is an index beyond the values.
   */
  static boolean join(byte[] values, int many, byte[] indices, byte[] to, int count, int width) {
    boolean wide = Layout.indexBytes(many) > 1;
    for (int i = 0; i < count; i++) {
      int index = indices[i] & 0xff;
      if (wide) {
        index |= (indices[count + i] & 0xff) << Byte.SIZE;
      }
      if (index >= many) {
        return false;
      }
      switch (width) {
        case Short.BYTES ->
            SHORTS.set(to, i * Short.BYTES, (short) SHORTS.get(values, index * Short.BYTES));
        case Integer.BYTES ->
            INTS.set(to, i * Integer.BYTES, (int) INTS.get(values, index * Integer.BYTES));
        default -> LONGS.set(to, i * Long.BYTES, (long) LONGS.get(values, index * Long.BYTES));
      }
    }
    return true;
  }
}
