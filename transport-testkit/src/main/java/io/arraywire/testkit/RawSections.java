package io.arraywire.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of an array, written section by section. The peer that a test plays shares no code
 * with the library that it tests, and writes numbers that the library would not. Not for use by
 * several threads.
 */
final class RawSections {
  static final int SHAPE = 1;
  static final int SESSION = 16;
  static final int REQUEST = 17;
  static final int REPLY = 18;
  static final int PUBLICATION = 20;

  private final SortedMap<Integer, List<Long>> sections = new TreeMap<>();

  /** An entry more of a section that holds numbers. */
  RawSections number(int kind, long value) {
    sections.computeIfAbsent(kind, k -> new ArrayList<>()).add(value);
    return this;
  }

  static RawSections shape(long... dimensions) {
    RawSections attributes = new RawSections();
    for (long dimension : dimensions) {
      var unused = attributes.number(SHAPE, dimension);
    }
    return attributes;
  }

  byte[] toBytes() {
    int bytes = sections.values().stream().mapToInt(entries -> 8 + 8 * entries.size()).sum();
    ByteBuffer all = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    sections.forEach((kind, entries) -> {
      all.putShort(kind.shortValue()).putShort((short) entries.size());
      all.putInt(8 + 8 * entries.size());
      entries.forEach(all::putLong);
    });
    return all.array();
  }
}
