package io.arraywire.examples.cli;

import io.arraywire.Receipt;

/** What one file cost; a counter that one of its receipts does not know is not known. */
final class SendTotals {
  private long wireBytes;
  private long copiedBytes;
  private long channelOperations;

  void add(Receipt receipt) {
    add(receipt.wireBytes(), receipt.copiedBytes(), receipt.channelOperations());
  }

  void add(long moreWireBytes, long moreCopiedBytes, long moreChannelOperations) {
    wireBytes = sum(wireBytes, moreWireBytes);
    copiedBytes = sum(copiedBytes, moreCopiedBytes);
    channelOperations = sum(channelOperations, moreChannelOperations);
  }

  private static long sum(long total, long more) {
    return total == Receipt.UNKNOWN || more == Receipt.UNKNOWN ? Receipt.UNKNOWN : total + more;
  }

  long wireBytes() {
    return wireBytes;
  }

  long copiedBytes() {
    return copiedBytes;
  }

  long channelOperations() {
    return channelOperations;
  }
}
