package io.arraywire.message;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;

/** Checks the names in a table of parts, in place, and that all differ. Reusable; one thread. */
final class PartNames {
  private static final int FEW = 8;

  private int[] sorted = new int[FEW]; // numbers of parts, by name
  private int[] at = new int[FEW];
  private int[] lengths = new int[FEW];

  /** Begins a table of so many parts. */
  void begin(int parts) {
    if (parts > at.length) {
      int room = Math.min(Message.MAX_PARTS, Integer.highestOneBit(parts) << 1);
      sorted = new int[room];
      at = new int[room];
      lengths = new int[room];
    }
  }

  /** Checks the name of the next part and returns what is behind it and its zeros. */
  int add(ByteBuffer bytes, int part, int nameAt, int length) throws ProtocolException {
    if (!Utf8.isWellFormed(bytes, nameAt, length)) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD, "the name of a part is not UTF-8", "part", part);
    }
    int end = nameAt + MessageLayout.padded(length);
    AttributeChecks.checkZeros(bytes, nameAt + length, end, "behind the name of a part");
    // Sorted, so that a peer's choice of names cannot make this slow.
    int low = 0;
    int high = part;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int other = sorted[middle];
      int order = Utf8.compare(bytes, nameAt, length, at[other], lengths[other]);
      if (order == 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "two parts of a message have the same name",
            "name",
            Utf8.text(bytes, nameAt, length),
            "part",
            part);
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    System.arraycopy(sorted, low, sorted, low + 1, part - low);
    sorted[low] = part;
    at[part] = nameAt;
    lengths[part] = length;
    return end;
  }
}
