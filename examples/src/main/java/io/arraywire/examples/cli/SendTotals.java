package io.arraywire.examples.cli;

import io.arraywire.Receipt;

/** What one file cost; a counter that one of its receipts does not know is not known. */
final class SendTotals {
  private long wireBytes;
  private long copiedBytes;
  private long channelOperations;

  /**
   * Adds an array.
   *
   * @param copiedBefore bytes that were copied before those that the receipt counts
   */
  void add(Receipt receipt, long copiedBefore) {
    wireBytes = sum(wireBytes, receipt.wireBytes());
    copiedBytes = sum(sum(copiedBytes, receipt.copiedBytes()), copiedBefore);
    channelOperations = sum(channelOperations, receipt.channelOperations());
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
