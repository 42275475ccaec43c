package io.arraywire.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in one direction, a bounded number of them at a time. It is as unkind as TCP. If a side
 * closes with bytes unread, or is written to afterwards, the other side loses what it has not read
 * yet.
 *
 * <p>Any thread.
 */
final class MemoryPipe {
  private final byte[] ring;

  @GuardedBy("this")
  private int first;

  @GuardedBy("this")
  private int count;

  /** Where the ring begins again: what is written in place may leave its last part unused. */
  @GuardedBy("this")
  private int edge;

  /** Where the writer has been lent memory. */
  @GuardedBy("this")
  private int lent;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean readerGone;

  @GuardedBy("this")
  private @Nullable String broken;

  private @Nullable MemoryPipe reverse;

  @GuardedBy("this")
  private Runnable onReadable = () -> {};

  @GuardedBy("this")
  private Runnable onWritable = () -> {};

  MemoryPipe(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a pipe holds at least a byte (bytes=" + capacity + ")");
    }
    ring = new byte[capacity];
    edge = capacity;
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
    return edge - count;
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
      int upToEdge = Math.min(read, edge - first);
      target.put(ring, first, upToEdge);
      target.put(ring, 0, read - upToEdge);
      first += read;
      count -= read;
      passEdge();
    }
    changed();
    return read;
  }

  /** The reader begins again where the ring does. */
  @GuardedBy("this")
  private void passEdge() {
    if (first >= edge) {
      first -= edge;
      edge = ring.length;
    }
  }

  /** Where the next byte goes. */
  @GuardedBy("this")
  private int next() {
    int next = first + count;
    return next < edge ? next : next - edge;
  }

  /** Writes what there is room for; returns 0 if there is none now. */
  int write(ByteBuffer source) throws IOException {
    int written = 0;
    boolean open;
    synchronized (this) {
      open = isOpen();
      if (open) {
        written = Math.min(room(), source.remaining());
        int at = next();
        int upToEdge = Math.min(written, edge - at);
        source.get(ring, at, upToEdge);
        source.get(ring, 0, written - upToEdge);
        count += written;
      }
    }
    wrote(open, written);
    return written;
  }

  /**
   * Lends the writer a part of the ring, to be written in place and then {@link #commit committed}.
   *
   * @param least the least that it must have, in bytes
   * @return that part; null if there is not so much room now; try again once the reader has taken
   *     bytes
   */
  synchronized @Nullable ByteBuffer space(int least) {
    if (count == 0) {
      first = 0;
      edge = ring.length;
    }
    if (room() < Math.max(1, least)) {
      return null;
    }
    lent = next();
    int room = lent < first ? first - lent : edge - lent;
    if (room < least && lent >= first && first >= least) {
      // Those at the end are too few: they are left out.
      lent = 0;
      room = first;
    }
    return room < least ? null : ByteBuffer.wrap(ring, lent, room).slice();
  }

  /** Adds the next bytes of what was lent, which were written in place. */
  void commit(int bytes) throws IOException {
    boolean open;
    synchronized (this) {
      open = isOpen();
      if (open) {
        int next = next();
        if (lent != next) {
          edge = next;
          passEdge();
        }
        lent += bytes;
        count += bytes;
      }
    }
    wrote(open, bytes);
  }

  /** Whether what is written finds a reader. */
  @GuardedBy("this")
  private boolean isOpen() throws IOException {
    check();
    if (ended) {
      throw new IOException("written after the end of output");
    }
    return !readerGone;
  }

  private void wrote(boolean open, int bytes) throws IOException {
    if (!open) {
      // What the peer had sent before it closed is lost, as when a TCP segment meets a closed port.
      Objects.requireNonNull(reverse, "reverse").breakOff("Connection reset by peer");
      throw new IOException("Broken pipe");
    }
    if (bytes > 0) {
      changed();
    }
  }

  @GuardedBy("this")
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
