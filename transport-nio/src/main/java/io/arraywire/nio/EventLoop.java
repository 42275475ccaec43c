package io.arraywire.nio;

import io.arraywire.engine.GuardedLogger;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One platform thread with one selector, which does all input and output of its channels and never
 * blocks on one of them.
 *
 * <p>Other threads hand in tasks with {@link #execute}, and what comes up with every array with
 * {@link #ask}. The thread lends its channels one read window of each kind of memory, so that an
 * idle connection holds none. A waiting caller may run the loop in the thread's place: {@link
 * LoopDriver} decides.
 *
 * <p>As long as bytes move, nothing here makes an object: a test holds that.
 */
final class EventLoop implements WaitStrategy.Waitable {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** What one read may take; measured, see docs/benchmarks.md. */
  static final int WINDOW_BYTES = 256 << 10;

  /** How long a loop that sleeps keeps what it reads with. */
  private static final long MEMORY_KEPT_MILLIS = 100;

  /** Milliseconds by which some systems wake a thread too early. */
  private static final long TICK = 20;

  private static final long PAUSE_AFTER_FAILED_WAIT = TimeUnit.MILLISECONDS.toNanos(10);

  private final Selector selector;
  private final WaitStrategy waitStrategy;
  private final LoopThread thread;
  private final LoopDriver driver;
  private final LoopTasks tasks = new LoopTasks(this::survived);
  private final LoopMemory memory;

  /** The keys that the last look found ready and that have not had their turn. */
  private final ArrayList<SelectionKey> readyKeys = new ArrayList<>();

  private final Consumer<SelectionKey> toReadyKeys = readyKeys::add;

  /** Whether the thread sleeps or is about to, so that a task must wake it. */
  private volatile boolean sleeping;

  private volatile boolean stopping;
  private volatile boolean ended;

  // The driver's.

  /** When the selector was last asked, and whether it was in this turn. */
  private long lookedAt;

  private boolean looked;

  /** Whether arrays or answers have moved since the last wait, and in this turn. */
  private boolean movedArrays;

  private boolean movedNow;
  private long movedBytes;
  private long lastMoved = System.nanoTime();
  private boolean working;

  EventLoop(String name, WaitStrategy waitStrategy, MemoryPool pool) throws IOException {
    this.waitStrategy = waitStrategy;
    memory = new LoopMemory(pool, WINDOW_BYTES);
    thread = new LoopThread(name, this::run, this::survived, StallBudget.usual());
    driver = new LoopDriver(this, waitStrategy);
    // Last, so that nothing is left open if something else fails.
    selector = Selector.open();
  }

  void start() {
    thread.start();
  }

  /** Runs a task on the loop's thread, in the order in which tasks are handed in. */
  void execute(Runnable task) {
    tasks.add(task);
    handedIn();
  }

  /**
   * Has work done by the thread that runs the loop. If that thread asks, the work follows once the
   * channels that are ready now have been served. Merges with what was asked for before.
   */
  void ask(LoopWork work, int what) {
    if (inserts(work, what)) {
      handedIn();
    } else if (driver.isResting()) {
      // The first to ask may not have been in a hurry, and so may not have woken the thread.
      driver.wake();
    }
  }

  /**
   * The same in no hurry: while the thread leaves the loop to callers it is not woken. Either one
   * of them comes, or its rest is over. In a stream of small arrays, a wake-up for each costs both
   * sides more than the arrays do.
   */
  void askSoon(LoopWork work, int what) {
    if (inserts(work, what) && (!driver.isResting() || ended)) {
      handedIn();
    }
  }

  /** The same for what may ride along with other work of its own, for a few milliseconds. */
  void askLate(LoopWork work) {
    if (inLoop()) {
      tasks.addLate(work);
    } else {
      askSoon(work, NioReader.WRITE);
    }
  }

  /** Notes what is wanted; returns whether somebody may have to be told. */
  private boolean inserts(LoopWork work, int what) {
    if (!work.want(what)) {
      return false;
    }
    if (inLoop()) {
      tasks.addFollowUp(work);
      return false;
    }
    tasks.add(work);
    return true;
  }

  /** Sees to it that somebody runs what was put into a list. */
  private void handedIn() {
    if (ended) {
      // Nobody else will; the thread that takes something out of a list runs it.
      tasks.doAll();
    } else if (!inLoop()) {
      if (sleeping) {
        selector.wakeup();
      } else {
        driver.wake();
      }
    }
  }

  /** Whether the calling thread runs the loop. */
  boolean inLoop() {
    return driver.isCaller();
  }

  Selector selector() {
    return selector;
  }

  /** What the loop's channels read with. */
  LoopMemory memory() {
    return memory;
  }

  /** Ends the loop: its channels are closed, its memory given back, its thread gone. */
  void stop() {
    stopping = true;
    selector.wakeup();
    LockSupport.unpark(thread());
  }

  /** Waits for the thread to be gone, unless it is the caller's; returns whether it is gone. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    return !inLoop() && thread.awaitEnd(nanos);
  }

  /** Ends a loop that may not have been started. */
  void discard() {
    if (thread().isAlive()) {
      stop();
    } else {
      closeSelector();
    }
  }

  @Override
  public String toString() {
    return thread.name();
  }

  // For the driver, and for callers that may become it.

  /** Decides which thread runs the loop. */
  LoopDriver driver() {
    return driver;
  }

  Thread thread() {
    return thread.current();
  }

  /** What makes that thread the loop's, and what else it does. */
  LoopThread loopThread() {
    return thread;
  }

  /** Whether there is something to do that a thread can see which is not the driver. */
  boolean hasTasks() {
    return tasks.isWaiting();
  }

  boolean isAsleep() {
    return sleeping;
  }

  boolean isStopping() {
    return stopping;
  }

  // The driver.

  /** Whether the driver has left itself something to do. */
  boolean hasFollowUps() {
    return tasks.hasFollowUps();
  }

  /** Whether the driver is in the middle of a turn. */
  boolean isWorking() {
    return working;
  }

  /** Bytes have moved: of arrays and answers to them, or only of heartbeats. */
  void moved(LoopChannel channel, long bytes, boolean arrays) {
    movedBytes += bytes;
    movedArrays |= arrays;
    movedNow |= arrays;
    driver.moved(channel, arrays);
  }

  /** All bytes that have moved through this loop, in either direction. */
  long movedBytes() {
    return movedBytes;
  }

  @Override
  public boolean poll() throws IOException {
    if (driver.isWanted() || tasks.isWaitingForDriver() || isLateDue()) {
      return true;
    }
    look();
    return !readyKeys.isEmpty() || stopping;
  }

  private boolean isLateDue() {
    return tasks.hasLate() && tasks.isLateDue(System.nanoTime());
  }

  /**
   * Finds out which keys are ready. Not again before they have had their turn: a second look would
   * find them again, and each is to have one turn. A selector that is given a consumer makes no set
   * of them, which costs an object per key, and one to go through it.
   */
  void look() throws IOException {
    looked = true;
    if (readyKeys.isEmpty()) {
      selector.selectNow(toReadyKeys);
      lookedAt = System.nanoTime();
    }
  }

  /** When that was last done, by {@link System#nanoTime()}. */
  long lookedAt() {
    return lookedAt;
  }

  /** Whether other channels than this one are ready. */
  boolean othersAreReady(LoopChannel own) {
    return readyKeys.size() > 1
        || (readyKeys.size() == 1 && !own.equals(readyKeys.get(0).attachment()));
  }

  /** Has the selector let go of channels that were closed, which it does when it is asked. */
  void letGo() throws IOException {
    if (selector.isOpen()) {
      // What is ready is found again.
      selector.selectNow(key -> {});
    }
  }

  @Override
  public void sleep() throws IOException {
    workLate();
    sleeping = true;
    try {
      // A task that was handed in before the flag was seen has not woken the selector. Flag and
      // lists are volatile. A thread that puts a task into a list and then sees no flag did so
      // before the flag was set. So the task is seen here.
      if (!tasks.isWaitingForDriver() && readyKeys.isEmpty() && !stopping) {
        looked = true;
        if (memory.isHeld()) {
          sleepWithMemory();
        } else {
          selector.select(toReadyKeys);
        }
      }
    } finally {
      sleeping = false;
    }
  }

  /**
   * An idle loop holds no memory. A loop that only waits for its peer keeps it for a while. To give
   * it back and take it again with every read costs an object each time. When that while is over,
   * the loop sleeps on without memory, and no wake-up is lost in between.
   */
  private void sleepWithMemory() throws IOException {
    long start = System.nanoTime();
    if (selector.select(toReadyKeys, MEMORY_KEPT_MILLIS) == 0
        && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(MEMORY_KEPT_MILLIS - TICK)) {
      memory.release();
    }
  }

  /** Nothing is left to wait for when the loop sleeps. */
  private void workLate() {
    if (tasks.hasLate()) {
      working = true;
      try {
        tasks.doLate(System.nanoTime(), true);
      } finally {
        working = false;
      }
    }
  }

  /** What has no memory left to do may have none left to log, which must not end the loop. */
  void survived(Throwable failure) {
    try {
      LOGGER.log(Level.ERROR, "an event loop survived a failure (thread=" + this + ")", failure);
    } catch (Throwable unlogged) {
      // There is nobody left to tell.
    }
  }

  /** The thread's turn: finds out what there is to do, waiting for it or not, and does it. */
  void turn(boolean waits) {
    boolean expecting = movedArrays;
    movedArrays = false;
    looked = false;
    try {
      driver.watchAll();
      if (waits) {
        waitStrategy.await(this, expecting);
      }
      if (!looked) {
        // Tasks may follow tasks for as long as an array takes.
        look();
      }
      if (!readyKeys.isEmpty()) {
        driver.foundReady();
      }
    } catch (Throwable e) {
      survived(e);
      // It may fail for ever, which must neither flood the log nor keep tasks from being run.
      LockSupport.parkNanos(PAUSE_AFTER_FAILED_WAIT);
    }
    // Left over from somebody's mistake, the flag would make every select return at once.
    Thread.interrupted();
    work(System.nanoTime());
  }

  /** Sees to everything that is ready, and to what others have handed in. */
  void work(long now) {
    working = true;
    try {
      seeToAll(now);
    } finally {
      working = false;
    }
  }

  private void seeToAll(long now) {
    // An iterator would be an object.
    for (int i = 0; i < readyKeys.size(); i++) {
      try {
        ((ReadyHandler) readyKeys.get(i).attachment()).ready();
      } catch (CancelledKeyException e) {
        LOGGER.log(Level.TRACE, "a channel was closed while it was ready", e);
      } catch (Throwable e) {
        // Those behind it have their turn all the same.
        survived(e);
      }
    }
    readyKeys.clear();
    tasks.doAll();
    if (tasks.isLateDue(now)) {
      tasks.doLate(now, false);
    }
    movedArrays |= tasks.doFollowUps();
    if (movedNow) {
      movedNow = false;
      waitStrategy.moved(now - lastMoved);
      lastMoved = now;
    }
  }

  private void run() {
    driver.run(this::end);
  }

  private void end() {
    tasks.run(this::closeChannels);
    tasks.doAll();
    // They go on reading or writing channels, which are closed now.
    tasks.clearFollowUps();
    ended = true;
    tasks.doAll();
    tasks.run(memory::release);
    thread.ends();
  }

  private void closeChannels() {
    List<ReadyHandler> open =
        selector.keys().stream().map(key -> (ReadyHandler) key.attachment()).toList();
    // First, so that a task from now on finds it closed and closes what it was about to register.
    // Then nothing gets a key that is not among those below.
    closeSelector();
    for (ReadyHandler handler : open) {
      tasks.run(handler::loopEnds);
    }
  }

  private void closeSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "closing a selector failed (thread=" + this + ")", e);
    }
  }
}
