package io.arraywire.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in one direction, a bounded number of them at a time. As unkind as TCP: who closes while
 * there is something to read, or is written to afterwards, takes from the other side what it has
 * not read yet.
 *
 * <p>Any thread.
 */
final class MemoryPipe {
  private final byte[] ring;
  private int first;
  private int count;
  private boolean ended;
  private boolean readerGone;
  private @Nullable String broken;

  private @Nullable MemoryPipe reverse;
  private Runnable onReadable = () -> {};
  private Runnable onWritable = () -> {};

  MemoryPipe(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a pipe holds at least a byte (bytes=" + capacity + ")");
    }
    ring = new byte[capacity];
  }

  static void join(MemoryPipe one, MemoryPipe other) {
    one.reverse = other;
    other.reverse = one;
  }

  /** Has something run when there may be something to read; at once, too. */
  void onReadable(Runnable signal) {
    synchronized (this) {
      onReadable = signal;
    }
    signal.run();
  }

  /** Has something run when there may be room; at once, too. */
  void onWritable(Runnable signal) {
    synchronized (this) {
      onWritable = signal;
    }
    signal.run();
  }

  private void changed() {
    Runnable readable;
    Runnable writable;
    synchronized (this) {
      notifyAll();
      readable = onReadable;
      writable = onWritable;
    }
    readable.run();
    writable.run();
  }

  synchronized int available() {
    return count;
  }

  synchronized int room() {
    return ring.length - count;
  }

  /**
   * Reads what there is; returns 0 if there is nothing now and -1 if there will be nothing more.
   */
  int read(ByteBuffer target) throws IOException {
    int read;
    synchronized (this) {
      check();
      if (count == 0) {
        return ended ? -1 : 0;
      }
      read = Math.min(count, target.remaining());
      int upToEdge = Math.min(read, ring.length - first);
      target.put(ring, first, upToEdge);
      target.put(ring, 0, read - upToEdge);
      first = (first + read) % ring.length;
      count -= read;
    }
    changed();
    return read;
  }

  /** Writes what there is room for; returns 0 if there is none now. */
  int write(ByteBuffer source) throws IOException {
    int written = 0;
    MemoryPipe back = null;
    synchronized (this) {
      check();
      if (ended) {
        throw new IOException("written after the end of output");
      }
      if (readerGone) {
        back = Objects.requireNonNull(reverse, "reverse");
      } else {
        written = Math.min(room(), source.remaining());
        int at = (first + count) % ring.length;
        int upToEdge = Math.min(written, ring.length - at);
        source.get(ring, at, upToEdge);
        source.get(ring, 0, written - upToEdge);
        count += written;
      }
    }
    if (back != null) {
      // What the peer had sent before it closed is lost, as when a TCP segment meets a closed port.
      back.breakOff("Connection reset by peer");
      throw new IOException("Broken pipe");
    }
    if (written > 0) {
      changed();
    }
    return written;
  }

  private void check() throws IOException {
    if (broken != null) {
      throw new IOException(broken);
    }
  }

  /** The writer is done; what it wrote can still be read. */
  void end() {
    synchronized (this) {
      ended = true;
    }
    changed();
  }

  /** The reader is gone; returns whether there was something that it had not read. */
  boolean closeReader() {
    boolean unread;
    synchronized (this) {
      readerGone = true;
      unread = count > 0;
      count = 0;
    }
    changed();
    return unread;
  }

  /** From now on reading and writing fail. */
  void breakOff(String why) {
    synchronized (this) {
      if (broken == null) {
        broken = why;
      }
    }
    changed();
  }

  /** Waits until reading gives something, the end or a failure. */
  synchronized void awaitReadable() throws InterruptedException {
    while (count == 0 && !ended && broken == null) {
      wait();
    }
  }

  /** Waits until writing takes something or fails. */
  synchronized void awaitWritable() throws InterruptedException {
    while (room() == 0 && !ended && !readerGone && broken == null) {
      wait();
    }
  }
}
