package io.arraywire.stream;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lends the socket of a connection to callers that wait, so that no thread need be woken for them.
 * {@link Turns} has the rules for that.
 *
 * <p>The reading thread lends the socket when one caller's calls follow each other closely. It then
 * rests, and looks now and then. When no caller has come, or one has to sleep, it takes the socket
 * back. A caller never blocks in the socket itself, where an interrupt would close it: it waits in
 * a selector, for a short time.
 */
final class Lending {
  /**
   * How long the reading thread rests before it looks. Bytes that nobody waits for lie so long at
   * most.
   */
  private static final long REST = TimeUnit.MICROSECONDS.toNanos(200);

  /** The same while callers come. */
  private static final long LONGEST_REST = 8 * REST;

  /** Calls that begin within this time of each other follow each other closely. */
  private static final long CLOSE = TimeUnit.MILLISECONDS.toNanos(2);

  /** So many calls of one thread have to follow each other. */
  private static final int STREAK = 3;

  /** How long a caller waits while nothing moves. Then a further wake-up matters little. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(4);

  /** The longest time that a caller moves bytes: it must keep its own timeout. */
  private static final long LONGEST_HELP = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a caller waits at once: its result may come by another way than the socket. */
  private static final int LOOK_MILLIS = 1;

  /** What the reading thread reads at most before it takes the socket back for good. */
  private static final int READS = 16;

  private final StreamLink link;
  private final StreamSocket socket;
  private final Turns turns;
  private final Reading reading;
  private final Writing writing;
  private final Wakeup resting;

  /** The thread that has the turn to read while the socket is lent. */
  private volatile @Nullable Thread reader;

  /** The caller that has the turn to write and has not written yet. */
  private volatile @Nullable Thread writer;

  /** Of the one that has the turn to read; closed by anybody. */
  private volatile @Nullable Selector selector;

  private @Nullable SelectionKey key;

  /** Whether this connection gets no selector: there is no descriptor for it. */
  private volatile boolean isOff;

  // What callers have done. Threads may miss each other's changes; that costs a rest.

  private volatile int helps;
  private volatile int streak;
  private int lastCaller;
  private long lastCall;
  private volatile @Nullable Future<?> lastResult;

  Lending(
      StreamLink link,
      StreamSocket socket,
      Turns turns,
      Reading reading,
      Writing writing,
      Wakeup resting) {
    this.link = link;
    this.socket = socket;
    this.turns = turns;
    this.reading = reading;
    this.writing = writing;
    this.resting = resting;
  }

  // Callers.

  /** Takes the turn to write for a caller that is about to hand something in. */
  boolean beginHelp() {
    if (!turns.isLent()) {
      return false;
    }
    Thread caller = Thread.currentThread();
    if (caller.equals(reader) || !mayHelp(caller) || !turns.beginLentWrite()) {
      return false;
    }
    writer = caller;
    came();
    return true;
  }

  /** Ends what was begun, if {@link #help} has not. */
  void endHelp(Future<?> result) {
    if (Thread.currentThread().equals(writer)) {
      write(result);
      leavesFull();
    }
  }

  /** Writes and reads until there is a result, or nothing moves. */
  void help(Future<?> result) {
    Thread caller = Thread.currentThread();
    boolean wrote = caller.equals(writer);
    if (wrote) {
      write(result);
    }
    try {
      if (!result.isDone() && !caller.equals(reader)) {
        if (!turns.isLent()) {
          asksFor(result, caller);
        } else if (!mayHelp(caller)) {
          needsThread();
        } else if (takesTurn()) {
          move(result, caller);
          wrote = false;
        }
      }
    } finally {
      if (wrote) {
        leavesFull();
      }
    }
  }

  private boolean mayHelp(Thread caller) {
    return !link.isClosed() && !isOff && !caller.isInterrupted() && !Threads.isVirtual(caller);
  }

  private void write(@Nullable Future<?> result) {
    // From here on the turn is that of this call.
    writer = null;
    writing.writeByCaller(result);
  }

  /** The socket was full, and the caller does not wait for room. */
  private void leavesFull() {
    if (turns.leavesFull()) {
      resting.signal();
    }
  }

  /** The caller may not read: the reading thread has to. */
  private void needsThread() {
    if (turns.sleepsAtOnce()) {
      resting.signal();
    }
  }

  /** Takes the turn to read; returns false if the caller has to sleep. */
  private boolean takesTurn() {
    while (!turns.beginRead()) {
      if (turns.sleeps()) {
        return false;
      }
    }
    return true;
  }

  /** With the turn to read, which it ends. */
  private void move(Future<?> result, Thread caller) {
    reader = caller;
    boolean isTrouble = true;
    try {
      came();
      isTrouble = !waits(result, caller);
    } finally {
      reader = null;
      if (turns.endRead(isTrouble || !result.isDone())) {
        resting.signal();
      }
    }
  }

  /** Returns false if there is trouble that only the reading thread deals with. */
  private boolean waits(Future<?> result, Thread caller) {
    long start = System.nanoTime();
    for (long last = start, now = start; ; now = System.nanoTime()) {
      if (turns.isAsked() && turns.beginLentWrite()) {
        write(result);
      }
      if (result.isDone()
          || !mayHelp(caller)
          || now - last > PATIENCE
          || now - start > LONGEST_HELP) {
        return true;
      }
      int ready = reading.isAhead() && !turns.isFull() ? SelectionKey.OP_READ : select();
      if ((ready & SelectionKey.OP_WRITE) != 0 && turns.beginLentWrite()) {
        write(result);
        last = System.nanoTime();
      }
      if ((ready & SelectionKey.OP_READ) != 0) {
        Reading.Brought brought = reading.readNow();
        if (brought == Reading.Brought.TROUBLE) {
          return false;
        }
        if (brought == Reading.Brought.BYTES) {
          last = System.nanoTime();
        }
      }
    }
  }

