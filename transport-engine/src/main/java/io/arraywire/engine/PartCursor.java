package io.arraywire.engine;

import io.arraywire.message.PartTable;

/** Goes through the parts of a message whose plain bytes arrive. One thread at a time. */
final class PartCursor {
  private final PartTable table;
  private int part = -1;
  private long elementsEnd;
  private long partEnd;

  PartCursor(PartTable table) {
    this.table = table;
  }

  /** Goes on to the next part if there is one, and so many bytes end the one before it. */
  boolean next(long received) {
    if (received != partEnd || part + 1 == table.size()) {
      return false;
    }
    part++;
    elementsEnd = partEnd + (long) table.countOf(part) * table.typeOf(part).bytes();
    partEnd = part + 1 < table.size() ? table.payloadAt(part + 1) : table.payloadBytes();
    return true;
  }

  /** The part that is arriving; -1 before the first one. */
  int part() {
    return part;
  }

  /** The byte of the message at which the elements of the part end. */
  long elementsEnd() {
    return elementsEnd;
  }

  /** The byte of the message at which the part ends, with the zeros behind its elements. */
  long partEnd() {
    return partEnd;
  }
}
