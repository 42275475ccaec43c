package io.arraywire.benchmarks.bench;

import java.util.function.BooleanSupplier;

/** The sending end where a library's thread reads acknowledgements. */
abstract class AcknowledgedSender implements Contender.Sender {
  /** Of arrays. */
  final Acknowledged acknowledged = new Acknowledged();

  private long sent;

  /** Sends the first elements, so many times, without waiting for acknowledgements. */
  abstract void write(int count, int arrays) throws Exception;

  @Override
  public final void send(int count) throws Exception {
    write(count, 1);
    sent++;
    acknowledged.await(sent);
  }

  @Override
  public final long stream(int count, int window, BooleanSupplier more) throws Exception {
    // Half a window at a time, as the contenders without a library do.
    int batch = Math.max(1, window / 2);
    long before = sent;
    while (more.getAsBoolean()) {
      acknowledged.await(sent + batch - window);
      write(count, batch);
      sent += batch;
    }
    acknowledged.await(sent);
    return sent - before;
  }
}
