package io.arraywire.message;

import io.arraywire.Encoding;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The encodings of the parts of a table. Takes memory where a part is in blocks. One thread. */
final class PartEncodings {
  private @Nullable Encoding[] inBlocks = {};
  private boolean hasBlocks;

  /** Forgets those that it has. */
  void clear() {
    if (hasBlocks) {
      Arrays.fill(inBlocks, null);
      hasBlocks = false;
    }
  }

  /** Sets the encoding of a part, which has none yet. */
  void set(int part, Encoding encoding) {
    if (!encoding.isInBlocks()) {
      return;
    }
    if (part >= inBlocks.length) {
      int room = Math.max(8, Integer.highestOneBit(part) << 1);
      inBlocks = Arrays.copyOf(inBlocks, Math.min(Message.MAX_PARTS, room));
    }
    inBlocks[part] = encoding;
    hasBlocks = true;
  }

  boolean hasBlocks() {
    return hasBlocks;
  }

  /** The encoding of a part that has a code. */
  Encoding of(int part, int code) {
    Encoding encoding = part < inBlocks.length ? inBlocks[part] : null;
    if (encoding != null) {
      return encoding;
    }
    return code == Encoding.RAW_BIG_ENDIAN.code()
        ? Encoding.RAW_BIG_ENDIAN
        : Encoding.RAW_LITTLE_ENDIAN;
  }
}
