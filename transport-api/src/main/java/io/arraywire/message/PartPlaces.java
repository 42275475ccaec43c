package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where each part of a message begins, if some are in blocks, and which codec decodes those.
 * Without blocks the table alone says where a part begins. Reusable; for one thread.
 */
final class PartPlaces {
  private int parts;
  private int[] begins = {}; // and at last where the payload ends
  private @Nullable Codec[] codecs = {};

  /** Forgets everything. */
  void clear() {
    Arrays.fill(codecs, 0, parts, null);
    parts = 0;
  }

  /**
   * Checks heads of blocks and zeros of all parts, one after the other, before memory is taken for
   * elements.
   *
   * @param bytes little-endian
   */
  void check(ByteBuffer bytes, MessageTable table, int from, int to) throws ProtocolException {
    takeRoom(table.parts());
    int at = from;
    for (int i = 0; i < parts; i++) {
      begins[i] = at;
      Encoding encoding = table.encoding(i);
      if (encoding.isInBlocks()) {
        codecs[i] = BlockCodecs.present(encoding.code());
        ElementType type = table.type(i);
        at = MessageBlocks.check(bytes, at, to, type, table.count(i), table.hasTable());
      } else {
        at = checkRaw(bytes, at, to, table.payloadBytes(i), i);
      }
    }
    begins[parts] = to;
    if (at != to) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a message has bytes behind the elements of its last part",
          "bytes",
          to - at,
          "parts",
          parts);
    }
  }

  private void takeRoom(int count) {
    parts = count;
    if (count >= begins.length) {
      int room = Math.max(8, Integer.highestOneBit(count) << 1);
      begins = new int[room + 1];
      codecs = new Codec[room];
    }
  }

  private static int checkRaw(ByteBuffer bytes, int from, int to, long length, int part)
      throws ProtocolException {
    long padded = MessageLayout.padded(length);
    if (padded > to - from) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a message ends inside the elements of a part",
          "part",
          part,
          "bytes",
          padded,
          "left",
          to - from);
    }
    int end = from + (int) padded;
    AttributeChecks.checkZeros(bytes, from + (int) length, end, "behind the elements of a part");
    return end;
  }

  /** Where a part begins. */
  int begin(int part) {
    return begins[part];
  }

  /** Where a part ends, with its zeros. */
  int end(int part) {
    return begins[part + 1];
  }

  /** What decodes a part in blocks; null if it is raw. */
  @Nullable Codec blocks(int part) {
    return part < parts ? codecs[part] : null;
  }
}
