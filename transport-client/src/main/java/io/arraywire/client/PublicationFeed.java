package io.arraywire.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The publications of a subscription over one connection. Tells of the gap before its first array,
 * and of its end once the subscription has adopted it. Any thread; one call of the user's handler
 * at a time.
 */
final class PublicationFeed implements ArrayHandler {
  private final PublicationHandler handler;
  private final Consumer<@Nullable ArraywireException> ended;

  /** Held while the user's handler hears of the gap. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Tells of the gap; null if there is none, or it was told. */
  @GuardedBy("lock")
  private @Nullable Runnable gap;

  /** Whether it was adopted, or has ended: the second of the two is told. */
  private final AtomicBoolean first = new AtomicBoolean();

  private volatile @Nullable ArraywireException cause;

  PublicationFeed(
      PublicationHandler handler,
      @Nullable Runnable gap,
      Consumer<@Nullable ArraywireException> ended) {
    this.handler = handler;
    this.gap = gap;
    this.ended = ended;
  }

  /** The publisher has taken the subscription. One that it did not take ends without a word. */
  void adopt() {
    try {
      tellGap();
    } finally {
      meet();
    }
  }

  /** What it throws shall cost neither the array behind the gap nor the subscription. */
  private void tellGap() {
    lock.lock();
    try {
      Runnable untold = gap;
      gap = null;
      if (untold != null) {
        untold.run();
      }
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws Exception {
    tellGap();
    handler.onArray(array);
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException why) {
    cause = why;
    meet();
  }

  private void meet() {
    if (!first.compareAndSet(false, true)) {
      ended.accept(cause);
    }
  }
}
