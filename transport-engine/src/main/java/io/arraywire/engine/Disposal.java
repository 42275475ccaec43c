package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until neither the thread that reads nor the one that writes uses the memory of a connection
 * that ends; then it has ended. Any thread.
 */
final class Disposal {
  private final ReentrantLock lock;
  private final Runnable over;

  @GuardedBy("lock")
  private boolean inputDisposed;

  @GuardedBy("lock")
  private boolean outputDisposed;

  /**
   * Waits for both threads.
   *
   * @param over called once, without the lock, by the last of them
   */
  Disposal(ReentrantLock lock, Runnable over) {
    this.lock = lock;
    this.over = over;
  }

  /** One of the threads is done. */
  void disposed(WireEnd.Direction direction) {
    lock.lock();
    try {
      inputDisposed |= direction == WireEnd.Direction.INPUT;
      outputDisposed |= direction == WireEnd.Direction.OUTPUT;
      if (!inputDisposed || !outputDisposed) {
        return;
      }
    } finally {
      lock.unlock();
    }
    over.run();
  }
}
