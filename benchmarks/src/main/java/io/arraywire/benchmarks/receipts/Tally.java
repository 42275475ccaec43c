package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayInfo;
import io.arraywire.Receipt;

/** Adds receipts up, from any thread and without garbage. */
final class Tally {
  private long arrays;
  private long copiedBytes;
  private long operations;

  synchronized void clear() {
    arrays = 0;
    copiedBytes = 0;
    operations = 0;
  }

  void add(Receipt receipt) {
    add(receipt.copiedBytes(), receipt.channelOperations());
  }

  void add(ArrayInfo note) {
    add(note.copiedBytes(), note.channelOperations());
  }

  private synchronized void add(long copied, long moved) {
    arrays++;
    copiedBytes = plus(copiedBytes, copied);
    operations = plus(operations, moved);
  }

  /** An array of which nothing is heard. */
  synchronized void addUnknown() {
    arrays++;
    copiedBytes = Receipt.UNKNOWN;
    operations = Receipt.UNKNOWN;
  }

  private static long plus(long sum, long more) {
    return sum == Receipt.UNKNOWN || more == Receipt.UNKNOWN ? Receipt.UNKNOWN : sum + more;
  }

  synchronized long arrays() {
    return arrays;
  }

  /** The words of an answer, which {@link Cost#parse} understands. */
  synchronized String[] words(long allocatedBytes) {
    return new String[] {
      Long.toString(arrays),
      Long.toString(copiedBytes),
      Long.toString(operations),
      Long.toString(allocatedBytes)
    };
  }
}
