package io.arraywire.testkit.simulation;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;

/**
 * A thread that runs the events of a {@link Scheduler}, or waits in the middle of one while another
 * worker does. Only one worker of a scheduler moves at any time, so the order of events does not
 * depend on the JVM's threads. Kept for the next simulation, since threads are dear.
 */
final class Worker {
  private static final long IDLE_SECONDS = 3;

  private static final ConcurrentLinkedDeque<Worker> IDLE = new ConcurrentLinkedDeque<>();

  private final LinkedTransferQueue<Scheduler> work = new LinkedTransferQueue<>();

  private Worker() {
    Thread thread = new Thread(this::run, "simulation-worker");
    thread.setDaemon(true);
    thread.start();
  }

  /** Has some worker run a scheduler's events from here on. */
  static void lead(Scheduler scheduler) {
    Worker worker = IDLE.pollLast();
    (worker == null ? new Worker() : worker).work.add(scheduler);
  }

  private void run() {
    while (true) {
      Scheduler scheduler;
      try {
        scheduler = work.poll(IDLE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        // Meant for an event that is over.
        continue;
      }
      if (scheduler != null) {
        scheduler.runEvents();
        boolean unused = Thread.interrupted();
        IDLE.addLast(this);
      } else if (IDLE.remove(this)) {
        return;
      }
    }
  }
}
