package io.arraywire.engine;

import java.util.Locale;

/** How many blocks a connection has made, and of what size. One thread writes, any reads. */
final class BlockCounts {
  private volatile long blocks;
  private volatile long compressed;
  private volatile long plainBytes;
  private volatile long wireBytes;

  BlockCounts() {}

  /** A block was made. */
  void made(int plain, int wire, boolean isCompressed) {
    long blocksBefore = blocks;
    blocks = blocksBefore + 1;
    long compressedBefore = compressed;
    compressed = compressedBefore + (isCompressed ? 1 : 0);
    long plainBefore = plainBytes;
    plainBytes = plainBefore + plain;
    long wireBefore = wireBytes;
    wireBytes = wireBefore + wire;
  }

  /** How many blocks were compressed. */
  long compressed() {
    return compressed;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "compressedBlocks=%d of %d, blockBytes=%d as %d",
        compressed,
        blocks,
        plainBytes,
        wireBytes);
  }
}
