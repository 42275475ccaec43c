package io.arraywire.nio;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread runs an event loop: the loop's own, or that of a waiting caller, which
 * spares the loop's thread a wake-up. That thread is the driver. Fields that are not volatile
 * belong to it.
 */
final class LoopDriver {
  /**
   * How long the loop's thread leaves the loop to callers before it takes it back. Bytes that come
   * for others while no caller runs the loop wait so long at most.
   */
  private static final long REST = TimeUnit.MICROSECONDS.toNanos(200);

  /**
   * The same while callers follow each other closely, or one stays for long. They move the bytes of
   * others, too, and a thread that wakes up takes a processor from the caller.
   */
  private static final long LONGEST_REST = 8 * REST;

  /** So many callers during a rest follow each other closely. */
  private static final int STEADY_HELPS = 4;

  /** A caller that has run the loop for so long wakes the loop's thread when it leaves. */
  private static final long LONG_HELP = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How long callers leave the loop to its thread after bytes of more than one channel have moved.
   * Otherwise each caller would leave bytes of other channels behind, and they would wait.
   */
  private static final long MIXED = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How long the loop's thread keeps its processor while arrays of several channels move. It may
   * always have something to do then, and never wait. Threads that poll for what it writes, such as
   * callers of another process, yield between looks. If this thread never yielded, they would run
   * again only when its time slice is over, after about a millisecond.
   */
  static final long KEPT = TimeUnit.MICROSECONDS.toNanos(100);

  /**
   * The longest time that a caller runs the loop, however much moves: it must keep its own timeout.
   */
  private static final long LONGEST_HELP = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a caller reads its own channel only, before it asks the selector for all channels. */
  private static final long OWN_CHANNEL = TimeUnit.MICROSECONDS.toNanos(20);

  /**
   * The same while the selector finds nothing for other channels: each question is a system call.
   */
  private static final long LONGEST_OWN_CHANNEL = 4 * OWN_CHANNEL;

  /**
   * How many callers poll at a time; further ones sleep. Each takes CPU time from working threads.
   */
  private static final int MOST_IN_LINE = 8;

  private final EventLoop loop;
  private final WaitStrategy waitStrategy;

  /** The thread that runs the loop; null while none does. */
  private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();

  /**
   * How many callers are in line: each polls for its own result, and runs the loop when no other
   * thread does.
   */
  private final AtomicInteger line = new AtomicInteger();

  /** For how many nanoseconds the loop's thread leaves the loop to callers; 0 if it does not. */
  private volatile long resting;

  /** How often callers have run the loop. */
  private volatile int helps;

  /** When the bytes of one channel last followed those of another. */
  private volatile long mixedAt = System.nanoTime() - MIXED;

  /** When the caller that runs the loop began to, and when it last read the clock. */
  private long helpBegan;

  private long helpSeen;

  /** The channel of the caller that runs the loop, and whether it moved bytes in this turn. */
  private @Nullable LoopChannel helped;

  private boolean helpedMoved;

  /** The channel that the selector does not watch, since the caller reads it without asking. */
  private @Nullable LoopChannel unwatched;

  private @Nullable LoopChannel lastMover;

  /** When the loop's thread last yielded. Only that thread uses it. */
  private long gaveWayAt;

  /** How long a caller reads its own channel only, from the last question to the selector on. */
  private long ownChannel = OWN_CHANNEL;

  LoopDriver(EventLoop loop, WaitStrategy waitStrategy) {
    this.loop = loop;
    this.waitStrategy = waitStrategy;
  }

  /** Whether the calling thread runs the loop. */
  boolean isCaller() {
    return Thread.currentThread().equals(driver.get());
  }

  /** Whether a caller waits for the thread to make way. */
  boolean isWanted() {
    return line.get() > 0 && mayTakeOver(System.nanoTime());
  }

  /**
   * Whether a caller in line may run the loop. Other channels must not wait after it: one more
   * caller is in line, or the loop's thread comes back by itself, or is woken. While the loop's
   * thread runs a task, the caller may be that task, so it must not wait for the thread.
   */
  private boolean mayTakeOver(long now) {
    return !isMixed(now) || line.get() > 1 || isResting() || loop.loopThread().isAtTask();
  }