  /** Waits for the socket, for a moment; returns for what it is ready. */
  private int select() {
    try {
      Selector open = selector;
      SelectionKey registered = key;
      if (open == null || registered == null) {
        open = Selector.open();
        selector = open;
        registered = socket.register(open);
        key = registered;
        if (link.isClosed()) {
          forgetSelector();
          return 0;
        }
      }
      int ops = SelectionKey.OP_READ | (turns.isFull() ? SelectionKey.OP_WRITE : 0);
      if (registered.interestOps() != ops) {
        registered.interestOps(ops);
      }
      if (open.select(LOOK_MILLIS) == 0) {
        return 0;
      }
      open.selectedKeys().clear();
      return registered.readyOps();
    } catch (ClosedSelectorException | CancelledKeyException e) {
      // The link is closed.
      return 0;
    } catch (IOException e) {
      // Most likely there is no descriptor left: from now on callers sleep.
      isOff = true;
      forgetSelector();
      return 0;
    }
  }

  /** With the turn to read. */
  private void forgetSelector() {
    closeSelector();
    selector = null;
    key = null;
  }

  /** A caller would have liked to read. The reading thread sees whether it is worth it. */
  private void asksFor(Future<?> result, Thread caller) {
    long now = System.nanoTime();
    int number = System.identityHashCode(caller);
    boolean goesOn = number == lastCaller && now - lastCall < CLOSE && mayHelp(caller);
    int before = streak;
    streak = goesOn ? before + 1 : 0;
    lastCaller = number;
    lastCall = now;
    // Not kept for nothing: it may hold a large array.
    lastResult = streak >= STREAK ? result : null;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // A change that is lost costs a rest.
  private void came() {
    helps++;
  }

  // Any thread.

  /** Whether the calling thread reads now, and writes what is asked for afterwards. */
  boolean isReader() {
    return Thread.currentThread().equals(reader);
  }

  /** Output is left for which there is no room, and somebody else reads. */
  void wakeReader() {
    Selector open = selector;
    if (open != null && !isReader()) {
      open.wakeup();
    }
  }

  /** The link is closed: a thread that waits in the selector is to leave it. */
  void closeSelector() {
    Selector open = selector;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // The descriptors are gone all the same.
      }
    }
  }

  // The reading thread.

  /** Lends the socket if a caller would make use of it; returns when the socket is its own. */
  void lend() {
    if (!isWanted()) {
      return;
    }
    lastResult = null;
    streak = 0;
    if (!turns.beginWrite()) {
      return;
    }
    try {
      socket.setBlocking(false);
    } catch (IOException e) {
      // It is closed, as the next read will say.
      isOff = true;
    }
    if (isOff) {
      turns.leaveWrite();
      link.wakeWritingThread();
      return;
    }
    if (turns.lend()) {
      link.wakeWritingThread();
    }
    rest();
  }

  private boolean isWanted() {
    if (streak < STREAK || isOff) {
      return false;
    }
    // While a caller sleeps, this thread has to stay.
    Future<?> result = lastResult;
    return result != null && result.isDone();
  }

  private void rest() {
    long rest = REST;
    int seen = helps;
    while (true) {
      sleep(rest);
      if (link.isClosed()) {
        break;
      }
      if (!turns.beginRead()) {
        rest = LONGEST_REST;
        continue;
      }
      reader = Thread.currentThread();
      boolean stays = !readAll() || helps == seen;
      reader = null;
      writeAsked();
      seen = helps;
      if (stays || !turns.endReadUnlessNeeded()) {
        takeBack();
        return;
      }
      rest = Math.min(2 * rest, LONGEST_REST);
    }
    // A caller that reads notices the end within a moment.
    while (!turns.beginLastRead()) {
      LockSupport.parkNanos(this, REST);
    }
  }

  /** Rests, unless it is needed; then writes what was not urgent. */
  private void sleep(long rest) {
    long end = System.nanoTime() + rest;
    for (long left = rest; left > 0 && !link.isClosed(); left = end - System.nanoTime()) {
      resting.await(left);
      if (turns.needsThread()) {
        break;
      }
    }
    writeAsked();
  }

  private void writeAsked() {
    if (turns.isAsked() && turns.beginLentWrite()) {
      write(null);
    }
  }

  /** Reads what is there; returns false if that is too much, or there is trouble. */
  private boolean readAll() {
    for (int i = 0; i < READS; i++) {
      Reading.Brought brought = reading.readNow();
      if (brought != Reading.Brought.BYTES) {
        return brought == Reading.Brought.NOTHING;
      }
    }
    return false;
  }

  /** With the turn to read, which it keeps. */
  private void takeBack() {
    while (!turns.beginWrite() && !turns.isWriteOver()) {
      // A caller's turn ends soon: nothing in it waits for the network.
      LockSupport.parkNanos(this, REST);
    }
    forgetSelector();
    try {
      socket.setBlocking(true);
    } catch (IOException e) {
      // It is closed, as the next read will say.
      isOff = true;
    }
    streak = 0;
    if (turns.takeBack()) {
      link.wakeWritingThread();
    }
  }
}
