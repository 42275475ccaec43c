package io.arraywire.nio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that looks after the tasks of an event loop's thread. It takes that one's place if a
 * task waits from one {@linkplain #LOOK look} to the next, or goes on for {@linkplain #LOOKS some}
 * of them. It starts with the first task, sleeps while there are none, and ends after a while
 * without. So it is there before it is needed, and takes over also where the process is out of
 * threads.
 */
final class LoopStandby {
  /** How often it looks: a task that waits has the loop's thread for twice as long at most. */
  static final long LOOK = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * After how many looks it takes the place of a thread that runs, or waits where Java does not see
   * it. The thread may only lack a processor, and the standby would then lack one, too.
   */
  private static final int LOOKS = 5;

  /** For how long such a task has the loop's thread, within one look. */
  static final long LONGEST = LOOKS * LOOK;

  /** After how long without a task it ends. */
  private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

  /** The thread that it stands by. */
  interface Post {
    /** The shift of that thread, which does not change but by {@link #takeOver}. */
    LoopShift shift();

    /**
     * Has the calling thread be the loop's from now on, unless the task is over.
     *
     * @param waited whether the task waits for something
     */
    void takeOver(LoopShift stuck, long begun, LoopShift own, boolean waited);

    /** Runs the loop, as its thread. */
    void run();
  }

  private final String name;
  private final Post post;
  private final Consumer<Throwable> onFailure;
  private final LoopWatch watch = new LoopWatch(LoopWatch.State.NONE);
  private volatile @Nullable Thread thread;
  private volatile boolean over;

  /**
   * Makes one without a thread.
   *
   * @param name of the thread while it stands by
   * @param onFailure gets what fails, which does not end it
   */
  LoopStandby(String name, Post post, Consumer<Throwable> onFailure) {
    this.name = name;
    this.post = post;
    this.onFailure = onFailure;
  }

  // The loop's thread.

  /** A task has begun; returns whether somebody looks after it: else it must not run here. */
  boolean looks() {
    return switch (watch.wanted()) {
      case LOOKS -> true;
      case SLEEPS -> {
        LockSupport.unpark(thread);
        yield true;
      }
      case NONE -> starts();
    };
  }

  private boolean starts() {
    boolean started = false;
    try {
      Thread next = new Thread(this::run, name);
      next.setDaemon(true);
      thread = next;
      next.start();
      started = true;
    } catch (Throwable e) {
      // The process is out of threads.
      onFailure.accept(e);
    } finally {
      if (!started) {
        watch.none();
      }
    }
    return started;
  }

  /** There will be no task any more. */
  void end() {
    over = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the thread to be gone after that; returns whether it is. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    Thread last = thread;
    if (last == null || last.equals(Thread.currentThread())) {
      return true;
    }
    TimeUnit.NANOSECONDS.timedJoin(last, nanos);
    return !last.isAlive();
  }

  // Its thread.

  private void run() {
    LoopShift own = new LoopShift(Thread.currentThread());
    LoopShift shift = post.shift();
    boolean stands = true;
    int looks = 0;
    for (long seen = shift.count(); stands && !over && !isLoops(own); ) {
      rest(System.nanoTime() + LOOK);
      long count = shift.count();
      looks = count == seen ? looks + 1 : 0;
      try {
        if (looks > 0 && LoopShift.isAtTask(count)) {
          boolean waits = shift.thread().getState() != Thread.State.RUNNABLE;
          if (waits || looks >= LOOKS) {
            post.takeOver(shift, count, own, waits);
          }
        } else if (looks > 0) {
          stands = awaitTask(shift, count);
        }
      } catch (Throwable e) {
        onFailure.accept(e);
      }
      seen = count;
    }
    if (isLoops(own)) {
      // It looks after itself no more.
      watch.none();
      post.run();
    }
  }

  private boolean isLoops(LoopShift own) {
    return post.shift().equals(own);
  }

  private void rest(long end) {
    for (long left = end - System.nanoTime(); left > 0 && !over; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      // Nobody has a reason to.
      Thread.interrupted();
    }
  }

  /** Sleeps until there is a task; returns false if it ends, for there was none for long. */
  private boolean awaitTask(LoopShift shift, long count) {
    if (!watch.sleeps(shift, count)) {
      return true;
    }
    long end = System.nanoTime() + IDLE;
    while (watch.isAsleep() && !over) {
      long left = end - System.nanoTime();
      if (left <= 0 && watch.ends()) {
        return false;
      }
      LockSupport.parkNanos(this, left);
      Thread.interrupted();
    }
    return true;
  }
}
