package io.arraywire.examples.file;

import java.io.Closeable;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Reports failures of peers on a thread of its own, one after the other. If what a report writes to
 * takes no more, the threads that move arrays do not wait for it. Any thread.
 *
 * <p>At most {@value #MOST} reports wait. Further ones are dropped and counted: a peer may fail as
 * often as it likes.
 */
public final class Reports implements Closeable {
  private static final int MOST = 1000;
  private static final int CLOSE_SECONDS = 1;

  private final LongConsumer dropped;
  private final AtomicLong untold = new AtomicLong();

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST),
          task -> {
            Thread made = new Thread(task, "reports");
            made.setDaemon(true);
            return made;
          },
          (task, full) -> {
            if (!full.isShutdown()) {
              untold.incrementAndGet();
            }
          });

  /**
   * Makes an empty queue.
   *
   * @param dropped told how many reports were dropped, after the next one that was not; on the
   *     thread of reports
   */
  public Reports(LongConsumer dropped) {
    this.dropped = dropped;
  }

  /**
   * Runs a report soon, unless this is closed.
   *
   * @param report prints it, for instance
   */
  public void tell(Runnable report) {
    thread.execute(() -> {
      report.run();
      long count = untold.getAndSet(0);
      if (count > 0) {
        dropped.accept(count);
      }
    });
  }

  /** Waits a moment for reports that were handed in before. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      boolean unused = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
