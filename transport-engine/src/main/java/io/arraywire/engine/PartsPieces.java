package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The payload of a message with a table of parts, piece by piece where each lies. A piece is in the
 * array of a slice, or in zeros behind a part. Remembers the piece that it has come to; for one
 * thread.
 */
final class PartsPieces {
  private static final byte[] ZEROS = new byte[Long.BYTES];

  private final List<Part> parts;
  private int part;
  private int slice;

  /** Where the piece begins in the payload. */
  private long begin;

  PartsPieces(Message message) {
    parts = message.parts();
  }

  /**
   * The bytes of parts that are sent little-endian, divided by their pieces; 0 if their elements do
   * not travel as they lie in their arrays.
   */
  static long bytesPerPiece(List<Part> parts) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      return 0;
    }
    long bytes = 0;
    long pieces = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part each = parts.get(i);
      if (each.type() == ElementType.BOOLEAN) {
        return 0;
      }
      bytes += (long) each.count() * each.type().bytes();
      pieces += each.slices().size();
    }
    // Rows of which there are none lie nowhere.
    return pieces == 0 ? 0 : bytes / pieces;
  }

  /** Has the channel take some bytes from a place in the payload on, at most those of its piece. */
  long write(ArrayIo io, long at, int atMost) throws IOException {
    if (at < begin) {
      part = 0;
      slice = 0;
      begin = 0;
    }
    while (true) {
      List<ArraySlice> slices = parts.get(part).slices();
      if (slice < slices.size()) {
        ArraySlice here = slices.get(slice);
        long end = begin + here.bytes();
        if (at < end) {
          long offset = (long) here.offset() * here.type().bytes() + (at - begin);
          return io.write(here.array(), offset, (int) Math.min(atMost, end - at));
        }
        begin = end;
        slice++;
      } else {
        long end = (begin + Long.BYTES - 1) & -Long.BYTES;
        if (at < end) {
          return io.write(ZEROS, 0, (int) Math.min(atMost, end - at));
        }
        begin = end;
        slice = 0;
        part++;
      }
    }
  }
}
