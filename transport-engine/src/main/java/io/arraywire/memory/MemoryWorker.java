package io.arraywire.memory;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** A thread that works when it is signalled, and sleeps in between. */
final class MemoryWorker {
  private final Semaphore signals = new Semaphore(0);
  private final Thread thread;

  /** Does its work until there is no more for now, and returns whether there ever will be. */
  MemoryWorker(String name, BooleanSupplier work) {
    thread =
        new Thread(
            () -> {
              do {
                signals.acquireUninterruptibly();
                signals.drainPermits();
              } while (work.getAsBoolean());
            },
            name);
    thread.setDaemon(true);
  }

  /** Starts it, once; more often does nothing. */
  synchronized void start() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
      signal();
    }
  }

  void signal() {
    signals.release();
  }
}
