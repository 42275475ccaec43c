package io.arraywire.examples.demo;

import io.arraywire.Receipt;

/** A receipt in words, from a child process to its parent. */
final class ReceiptWords {
  private ReceiptWords() {}

  static String of(Receipt receipt) {
    return receipt.elements()
        + " "
        + receipt.wireBytes()
        + " "
        + receipt.copiedBytes()
        + " "
        + receipt.channelOperations()
        + " "
        + receipt.pooledBytes();
  }

  static Receipt parse(String words) {
    String[] counters = words.split(" ", -1);
    return new Receipt(
        Long.parseLong(counters[0]),
        Long.parseLong(counters[1]),
        Long.parseLong(counters[2]),
        Long.parseLong(counters[3]),
        Long.parseLong(counters[4]));
  }
}
