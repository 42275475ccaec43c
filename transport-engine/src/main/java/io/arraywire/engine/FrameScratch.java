package io.arraywire.engine;

import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What a connection needs as long as frames come in.
 *
 * @param header the frame's
 * @param small its bytes, and others of which there are as few
 * @param checksum of what came of the frame
 * @param blocks for frames that hold blocks
 */
record FrameScratch(FrameHeader header, ByteBuffer small, CRC32C checksum, BlockScratch blocks) {
  static FrameScratch create() {
    return new FrameScratch(
        new FrameHeader(),
        ByteBuffer.allocate(FrameLayout.HEADER_BYTES),
        new CRC32C(),
        new BlockScratch());
  }

  /** The memory that gathering begins with: a peer may announce more than it sends. */
  static final int FIRST_BYTES = 1 << 10;

  /**
   * Moves bytes behind those that were gathered; returns the buffer, a larger one if it was full.
   */
  static ByteBuffer gather(ByteBuffer from, ByteBuffer to, int wanted) {
    ByteBuffer small = to;
    move(from, small);
    while (!small.hasRemaining() && small.limit() < wanted) {
      small = ByteBuffer.allocate(Math.min(wanted, 2 * small.limit())).put(small.flip());
      move(from, small);
    }
    return small;
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int limit = from.limit();
    from.limit(from.position() + Math.min(from.remaining(), to.remaining()));
    to.put(from);
    from.limit(limit);
  }

  /** Has a checksum see the next bytes. */
  static void update(CRC32C checksum, ByteBuffer bytes, int count) {
    int limit = bytes.limit();
    int position = bytes.position();
    bytes.limit(position + count);
    checksum.update(bytes);
    bytes.limit(limit).position(position);
  }
}
