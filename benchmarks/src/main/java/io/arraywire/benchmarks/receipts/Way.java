package io.arraywire.benchmarks.receipts;

import java.util.Arrays;

/** A way to send. The far side has {@code receiveInto} in all of them. */
enum Way {
  SEND("send"),
  SEND_ASYNC("sendAsync"),
  OFFER("offer");

  /** What it is called in the table. */
  final String label;

  Way(String label) {
    this.label = label;
  }

  static Way of(String label) {
    return Arrays.stream(values())
        .filter(way -> way.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such way to send (way=" + label + ")"));
  }
}
