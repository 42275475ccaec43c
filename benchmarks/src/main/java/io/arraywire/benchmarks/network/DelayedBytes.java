package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a connection: one thread reads, another writes each portion so long after it was
 * read. Many portions wait at the same time, so the delay does not limit the rate at first. Reading
 * waits once 16 MiB of this direction, or {@link #MOST_BYTES} of all connections, wait to be
 * written. Bytes that wait are all kept in memory.
 */
final class DelayedBytes {
  /** What may wait of all connections together. */
  static final int MOST_BYTES = 128 << 20;

  private static final int PORTION_BYTES = 64 << 10;
  private static final int MOST_OF_ONE = 16 << 20;

  private static final Semaphore ROOM_OF_ALL = new Semaphore(MOST_BYTES);

  /**
   * Bytes that wait.
   *
   * @param bytes the bytes; none if the stream has ended
   * @param due when they go on, by {@code System.nanoTime}
   */
  private record Portion(ByteBuffer bytes, long due) {}

  private final SocketChannel from;
  private final SocketChannel to;
  private final long nanos;
  private final AtomicInteger directions;
  private final BlockingQueue<Portion> waiting = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(MOST_OF_ONE);

  private DelayedBytes(SocketChannel from, SocketChannel to, long nanos, AtomicInteger directions) {
    this.from = from;
    this.to = to;
    this.nanos = nanos;
    this.directions = directions;
  }

  /**
   * Starts to carry, both ways. Both connections are closed when both have ended, or when one of
   * them breaks.
   */
  static void carryBothWays(SocketChannel one, SocketChannel other, long nanos) throws IOException {
    one.setOption(StandardSocketOptions.TCP_NODELAY, true);
    other.setOption(StandardSocketOptions.TCP_NODELAY, true);
    AtomicInteger directions = new AtomicInteger(2);
    new DelayedBytes(one, other, nanos, directions).start();
    new DelayedBytes(other, one, nanos, directions).start();
  }

  private void start() {
    Thread reader = DaemonThread.start("read", this::read);
    DaemonThread.start(
        "write",
        () -> {
          try {
            write();
          } finally {
            // It may wait for room that nobody makes any more.
            reader.interrupt();
          }
        });
  }

  private void read() throws IOException, InterruptedException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(PORTION_BYTES);
    int read;
    do {
      try {
        read = from.read(buffer.clear());
      } catch (IOException e) {
        // For the other side it is the end.
        read = -1;
      }
      ByteBuffer bytes = ByteBuffer.allocate(Math.max(0, read)).put(buffer.flip()).flip();
      // Before it takes room, so that what waits for room is late by no more than that.
      long due = System.nanoTime() + nanos;
      room.acquire(bytes.remaining());
      ROOM_OF_ALL.acquire(bytes.remaining());
      waiting.add(new Portion(bytes, due));
    } while (read >= 0);
  }

  private void write() throws IOException, InterruptedException {
    try {
      while (true) {
        Portion portion = waiting.take();
        int bytes = portion.bytes().remaining();
        for (long left = portion.due() - System.nanoTime();
            left > 0;
            left = portion.due() - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        if (bytes == 0) {
          to.shutdownOutput();
          break;
        }
        try {
          while (portion.bytes().hasRemaining()) {
            to.write(portion.bytes());
          }
        } finally {
          room.release(bytes);
          ROOM_OF_ALL.release(bytes);
        }
      }
    } catch (IOException e) {
      closeBoth();
      throw e;
    } finally {
      waiting.forEach(each -> ROOM_OF_ALL.release(each.bytes().remaining()));
      if (directions.decrementAndGet() == 0) {
        closeBoth();
      }
    }
  }

  private void closeBoth() throws IOException {
    try {
      from.close();
    } finally {
      to.close();
    }
  }
}
