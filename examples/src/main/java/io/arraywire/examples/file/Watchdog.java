package io.arraywire.examples.file;

import io.arraywire.ArraywireException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes a blocking channel on which nothing moves for too long, since its calls cannot be told how
 * long to wait. The call that waited then fails, and {@link #failure()} says why.
 */
final class Watchdog implements Closeable {
  /** So much must move in the time that is given, lest an array of single bytes take for ever. */
  static final long LEAST_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final Thread thread = new Thread(this::watch, "file-watchdog");
  private @Nullable Supplier<ArraywireException> words;
  private @Nullable ArraywireException failure;
  private long limitNanos;
  private boolean closed;
  private volatile long lastMoved;

  /** What has moved since then; of the thread that moves. */
  private long moved;

  Watchdog(SocketChannel channel) {
    this.channel = channel;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * From now on {@link #LEAST_BYTES} must move within a time, again and again.
   *
   * @param limit the time
   * @param reason makes the failure if it is longer
   */
  synchronized void expect(Duration limit, Supplier<ArraywireException> reason) {
    moved = 0;
    lastMoved = System.nanoTime();
    limitNanos = limit.toNanos();
    words = reason;
    notifyAll();
  }

  /** Bytes moved. */
  void moved(long bytes) {
    moved += bytes;
    if (moved >= LEAST_BYTES) {
      moved = 0;
      lastMoved = System.nanoTime();
    }
  }

  /** Why it closed the channel, or null if it did not. */
  synchronized @Nullable ArraywireException failure() {
    return failure;
  }

  private synchronized void watch() {
    try {
      while (!closed && failure == null) {
        if (words == null) {
          wait();
          continue;
        }
        long left = limitNanos - (System.nanoTime() - lastMoved);
        if (left <= 0) {
          failure = words.get();
          channel.close();
        } else {
          wait(left / 1_000_000 + 1);
        }
      }
    } catch (InterruptedException | IOException e) {
      // Nobody interrupts it, and a channel that cannot be closed properly is closed all the same.
      closed = true;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
