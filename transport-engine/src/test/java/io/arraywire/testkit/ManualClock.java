package io.arraywire.testkit;

import io.arraywire.engine.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A clock that goes when a test says so. */
final class ManualClock implements Deadlines {
  private final List<Deadline> deadlines = new ArrayList<>();
  private long now;

  private record Deadline(long at, Runnable task) {}

  @Override
  public synchronized Runnable after(Duration delay, Runnable task) {
    Deadline deadline = new Deadline(now + delay.toNanos(), task);
    deadlines.add(deadline);
    return () -> {
      synchronized (this) {
        deadlines.remove(deadline);
      }
    };
  }

  /** Lets time pass and runs what is due. */
  void advance(Duration time) {
    List<Deadline> due = new ArrayList<>();
    synchronized (this) {
      now += time.toNanos();
      for (Deadline deadline : deadlines) {
        if (deadline.at <= now) {
          due.add(deadline);
        }
      }
      deadlines.removeAll(due);
    }
    due.forEach(deadline -> deadline.task.run());
  }

  synchronized int waiting() {
    return deadlines.size();
  }
}
