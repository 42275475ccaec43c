package io.arraywire.nio;

import io.arraywire.engine.ProcessorWaits;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The thread of an event loop, one at a time. Between its turns, when it does not run the loop, it
 * runs tasks of handlers that are likely to be short. Should one not be, its {@link LoopStandby}
 * becomes the loop's thread, and this one ends with the task. So a handler may block, and others
 * wait for it for some milliseconds.
 *
 * <p>A task that blocks costs all connections of the loop that time. So tasks are taken only while
 * they are many, and while something of a {@link StallBudget} is left.
 */
final class LoopThread implements LoopStandby.Post {
  /** How many threads may be left behind with their tasks; then no further tasks are taken. */
  static final int MOST_LEFT_BEHIND = 8;

  /**
   * What is offered after a longer time than this would have its thread looked after for itself.
   */
  private static final long OFTEN = LoopStandby.LOOK;

  /** When tasks have taken so long in one go, those that wait are for the executor or later. */
  private static final long MOST_IN_A_GO = TimeUnit.MICROSECONDS.toNanos(200);

  /** A task that takes less time than this is not worth a task of the executor: it is for later. */
  private static final long WORTH_A_WAKE_UP = TimeUnit.MICROSECONDS.toNanos(10);

  /**
   * What a task that waits uses of the budget: more than the time that it takes, for it is likely
   * to wait again.
   */
  private static final long WAIT_COSTS = StallBudget.MOST;

  private final String name;
  private final Runnable loop;
  private final Consumer<Throwable> onFailure;
  private final LoopStandby standby;
  private final StallBudget budget;
  private final LongSupplier lost;
  private final AtomicInteger leftBehind = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile LoopShift shift;
  private volatile Thread current;

  // The loop's thread uses these, and hands them over with the shift.

  /** Whether there are tasks that have not begun. */
  private boolean tasksWait;

  private long offeredAt;

  /**
   * Makes a thread, which does not run yet.
   *
   * @param loop runs the loop on the thread that calls it, until the loop ends or {@link #work}
   *     says that the thread is no longer the loop's
   * @param onFailure gets what tasks throw
   * @param budget how long tasks may have kept the thread from the loop; where nothing is left, no
   *     tasks are taken
   */
  LoopThread(String name, Runnable loop, Consumer<Throwable> onFailure, StallBudget budget) {
    this(name, loop, onFailure, budget, ProcessorWaits::lost);
  }

  /**
   * Makes one for a test.
   *
   * @param lost for how long the calling thread had no processor, since it was asked before
   */
  LoopThread(
      String name,
      Runnable loop,
      Consumer<Throwable> onFailure,
      StallBudget budget,
      LongSupplier lost) {
    this.lost = lost;
    this.name = name;
    this.loop = () -> runs(loop);
    this.onFailure = onFailure;
    this.budget = budget;
    standby = new LoopStandby(name + "-standby", this, onFailure);
    current = new Thread(this.loop, name);
    current.setDaemon(true);
    shift = new LoopShift(current);
  }

  private static void runs(Runnable loop) {
    ProcessorWaits.begin();
    try {
      loop.run();
    } finally {
      ProcessorWaits.end();
    }
  }

  void start() {
    current.start();
  }

  /** The thread of the loop, for now. */
  Thread current() {
    return current;
  }

  String name() {
    return name;
  }

  /** Whether the thread is at a task, and so leaves the loop to callers. */
  boolean isAtTask() {
    return shift.isAtTask();
  }

  // Tasks, on the loop's thread.

  /**
   * Has the calling thread run a task after its turn, if it is the loop's.
   *
   * @param executor runs it if the thread does not come to it soon
   * @return false if the task is left to the caller
   */
  boolean takes(Runnable task, Executor executor) {
    LoopShift now = shift;
    // A task that waits may run the loop on this thread. What arrives then must not wait for it.
    if (!now.isCallers() || now.isAtTask()) {
      return false;
    }
    long time = System.nanoTime();
    boolean often = time - offeredAt < OFTEN;
    offeredAt = time;
    if (!often || !budget.isLeft(time) || leftBehind.get() >= MOST_LEFT_BEHIND) {
      return false;
    }
    now.add(task, executor);
    tasksWait = true;
    return true;
  }

  /** Whether tasks are left for the time after the next turn, which must not wait for bytes. */
  boolean hasTasks() {
    return tasksWait;
  }

  /** Runs the tasks; returns whether the calling thread is still the loop's. */
  boolean work() {
    if (!tasksWait) {
      return true;
    }
    tasksWait = false;
    LoopShift own = shift;
    long began = System.nanoTime();
    ProcessorWaits.callsBegin(began);
    boolean stays = true;
    boolean isLong = false;
    for (int ran = 0; stays && own.hasTasks(); ran++) {
      long took = System.nanoTime() - began;
      if (took > MOST_IN_A_GO && !isLong) {
        // What the thread was without a processor the tasks have not taken.
        began += Math.max(0, Math.min(took, lost.getAsLong()));
        took = System.nanoTime() - began;
        isLong = took > MOST_IN_A_GO;
      }
      if (isLong && took < ran * WORTH_A_WAKE_UP) {
        // The other connections have their turn first.
        tasksWait = true;
        return true;
      }
      Runnable task = own.next();
      Executor executor = own.executorOfLast();
      if (!isLong || !leaves(task, executor)) {
        stays = runs(task, executor, own);
      }
    }
    return stays;
  }

  private boolean runs(Runnable task, Executor executor, LoopShift own) {
    long begun = own.begins();
    if (!standby.looks() && leaves(task, executor)) {
      return own.ends(begun);
    }
    run(task);
    // Left over from a handler, the flag would be the loop's.
    Thread.interrupted();
    boolean stays = own.ends(begun);
    if (!stays) {
      leftBehind.decrementAndGet();
    }
    return stays;
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      onFailure.accept(e);
    }
  }

  /** Leaves a task to the executor; returns false if that is out of threads, perhaps. */
  private boolean leaves(Runnable task, Executor executor) {
    try {
      executor.execute(task);
      return true;
    } catch (Throwable e) {
      onFailure.accept(e);
      return false;
    }
  }

  /** The loop has ended. */
  void ends() {
    LoopShift last = shift;
    while (last.hasTasks()) {
      Runnable task = last.next();
      Executor executor = last.executorOfLast();
      if (!leaves(task, executor)) {
        run(task);
      }
    }
    standby.end();
    ended.countDown();
  }

  /** Waits for the loop to have ended, and its threads; returns whether they have. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    if (!ended.await(nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    Thread last = current;
    TimeUnit.NANOSECONDS.timedJoin(last, end - System.nanoTime());
    return !last.isAlive() && standby.awaitEnd(end - System.nanoTime());
  }

  // The standby.

  @Override
  public LoopShift shift() {
    return shift;
  }

  @Override
  public void takeOver(LoopShift stuck, long begun, LoopShift own, boolean waited) {
    // Before the thread can be left behind, which counts down when its task is over.
    leftBehind.incrementAndGet();
    if (!stuck.leavesBehind(begun)) {
      leftBehind.decrementAndGet();
      return;
    }
    shift = own;
    current = own.thread();
    budget.uses(waited ? WAIT_COSTS : LoopStandby.LONGEST, System.nanoTime());
    own.thread().setName(name);
    stuck.thread().setName(name + "-handler");
    while (stuck.hasTasks()) {
      Runnable task = stuck.next();
      Executor executor = stuck.executorOfLast();
      if (!leaves(task, executor)) {
        own.add(task, executor);
        tasksWait = true;
      }
    }
  }

  @Override
  public void run() {
    loop.run();
  }
}