  /** Whether the thread leaves the loop to callers for a while. */
  boolean isResting() {
    return resting != 0;
  }

  /** Wakes the thread if it rests and nobody else would see to the loop meanwhile. */
  void wake() {
    if (driver.get() == null && !isWanted()) {
      LockSupport.unpark(loop.thread());
    }
  }

  // The thread.

  /**
   * Runs the loop on its thread, and leaves it to callers in between, until it stops; then keeps
   * it, and ends it. Or until another thread is the loop's.
   */
  void run(Runnable end) {
    Thread thread = Thread.currentThread();
    LoopThread own = loop.loopThread();
    boolean isLoops = true;
    try {
      long rest = REST;
      for (int seen = helps; !loop.isStopping(); ) {
        int callers = helps - seen;
        seen += callers;
        boolean drives = driver.compareAndSet(null, thread);
        if (drives) {
          try {
            loop.turn(callers == 0 && !own.hasTasks());
          } catch (Throwable e) {
            // One channel's trouble must not end the others; see the handlers, which catch their
            // own.
            loop.survived(e);
          } finally {
            driver.set(null);
          }
        }
        isLoops = own.work();
        if (!isLoops) {
          return;
        }
        giveWay();
        if (own.hasTasks() || (drives && callers == 0 && !isWanted())) {
          rest = REST;
          continue;
        }
        boolean inHand = !drives || callers >= STEADY_HELPS * (rest / REST);
        rest = inHand ? Math.min(2 * rest, LONGEST_REST) : REST;
        resting = rest;
        Thread.interrupted();
        LockSupport.parkNanos(loop, rest);
        resting = 0;
      }
    } finally {
      if (isLoops) {
        while (!driver.compareAndSet(null, thread)) {
          // A caller that runs the loop notices the end within a turn.
          LockSupport.parkNanos(loop, REST);
        }
        end.run();
      }
    }
  }

  /**
   * Yields now and then while several channels move: their peers may be waiting for a processor.
   */
  private void giveWay() {
    long now = System.nanoTime();
    if (now - gaveWayAt < KEPT || !isMixed(now)) {
      return;
    }
    try {
      // Without polling threads, or on crowded processors, a yield would cost a time slice.
      if (waitStrategy.helpNanos() > 0) {
        AdaptiveWait.giveWay(waitStrategy);
      }
    } catch (RuntimeException e) {
      // A user's wait strategy.
      loop.survived(e);
    }
    gaveWayAt = System.nanoTime();
  }

  // Callers.

  /** Takes over if nobody runs the loop; returns whether {@link #endHelp} must follow. */
  boolean beginHelp() {
    Thread caller = Thread.currentThread();
    try {
      long now = System.nanoTime();
      return mayHelp(caller, now) && tryToDrive(caller, now);
    } catch (RuntimeException e) {
      // A user's wait strategy.
      loop.survived(e);
      return false;
    }
  }

  /** Runs the loop, or takes over and does, until a result is there or nothing moves for long. */
  void help(Future<?> result, LoopChannel channel) {
    try {
      helpOrThrow(result, channel, Thread.currentThread());
    } catch (RuntimeException | StackOverflowError e) {
      // A user's wait strategy, or a caller with no stack left: it waits as others do.
      loop.survived(e);
    }
  }

