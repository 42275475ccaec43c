package io.arraywire.testkit.simulation;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs the events of a {@link Scheduler}, or waits in the middle of one while another
 * worker does. Only one worker of a scheduler moves at any time, so the order of events does not
 * depend on the JVM's threads. Kept for the next simulation, since threads are dear.
 *
 * <p>An idle worker parks at once. Queues of the JDK look for work a while before that, and would
 * do so at each wait of each event.
 */
final class Worker {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final ConcurrentLinkedDeque<Worker> IDLE = new ConcurrentLinkedDeque<>();

  private final Thread thread;
  private volatile @Nullable Scheduler work;

  private Worker(Scheduler first) {
    work = first;
    thread = new Thread(this::run, "simulation-worker");
    thread.setDaemon(true);
  }

  /** Has some worker run a scheduler's events from here on. */
  static void lead(Scheduler scheduler) {
    Worker worker = IDLE.pollLast();
    if (worker == null) {
      new Worker(scheduler).thread.start();
    } else {
      worker.work = scheduler;
      LockSupport.unpark(worker.thread);
    }
  }

  private void run() {
    for (Scheduler next = work; next != null; next = await()) {
      work = null;
      next.runEvents();
      // It may have been meant for an event that is over.
      boolean unused = Thread.interrupted();
      IDLE.addLast(this);
    }
  }

  /** What is to be run next; null if nobody wants this worker any more. */
  private @Nullable Scheduler await() {
    long end = System.nanoTime() + IDLE_NANOS;
    while (true) {
      Scheduler next = work;
      if (next != null) {
        return next;
      }
      long left = end - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
        boolean unused = Thread.interrupted();
      } else if (IDLE.remove(this)) {
        return null;
      }
    }
  }
}
