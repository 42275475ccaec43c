package io.arraywire.nio;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One platform thread with one selector, which does all input and output of its channels and never
 * blocks on one of them.
 *
 * <p>Other threads hand in tasks with {@link #execute}. The thread lends its channels one read
 * window of each kind of memory, so that an idle connection holds none.
 */
final class EventLoop implements WaitStrategy.Waitable {
  private static final Logger LOGGER = System.getLogger("io.arraywire");

  /** What one read may take; measured, see docs/benchmarks.md. */
  static final int WINDOW_BYTES = 256 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int LOOK_AHEAD_BYTES = 4 << 10;

  private static final long PAUSE_AFTER_FAILED_WAIT = TimeUnit.MILLISECONDS.toNanos(10);

  private final Selector selector;
  private final WaitStrategy waitStrategy;
  private final MemoryPool pool;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Runnable> followUps = new ArrayDeque<>();
  private final Map<MemoryKind, PooledMemory> windows = new EnumMap<>(MemoryKind.class);

  private final ByteBuffer[] targets = new ByteBuffer[2];

  private @Nullable PooledMemory lookAhead;

  /** Whether the thread sleeps or is about to, so that a task must wake it. */
  private volatile boolean sleeping;

  private volatile boolean stopping;
  private volatile boolean ended;
  private boolean movedBytes;

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
    if (ended) {
      // Nobody else will; whoever polls a task runs it.
      runTasks();
    } else if (sleeping && !inLoop()) {
      selector.wakeup();
    }
  }

  /** Runs a task on the loop's thread when what is ready now has been seen to. */
  void followUp(Runnable task) {
    if (inLoop()) {
      followUps.add(task);
    } else {
      execute(task);
    }
  }

  boolean inLoop() {
    return Thread.currentThread().equals(thread);
  }

  Selector selector() {
    return selector;
  }

  /** Ends the loop: its channels are closed, its memory given back, its thread gone. */
  void stop() {
    stopping = true;
    selector.wakeup();
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
    windows.values().forEach(PooledMemory::release);
    windows.clear();
    if (lookAhead != null) {
      lookAhead.release();
      lookAhead = null;
    }
  }

  void movedBytes() {
    movedBytes = true;
  }

  @Override
  public boolean poll() throws IOException {
    return !tasks.isEmpty()
        || selector.selectNow() > 0
        || !selector.selectedKeys().isEmpty()
        || stopping;
  }

  @Override
  public void sleep() throws IOException {
    sleeping = true;
    try {
      // A task that was handed in before the flag was seen has not woken the selector.
      if (tasks.isEmpty() && !stopping) {
        // An idle loop holds no memory.
        releaseWindows();
        selector.select();
      }
    } finally {
      sleeping = false;
    }
  }

  private void run() {
    try {
      while (!stopping) {
        try {
          turn();
        } catch (Throwable e) {
          // One channel's trouble must not end the others; see the handlers, which catch their own.
          survived(e);
        }
      }
    } finally {
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

  private void turn() {
    boolean expecting = movedBytes;
    movedBytes = false;
    try {
      waitStrategy.await(this, expecting);
    } catch (Throwable e) {
      survived(e);
      // It may fail for ever, which must neither flood the log nor keep tasks from being run.
      LockSupport.parkNanos(PAUSE_AFTER_FAILED_WAIT);
    }
    // Left over from somebody's mistake, the flag would make every select return at once.
    Thread.interrupted();
    for (SelectionKey key : selector.selectedKeys()) {
      try {
        ((ReadyHandler) key.attachment()).ready();
      } catch (CancelledKeyException e) {
        LOGGER.log(Level.TRACE, "a channel was closed while it was ready", e);
      } catch (Throwable e) {
        // Those behind it have their turn all the same.
        survived(e);
      }
    }
    selector.selectedKeys().clear();
    runTasks();
    for (int i = followUps.size(); i > 0; i--) {
      run(followUps.remove());
    }
    if (!followUps.isEmpty()) {
      // Work that was cut short so that others have their turn.
      movedBytes = true;
      tasks.add(() -> {});
    }
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      run(task);
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
