package io.arraywire.nio;

import io.arraywire.engine.GuardedLogger;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One platform thread with one selector, which does all input and output of its channels and never
 * blocks on one of them.
 *
 * <p>Other threads hand in tasks with {@link #execute}, and what comes up with every array with
 * {@link #ask}. The thread lends its channels one read window of each kind of memory, so that an
 * idle connection holds none.
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

  private static final MemoryKind[] KINDS = MemoryKind.values();
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int LOOK_AHEAD_BYTES = 4 << 10;

  private static final long PAUSE_AFTER_FAILED_WAIT = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * How long the thread leaves the loop to callers before it looks after it again. What comes for
   * others while no caller is at it waits so long at most.
   */
  private static final long REST = TimeUnit.MICROSECONDS.toNanos(200);

  /**
   * The same while callers come one after the other, or one for long: they see what comes for
   * others, and a thread that is woken takes a processor from the one who waits for an answer.
   */
  private static final long LONGEST_REST = 8 * REST;

  /** How many callers in the time of a rest are one after the other. */
  private static final int STEADY_HELPS = 4;

  /** A caller who has run the loop for so long wakes its thread when it leaves. */
  private static final long LONG_HELP = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How long callers leave the loop to its thread after bytes of more than one channel have moved:
   * what one of them left would wait for the next, and that could be often.
   */
  private static final long MIXED = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How long a caller runs the loop at a time, whatever moves: it has timeouts of its own to keep.
   */
  private static final long LONGEST_HELP = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a caller looks at its own channel only before it looks at all. */
  private static final long OWN_CHANNEL = TimeUnit.MICROSECONDS.toNanos(20);

  /**
   * The same where one look after the other has found nothing for others: each is a system call.
   */
  private static final long LONGEST_OWN_CHANNEL = 4 * OWN_CHANNEL;

  private final Selector selector;
  private final WaitStrategy waitStrategy;
  private final MemoryPool pool;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** What others than the driver have work for, the last first. */
  private final AtomicReference<@Nullable LoopWork> works = new AtomicReference<>();

  /** What the driver has work for, the first first. */
  private final ArrayDeque<LoopWork> followUps = new ArrayDeque<>();

  /** The keys that the last look found ready and that have not had their turn. */
  private final ArrayList<SelectionKey> readyKeys = new ArrayList<>();

  private final Consumer<SelectionKey> toReadyKeys = readyKeys::add;
  private final Map<MemoryKind, PooledMemory> windows = new EnumMap<>(MemoryKind.class);

  private final ByteBuffer[] targets = new ByteBuffer[2];

  private @Nullable PooledMemory lookAhead;

  /**
   * Who runs the loop: its thread, or a caller who waits for something and so spares that thread a
   * wake-up; null between them. What is not volatile here belongs to the driver.
   */
  private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();

  /** Whether a caller would like to run the loop; one at a time. */
  private final AtomicBoolean wanted = new AtomicBoolean();

  /** For how long the thread leaves the loop alone, if it does, in nanoseconds. */
  private volatile long resting;

  /** How often callers have run the loop. */
  private volatile int helps;

  /** Since when the caller who runs the loop does, and when it last read the clock. */
  private long helpBegan;

  private long helpSeen;

  /** What the selector does not watch, because the caller who runs the loop looks at it. */
  private @Nullable NioLink unwatched;

  /** When the selector was last asked, and how long a caller then looks at its own channel only. */
  private long lookedAt;

  private long ownChannel = OWN_CHANNEL;

  /** Whether the thread sleeps or is about to, so that a task must wake it. */
  private volatile boolean sleeping;

  private volatile boolean stopping;
  private volatile boolean ended;

  /** Whether arrays or answers have moved since the last wait, and in this turn. */
  private boolean movedArrays;

  private boolean movedNow;
  private long movedBytes;

  /** The channel of the caller who runs the loop, and whether it moved anything in this turn. */
  private @Nullable NioLink helped;

  private boolean helpedMoved;
  private long lastMoved = System.nanoTime();
  private @Nullable NioLink lastMover;

  /** When the bytes of one channel last followed those of another. */
  private volatile long mixedAt = System.nanoTime() - MIXED;

  /** Whether the driver is in the middle of a turn. */
  private boolean working;

  /** Whether the selector was asked in this turn. */
  private boolean looked;

  /** Whether work was left over by the last turn, for those who are not the driver. */
  private volatile boolean goesOn;

  EventLoop(String name, WaitStrategy waitStrategy, MemoryPool pool) throws IOException {
    this.waitStrategy = waitStrategy;
    this.pool = pool;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
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
   * Has work done on the loop's thread: when what is ready now has been seen to, if that is who
   * asks. Merges what is wanted before that is begun.
   */
  void ask(LoopWork work, int what) {
    if (inserts(work, what)) {
      handedIn();
    } else if (resting != 0 && driver.get() == null) {
      // Who wanted something first may have been in no hurry.
      LockSupport.unpark(thread);
    }
  }

  /**
   * The same in no hurry: while the thread leaves the loop to callers it is not woken. Either one
   * of them comes, or its rest is over. In a stream of small arrays, a wake-up for each costs both
   * sides more than the arrays do.
   */
  void askSoon(LoopWork work, int what) {
    if (inserts(work, what) && (resting == 0 || ended)) {
      handedIn();
    }
  }

  /** Notes what is wanted; returns whether somebody may have to be told. */
  private boolean inserts(LoopWork work, int what) {
    if (!work.want(what)) {
      return false;
    }
    if (inLoop()) {
      followUps.add(work);
      return false;
    }
    LoopWork first;
    do {
      first = works.get();
      work.next = first;
      // Only whole lists are taken, so it does not matter if the same one was first in between.
    } while (!works.compareAndSet(first, work));
    return true;
  }

  /** Sees to it that somebody runs what was put into a list. */
  private void handedIn() {
    if (ended) {
      // Nobody else will; whoever takes something out of a list runs it.
      runTasks();
    } else if (!inLoop()) {
      if (sleeping) {
        selector.wakeup();
      } else if (driver.get() == null) {
        // Resting, and nobody else would see the task meanwhile.
        LockSupport.unpark(thread);
      }
    }
  }

  /** Whether there is something to do that a thread can see which is not the driver. */
  private boolean hasTasks() {
    return works.get() != null || !tasks.isEmpty() || goesOn;
  }

  /** Whether the calling thread runs the loop. */
  boolean inLoop() {
    return Thread.currentThread().equals(driver.get());
  }

  Selector selector() {
    return selector;
  }

  /** Ends the loop: its channels are closed, its memory given back, its thread gone. */
  void stop() {
    stopping = true;
    selector.wakeup();
    LockSupport.unpark(thread);
  }

  // Callers who run the loop while they wait.

  /** Takes over if nobody runs the loop; returns whether {@link #endHelp} must follow. */
  boolean beginHelp() {
    Thread caller = Thread.currentThread();
    try {
      long now = System.nanoTime();
      return mayHelp(caller, now) && tryToDrive(caller, now);
    } catch (RuntimeException e) {
      // A user's wait strategy.
      survived(e);
      return false;
    }
  }

  /** Runs the loop, or takes over and does, until a result is there or nothing moves for long. */
  void help(Future<?> result, NioLink link) {
    try {
      helpOrThrow(result, link, Thread.currentThread());
    } catch (RuntimeException | StackOverflowError e) {
      // A user's wait strategy, or a caller with no stack left: it waits as others do.
      survived(e);
    }
  }

  private void helpOrThrow(Future<?> result, NioLink link, Thread caller) {
    if (caller.equals(driver.get())) {
      // Somebody's observer or codec that waits in the middle of a turn cannot run the next one.
      if (!working) {
        drive(result, link, caller, System.nanoTime());
      }
    } else if (mayHelp(caller, System.nanoTime()) && takeOver(result, caller)) {
      try {
        drive(result, link, caller, helpBegan);
      } finally {
        endHelp(result);
      }
    }
  }

  private boolean tryToDrive(Thread caller, long now) {
    boolean drives = driver.compareAndSet(null, caller);
    if (drives) {
      helpBegan = now;
      helpSeen = now;
    }
    return drives;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // The driver alone writes it.
  void endHelp(Future<?> result) {
    helps++;
    // What was wanted of it since has woken nobody.
    boolean left = !followUps.isEmpty();
    boolean wasLong = helpSeen - helpBegan > LONG_HELP;
    driver.set(null);
    if (left || !result.isDone() || hasTasks() || stopping || (wasLong && resting > REST)) {
      LockSupport.unpark(thread);
    }
  }

  /** A virtual thread might lose its carrier in the middle of a turn, and the loop with it. */
  private boolean mayHelp(Thread caller, long now) {
    return waitStrategy.helpNanos() > 0
        && !stopping
        && now - mixedAt >= MIXED
        && !caller.isInterrupted()
        && !caller.getClass().getName().equals("java.lang.VirtualThread");
  }

  /** Waits for the driver's place, if that is not the place of one who sleeps. */
  private boolean takeOver(Future<?> result, Thread caller) {
    if (!wanted.compareAndSet(false, true)) {
      return false;
    }
    try {
      long start = System.nanoTime();
      for (long now = start; !tryToDrive(caller, now); now = System.nanoTime()) {
        boolean asleep = sleeping && !hasTasks();
        if (asleep || result.isDone() || now - start > waitStrategy.helpNanos()) {
          return false;
        }
        // The thread that is to make way may wait for this very processor.
        AdaptiveWait.giveWay();
      }
      return true;
    } finally {
      wanted.set(false);
    }
  }

  private void drive(Future<?> result, NioLink link, Thread caller, long start) {
    long bound = waitStrategy.helpNanos();
    long last = start;
    helped = link;
    if (!link.equals(unwatched)) {
      watchAll();
    }
    // What the caller wants to have written does not wait for a look at what has come.
    work(start);
    for (long now = start; !result.isDone() && mayHelp(caller, now); ) {
      helpedMoved = false;
      try {
        boolean awaitsRoom = link.awaitsRoom();
        if (awaitsRoom || now - lookedAt > ownChannel) {
          watch(link, awaitsRoom || ownChannel < LONGEST_OWN_CHANNEL);
          look();
          ownChannel =
              othersAreReady(link) ? OWN_CHANNEL : Math.min(2 * ownChannel, LONGEST_OWN_CHANNEL);
        } else {
          link.readNow();
        }
        now = System.nanoTime();
        work(now);
      } catch (Throwable e) {
        survived(e);
        now = System.nanoTime();
      }
      helpSeen = now;
      if (helpedMoved) {
        last = now;
      }
      if (now - last > bound || now - start > LONGEST_HELP) {
        return;
      }
      if (!helpedMoved) {
        AdaptiveWait.pause(now - last, waitStrategy);
      }
    }
  }

  /** Has the selector watch a channel, or not while a caller looks at it. */
  private void watch(NioLink link, boolean on) {
    if (on || !link.equals(unwatched)) {
      // An observer may have called for another channel from within this one's turn.
      watchAll();
    }
    if (!on && unwatched == null) {
      unwatched = link;
      link.watched(false);
    }
  }

  private void watchAll() {
    NioLink left = unwatched;
    if (left != null) {
      unwatched = null;
      left.watched(true);
    }
  }

  /** Waits for the thread to be gone, unless it is the caller's; returns whether it is gone. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    if (inLoop()) {
      return false;
    }
    TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
    return !thread.isAlive();
  }

  /** Ends a loop that may not have been started. */
  void discard() {
    if (thread.isAlive()) {
      stop();
    } else {
      closeSelector();
    }
  }

  @Override
  public String toString() {
    return thread.getName();
  }

  // The loop's thread.

  /** The window to read into, empty. */
  ByteBuffer window(MemoryKind kind) {
    PooledMemory window = windows.get(kind);
    if (window == null) {
      window = pool.acquire(WINDOW_BYTES, kind);
      windows.put(kind, window);
    }
    return window.buffer().clear();
  }

  /** Where the bytes after a payload go, empty. */
  ByteBuffer lookAhead() {
    if (lookAhead == null) {
      lookAhead = pool.acquire(LOOK_AHEAD_BYTES, MemoryKind.DIRECT);
    }
    return lookAhead.buffer().clear();
  }

  /** The buffers of one read, which are the loop's too, so that no connection keeps them. */
  ByteBuffer[] targets(ByteBuffer first, @Nullable ByteBuffer second) {
    targets[0] = first;
    targets[1] = second == null ? NOTHING : second;
    return targets;
  }

  /** Gives the window away, with what is left in it; the loop takes another when it needs one. */
  @Nullable PooledMemory detachWindow(MemoryKind kind) {
    return windows.remove(kind);
  }

  /** Gives windows back that nobody uses. */
  void releaseWindows() {
    targets[0] = NOTHING;
    targets[1] = NOTHING;
    for (MemoryKind kind : KINDS) {
      PooledMemory window = windows.remove(kind);
      if (window != null) {
        window.release();
      }
    }
    if (lookAhead != null) {
      lookAhead.release();
      lookAhead = null;
    }
  }

  /** Bytes have moved: of arrays and answers to them, or only of signs of life. */
  void moved(NioLink link, long bytes, boolean arrays) {
    movedBytes += bytes;
    helpedMoved |= link.equals(helped);
    if (arrays) {
      movedArrays = true;
      movedNow = true;
      if (!link.equals(lastMover)) {
        if (lastMover != null) {
          mixedAt = System.nanoTime();
        }
        lastMover = link;
      }
    }
  }

  /** All bytes that have moved through this loop, in either direction. */
  long movedBytes() {
    return movedBytes;
  }

  /** A channel is closed. */
  void forget(NioLink link) {
    if (link.equals(lastMover)) {
      lastMover = null;
    }
    if (link.equals(helped)) {
      helped = null;
    }
    if (link.equals(unwatched)) {
      unwatched = null;
    }
  }

  @Override
  public boolean poll() throws IOException {
    return wanted.get() || hasTasks() || !followUps.isEmpty() || look() || stopping;
  }

  /**
   * Finds out which keys are ready; returns whether any is. Not again before they have had their
   * turn: a second look would find them again, and each is to have one turn. A selector that is
   * given a consumer makes no set of them, which costs an object per key, and one to go through it.
   */
  private boolean look() throws IOException {
    looked = true;
    if (readyKeys.isEmpty()) {
      selector.selectNow(toReadyKeys);
      lookedAt = System.nanoTime();
    }
    return !readyKeys.isEmpty();
  }

  private boolean othersAreReady(NioLink own) {
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
    sleeping = true;
    try {
      // A task that was handed in before the flag was seen has not woken the selector. Flag and
      // lists are volatile: who puts something into a list and then sees no flag has done so before
      // the flag was set, and it is seen here.
      if (!hasTasks() && followUps.isEmpty() && readyKeys.isEmpty() && !stopping) {
        looked = true;
        if (holdsMemory()) {
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
   * An idle loop holds no memory, but one that only waits for its peer would give it back and take
   * it again with every read, and each time that costs an object. Who comes back because the time
   * was over has nothing to do, and sleeps again, without memory: no wake-up is lost in between.
   */
  private void sleepWithMemory() throws IOException {
    long start = System.nanoTime();
    if (selector.select(toReadyKeys, MEMORY_KEPT_MILLIS) == 0
        && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(MEMORY_KEPT_MILLIS - TICK)) {
      releaseWindows();
    }
  }

  private boolean holdsMemory() {
    return lookAhead != null || !windows.isEmpty();
  }

  private void run() {
    try {
      long rest = REST;
      for (int seen = helps; !stopping; ) {
        int callers = helps - seen;
        seen += callers;
        boolean drives = driver.compareAndSet(null, thread);
        if (drives) {
          try {
            turn(callers == 0);
          } catch (Throwable e) {
            // One channel's trouble must not end the others; see the handlers, which catch their
            // own.
            survived(e);
          } finally {
            driver.set(null);
          }
          if (callers == 0 && !wanted.get()) {
            rest = REST;
            continue;
          }
        }
        boolean inHand = !drives || callers >= STEADY_HELPS * (rest / REST);
        rest = inHand ? Math.min(2 * rest, LONGEST_REST) : REST;
        resting = rest;
        Thread.interrupted();
        LockSupport.parkNanos(this, rest);
        resting = 0;
      }
    } finally {
      while (!driver.compareAndSet(null, thread)) {
        // Who helps sees the end within a turn.
        LockSupport.parkNanos(this, REST);
      }
      end();
    }
  }

  /** What has no memory left to do may have none left to log, which must not end the loop. */
  private void survived(Throwable failure) {
    try {
      LOGGER.log(
          Level.ERROR,
          "an event loop survived a failure (thread=" + thread.getName() + ")",
          failure);
    } catch (Throwable unlogged) {
      // There is nobody left to tell.
    }
  }

  private void turn(boolean waits) {
    boolean expecting = movedArrays;
    movedArrays = false;
    looked = false;
    try {
      watchAll();
      if (waits) {
        waitStrategy.await(this, expecting);
      }
      if (!looked) {
        // Tasks may follow tasks for as long as an array takes.
        look();
      }
      if (!readyKeys.isEmpty()) {
        ownChannel = OWN_CHANNEL;
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
  private void work(long now) {
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
    runTasks();
    doFollowUps();
    if (movedNow) {
      movedNow = false;
      waitStrategy.moved(now - lastMoved);
      lastMoved = now;
    }
  }

  private void doFollowUps() {
    for (int i = followUps.size(); i > 0; i--) {
      run(followUps.remove());
    }
    boolean left = !followUps.isEmpty();
    if (left) {
      // Work that was cut short so that others have their turn.
      movedArrays = true;
    }
    if (left != goesOn) {
      goesOn = left;
    }
  }

  private void runTasks() {
    Runnable task;
    boolean worked;
    do {
      task = tasks.poll();
      // After that: what a thread wanted before it handed in a task is done before the task.
      worked = runWorks();
      if (task != null) {
        run(task);
      }
    } while (worked || task != null);
  }

  /** Does what others had work for until now; returns whether there was any. */
  private boolean runWorks() {
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
      survived(e);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      survived(e);
    }
  }

  private void end() {
    run(this::closeChannels);
    runTasks();
    // They go on reading or writing channels, which are closed now.
    followUps.clear();
    ended = true;
    runTasks();
    run(this::releaseWindows);
  }

  private void closeChannels() {
    List<ReadyHandler> open =
        selector.keys().stream().map(key -> (ReadyHandler) key.attachment()).toList();
    // First, so that a task from now on finds it closed and closes what it was about to register:
    // nothing gets a key that is not among those below.
    closeSelector();
    for (ReadyHandler handler : open) {
      run(handler::loopEnds);
    }
  }

  private void closeSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "closing a selector failed (thread=" + thread.getName() + ")", e);
    }
  }
}
