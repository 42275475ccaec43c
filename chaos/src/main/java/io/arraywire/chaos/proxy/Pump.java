package io.arraywire.chaos.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** Forwards one direction of a connection, in a thread of its own, and does its faults. */
final class Pump implements Runnable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long SECOND = 1_000_000_000;
  private static final long THROTTLED_PORTIONS_PER_SECOND = 50;

  private final FaultProxy proxy;
  private final ProxiedConnection connection;
  private final Direction direction;
  private final Socket from;
  private final Socket to;
  private final Deque<Fault> faults;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  private long position;
  private int flips;
  private int splitBytes = BUFFER_BYTES;
  private long delayNanos;
  private long bytesPerSecond;
  private long mayWriteAt = System.nanoTime();

  Pump(
      FaultProxy proxy,
      ProxiedConnection connection,
      Direction direction,
      Socket from,
      Socket to,
      List<Fault> faults) {
    this.proxy = proxy;
    this.connection = connection;
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.faults =
        new ArrayDeque<>(
            faults.stream()
                .filter(fault -> fault.direction() == direction)
                .sorted(Comparator.comparingLong(Fault::afterBytes))
                .toList());
  }

  @Override
  public void run() {
    try {
      forward();
    } catch (IOException e) {
      connection.broke();
    }
    drain();
    connection.ended(direction);
  }

  private void forward() throws IOException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    while (true) {
      doFaults();
      proxy.partitionGate().await(connection::isOver);
      if (connection.isOver()) {
        return;
      }
      int length = in.read(buffer, 0, portion());
      if (length < 0) {
        // Bytes that were held back must not be overtaken by the end.
        proxy.partitionGate().await(connection::isOver);
        to.shutdownOutput();
        return;
      }
      // What was in flight when the network parted does not arrive either.
      proxy.partitionGate().await(connection::isOver);
      proxy.partitionGate().pause(delayNanos, connection::isOver);
      write(out, length);
    }
  }

  /** Does what is due at this position, and leaves the next fault at the head. */
  private void doFaults() {
    for (Fault fault = faults.peek();
        fault != null && fault.afterBytes() <= position && !connection.isOver();
        fault = faults.peek()) {
      faults.remove();
      proxy.did(fault.kind());
      switch (fault.kind()) {
        case CUT -> connection.cut();
        case RESET -> connection.reset();
        case STALL -> proxy.partitionGate().pause(fault.amount(), connection::isOver);
        case THROTTLE -> bytesPerSecond = fault.amount();
        case FLIP -> flips ^= 1 << fault.amount();
        case DELAY -> delayNanos = fault.amount();
        case SPLIT -> splitBytes = (int) Math.min(fault.amount(), BUFFER_BYTES);
        case PARTITION -> proxy.shutPartition(fault.amount());
        case REFUSE -> proxy.shutListening(fault.amount());
      }
    }
  }

  /** How much to read: never past the next fault, and little at a time where there is a rate. */
  private int portion() {
    long most = BUFFER_BYTES;
    Fault next = faults.peek();
    if (next != null) {
      most = Math.min(most, next.afterBytes() - position);
    }
    if (bytesPerSecond > 0) {
      most = Math.min(most, Math.max(1, bytesPerSecond / THROTTLED_PORTIONS_PER_SECOND));
    }
    return (int) most;
  }

  private void write(OutputStream out, int length) throws IOException {
    // A flip is due at the first byte of a portion, for a portion ends before the next fault.
    buffer[0] ^= (byte) flips;
    flips = 0;
    for (int done = 0; done < length; ) {
      int part = Math.min(splitBytes, length - done);
      keepRate(part);
      if (connection.isOver()) {
        return;
      }
      out.write(buffer, done, part);
      done += part;
      position += part;
      proxy.forwarded(direction, part);
    }
  }

  private void keepRate(int bytes) {
    if (bytesPerSecond == 0) {
      return;
    }
    long now = System.nanoTime();
    proxy.partitionGate().pause(mayWriteAt - now, connection::isOver);
    long start = mayWriteAt - now > 0 ? mayWriteAt : now;
    mayWriteAt = start + bytes * SECOND / bytesPerSecond;
  }

  /** After a cut, reads what still comes: unread bytes would make the kernel send RST for FIN. */
  private void drain() {
    if (!connection.isCut()) {
      return;
    }
    try {
      InputStream in = from.getInputStream();
      while (in.read(buffer) >= 0) {
        // Thrown away.
      }
    } catch (IOException e) {
      // Then there is nothing left to read.
    }
  }
}
