package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a connection: one thread reads, another writes each portion so long after it was
 * read. Many portions wait at the same time, so the delay is no limit of the rate before they are
 * 16 MiB together; then reading waits.
 */
final class DelayedBytes {
  private static final int PORTION_BYTES = 64 << 10;
  private static final int PORTIONS = 256;

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
  private final BlockingQueue<Portion> waiting = new LinkedBlockingQueue<>();
  private final BlockingQueue<ByteBuffer> free = new LinkedBlockingQueue<>();

  private DelayedBytes(SocketChannel from, SocketChannel to, long nanos) {
    this.from = from;
    this.to = to;
    this.nanos = nanos;
  }

  /** Starts to carry; ends with the stream. */
  static void carry(SocketChannel from, SocketChannel to, long nanos) throws IOException {
    to.setOption(StandardSocketOptions.TCP_NODELAY, true);
    DelayedBytes delayed = new DelayedBytes(from, to, nanos);
    DaemonThread.start("read", delayed::read);
    DaemonThread.start("write", delayed::write);
  }

  private void read() throws IOException, InterruptedException {
    int made = 0;
    while (true) {
      ByteBuffer bytes = free.poll();
      if (bytes == null && made < PORTIONS) {
        bytes = ByteBuffer.allocateDirect(PORTION_BYTES);
        made++;
      } else if (bytes == null) {
        bytes = free.take();
      }
      int read;
      try {
        read = from.read(bytes.clear());
      } catch (IOException e) {
        // For the other side it is the end.
        read = -1;
      }
      waiting.add(new Portion(bytes.flip(), System.nanoTime() + nanos));
      if (read < 0) {
        return;
      }
    }
  }

  private void write() throws IOException, InterruptedException {
    while (true) {
      Portion portion = waiting.take();
      for (long left = portion.due() - System.nanoTime();
          left > 0;
          left = portion.due() - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      if (!portion.bytes().hasRemaining()) {
        to.shutdownOutput();
        return;
      }
      while (portion.bytes().hasRemaining()) {
        to.write(portion.bytes());
      }
      free.add(portion.bytes());
    }
  }
}