  private void helpOrThrow(Future<?> result, LoopChannel channel, Thread caller) {
    if (caller.equals(driver.get())) {
      // Somebody's observer or codec that waits in the middle of a turn cannot run the next one.
      if (!loop.isWorking()) {
        drive(result, channel, caller, System.nanoTime());
      }
    } else if (mayPoll(caller) && takeOver(result, caller)) {
      try {
        drive(result, channel, caller, helpBegan);
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
    boolean left = loop.hasFollowUps();
    boolean wasLong = helpSeen - helpBegan > LONG_HELP;
    driver.set(null);
    if (left
        || !result.isDone()
        || loop.hasTasks()
        || loop.isStopping()
        || (wasLong && resting > REST)
        || (line.get() == 0 && isMixed(System.nanoTime()))) {
      LockSupport.unpark(loop.thread());
    }
  }

  private boolean mayHelp(Thread caller, long now) {
    return mayPoll(caller) && !isMixed(now);
  }

  private boolean isMixed(long now) {
    return now - mixedAt < MIXED;
  }

  /**
   * Whether a caller polls, for its result or for the loop, before it sleeps. A virtual thread
   * might lose its carrier in the middle of a turn, and the loop with it.
   */
  private boolean mayPoll(Thread caller) {
    return waitStrategy.helpNanos() > 0
        && !loop.isStopping()
        && !caller.isInterrupted()
        && !caller.getClass().getName().equals("java.lang.VirtualThread");
  }

  /**
   * Waits in line for the result or for the driver's place, whichever comes first; returns whether
   * the caller drives now. A driver that sleeps keeps its place.
   */
  private boolean takeOver(Future<?> result, Thread caller) {
    int place = line.incrementAndGet();
    try {
      return place <= MOST_IN_LINE && awaitPlace(result, caller);
    } finally {
      boolean last = line.decrementAndGet() == 0;
      if (driver.get() == null && (loop.hasTasks() || (last && isMixed(System.nanoTime())))) {
        // Another caller saw this one in line, and left tasks or other channels to it.
        LockSupport.unpark(loop.thread());
      }
    }
  }

  private boolean awaitPlace(Future<?> result, Thread caller) {
    long start = System.nanoTime();
    for (long now = start; !result.isDone(); ) {
      if (mayTakeOver(now) && tryToDrive(caller, now)) {
        return true;
      }
      boolean asleep = loop.isAsleep() && !loop.hasTasks();
      if (asleep || now - start > waitStrategy.helpNanos()) {
        return false;
      }
      // The driver may be waiting for the processor that this thread uses.
      AdaptiveWait.giveWay();
      now = System.nanoTime();
    }
    return false;
  }

  private void drive(Future<?> result, LoopChannel channel, Thread caller, long start) {
    long bound = waitStrategy.helpNanos();
    long last = start;
    helped = channel;
    if (!channel.equals(unwatched)) {
      watchAll();
    }
    if (line.get() > 0) {
      // Callers that got their results with the last read ask again now: one write takes it all.
      AdaptiveWait.giveWay(waitStrategy);
    }
    // Write what the caller hands in before asking what has come.
    loop.work(start);
    for (long now = start; !result.isDone() && mayPoll(caller); ) {
      helpedMoved = false;
      try {
        boolean awaitsRoom = channel.awaitsRoom();
        boolean all = awaitsRoom || isMixed(now);
        if (all || now - loop.lookedAt() > ownChannel) {
          watch(channel, all || ownChannel < LONGEST_OWN_CHANNEL);
          loop.look();
          ownChannel =
              loop.othersAreReady(channel)
                  ? OWN_CHANNEL
                  : Math.min(2 * ownChannel, LONGEST_OWN_CHANNEL);
        } else {
          channel.readNow();
        }
        now = System.nanoTime();
        loop.work(now);
      } catch (Throwable e) {
        loop.survived(e);
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

  // The driver: what the selector watches, and what has moved.

  /** Has the selector watch a channel, or not while a caller looks at it. */
  private void watch(LoopChannel channel, boolean on) {
    if (on || !channel.equals(unwatched)) {
      // An observer may have called for another channel from within this one's turn.
      watchAll();
    }
    if (!on && unwatched == null) {
      unwatched = channel;
      channel.watched(false);
    }
  }

  /** Has the selector watch every channel. */
  void watchAll() {
    LoopChannel left = unwatched;
    if (left != null) {
      unwatched = null;
      left.watched(true);
    }
  }

  /** Something was ready though no caller looked for it. */
  void foundReady() {
    ownChannel = OWN_CHANNEL;
  }

  /** Bytes have moved: of arrays and answers to them, or only of heartbeats. */
  void moved(LoopChannel channel, boolean arrays) {
    helpedMoved |= channel.equals(helped);
    if (arrays && !channel.equals(lastMover)) {
      if (lastMover != null) {
        mixedAt = System.nanoTime();
      }
      lastMover = channel;
    }
  }

  /** A channel is closed. */
  void forget(LoopChannel channel) {
    if (channel.equals(lastMover)) {
      lastMover = null;
    }
    if (channel.equals(helped)) {
      helped = null;
    }
    if (channel.equals(unwatched)) {
      unwatched = null;
    }
  }
}
