package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** What the sending ends without a library share: counting what is in flight. */
abstract class RawSender implements Contender.Sender {
  private final RawSocket socket;
  private final RawAcks acks;

  RawSender(RawSocket socket) {
    this.socket = socket;
    acks = new RawAcks(socket);
  }

  /** Writes the first elements, so many times. */
  abstract void write(int count, int arrays) throws IOException;

  @Override
  public final void send(int count) throws IOException {
    write(count, 1);
    acks.take(1);
  }

  @Override
  public final long stream(int count, int window, BooleanSupplier more) throws IOException {
    // Half a window at a time: the other half is in flight meanwhile, and a system call has work
    // for it.
    int batch = Math.max(1, window / 2);
    long sent = 0;
    long acknowledged = 0;
    while (more.getAsBoolean()) {
      while (sent + batch - acknowledged > window) {
        acknowledged += acks.take(sent - acknowledged);
      }
      write(count, batch);
      sent += batch;
    }
    while (acknowledged < sent) {
      acknowledged += acks.take(sent - acknowledged);
    }
    return sent;
  }

  @Override
  public final void close() throws IOException {
    socket.close();
  }
}
