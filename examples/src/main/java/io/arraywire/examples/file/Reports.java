package io.arraywire.examples.file;

import java.io.Closeable;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells of peers on a thread of its own, one report after the other, so that a terminal that takes
 * no more holds up no transfer. Any thread.
 *
 * <p>At most {@value #MOST} reports wait. Further ones are dropped: a peer may fail as often as it
 * likes.
 */
public final class Reports implements Closeable {
  private static final int MOST = 1000;
  private static final int CLOSE_SECONDS = 1;

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
          new ThreadPoolExecutor.DiscardPolicy());

  /** Makes an empty queue. */
  public Reports() {}

  /**
   * Tells something soon, unless this is closed.
   *
   * @param report prints it, for instance
   */
  public void tell(Runnable report) {
    thread.execute(report);
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
