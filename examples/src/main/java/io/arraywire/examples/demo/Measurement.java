package io.arraywire.examples.demo;

import io.arraywire.Receipt;
import io.arraywire.examples.report.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the rounds of one contender gave. Not for use by several threads. */
final class Measurement {
  private final Contender contender;
  private final long encodedBytes;
  private final List<Long> nanos = new ArrayList<>();
  private double copiesPerByte = Double.NaN;
  private double operationsPerMebibyte = Double.NaN;
  private boolean verified = true;

  /**
   * Makes an empty measurement.
   *
   * @param contender what is measured
   * @param encodedBytes the size of its array on the wire
   */
  Measurement(Contender contender, long encodedBytes) {
    this.contender = contender;
    this.encodedBytes = encodedBytes;
  }

  /**
   * Adds a round.
   *
   * @param time nanoseconds from the call of send to the acknowledgement
   * @param sent the sender's receipt
   * @param received the receiver's receipt
   * @param same whether what arrived is bit-identical to what was sent
   */
  void add(long time, Receipt sent, Receipt received, boolean same) {
    nanos.add(time);
    verified &= same;
    copiesPerByte = sent.copiesPerByte(encodedBytes) + received.copiesPerByte(encodedBytes);
    operationsPerMebibyte =
        sent.channelOperations() == Receipt.UNKNOWN
                || received.channelOperations() == Receipt.UNKNOWN
                || encodedBytes == 0
            ? Double.NaN
            : (sent.channelOperations() + received.channelOperations())
                / (encodedBytes / (double) (1 << 20));
  }

  Contender contender() {
    return contender;
  }

  long encodedBytes() {
    return encodedBytes;
  }

  /** The median time in nanoseconds; of an even number of rounds the lower of the middle two. */
  long medianNanos() {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return sorted.get((sorted.size() - 1) / 2);
  }

  List<Long> nanos() {
    return Collections.unmodifiableList(nanos);
  }

  double megabytesPerSecond() {
    return Units.megabytesPerSecond(contender.bytes(), medianNanos());
  }

  /** Copies of each byte in user space, at both ends together, in the last round. */
  double copiesPerByte() {
    return copiesPerByte;
  }

  /** Reads and writes of sockets for each MiB, at both ends together, in the last round. */
  double operationsPerMebibyte() {
    return operationsPerMebibyte;
  }

  /** Whether every round's array arrived bit by bit as it was sent. */
  boolean verified() {
    return verified && !nanos.isEmpty();
  }
}
