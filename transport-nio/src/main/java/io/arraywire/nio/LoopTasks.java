package io.arraywire.nio;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an event loop is to do beside its channels. Any thread may add; the thread that runs the
 * loop does the rest.
 */
final class LoopTasks {
  /** Work that may wait is done after this time, and before twice as much. */
  private static final long LATE = TimeUnit.MICROSECONDS.toNanos(500);

  private final Consumer<Throwable> onFailure;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** What others than the driver have work for, the last first. */
  private final AtomicReference<@Nullable LoopWork> works = new AtomicReference<>();

  /** What the driver has work for, the first first. */
  private final ArrayDeque<LoopWork> followUps = new ArrayDeque<>();

  /** What the driver has work for that may wait, and when that was looked at. */
  private final ArrayDeque<LoopWork> late = new ArrayDeque<>();

  private long lateSince;

  /** Whether the last turn left work over; for threads that do not run the loop. */
  private volatile boolean goesOn;

  /** Makes empty lists; what a task throws goes to {@code onFailure}. */
  LoopTasks(Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  void add(Runnable task) {
    tasks.add(task);
  }

  /** Adds work of a thread that does not run the loop. */
  void add(LoopWork work) {
    LoopWork first;
    do {
      first = works.get();
      work.next = first;
      // Only whole lists are taken, so it does not matter if the same one was first in between.
    } while (!works.compareAndSet(first, work));
  }

  /** Adds work of the thread that runs the loop. */
  void addFollowUp(LoopWork work) {
    followUps.add(work);
  }

  /** Whether there is something to do that a thread can see which is not the driver. */
  boolean isWaiting() {
    return works.get() != null || !tasks.isEmpty() || goesOn;
  }

  /** Whether there is something to do at all, for the driver. */
  boolean isWaitingForDriver() {
    return isWaiting() || !followUps.isEmpty();
  }

  boolean hasFollowUps() {
    return !followUps.isEmpty();
  }

  void clearFollowUps() {
    followUps.clear();
    late.clear();
  }

  /** Does what the driver has work for until now; returns whether more came of it. */
  boolean doFollowUps() {
    for (int i = followUps.size(); i > 0; i--) {
      run(followUps.remove());
    }
    // Work that was cut short so that others have their turn.
    boolean left = !followUps.isEmpty();
    if (left != goesOn) {
      goesOn = left;
    }
    return left;
  }

  /** Adds work of the thread that runs the loop that may wait. */
  void addLate(LoopWork work) {
    if (work.owesLate()) {
      if (late.isEmpty()) {
        lateSince = System.nanoTime();
      }
      late.add(work);
    }
  }

  /** Whether work that may wait has waited for a while, for the driver. */
  boolean isLateDue(long now) {
    return !late.isEmpty() && now - lateSince >= LATE;
  }

  boolean hasLate() {
    return !late.isEmpty();
  }

  /** Does what has waited for a while, or all that may wait. */
  void doLate(long now, boolean all) {
    lateSince = now;
    for (int i = late.size(); i > 0; i--) {
      LoopWork work = late.remove();
      try {
        if (work.passLate(all)) {
          late.add(work);
        }
      } catch (Throwable e) {
        onFailure.accept(e);
      }
    }
  }

  void doAll() {
    Runnable task;
    boolean worked;
    do {
      task = tasks.poll();
      // After that: what a thread wanted before it handed in a task is done before the task.
      worked = doWorks();
      if (task != null) {
        run(task);
      }
    } while (worked || task != null);
  }

  /** Does what others had work for until now; returns whether there was any. */
  private boolean doWorks() {
    LoopWork taken = works.get() == null ? null : works.getAndSet(null);
    LoopWork first = null;
    while (taken != null) {
      LoopWork before = taken.next;
      taken.next = first;
      first = taken;
      taken = before;
    }
    boolean any = first != null;
    while (first != null) {
      LoopWork work = first;
      first = work.next;
      // Before it runs: from then on it may be in a list again.
      work.next = null;
      run(work);
    }
    return any;
  }

  private void run(LoopWork work) {
    try {
      work.run();
    } catch (Throwable e) {
      onFailure.accept(e);
    }
  }

  void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      onFailure.accept(e);
    }
  }
}
