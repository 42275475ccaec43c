package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections that have completed their handshake and wait for {@code accept}. Any thread. */
public final class AcceptQueue {
  private final Supplier<?> address;
  private final long patienceNanos;
  private final State state = new State();

  /**
   * What changes, with its lock. A class of its own, as everywhere in a public one: code that is
   * compiled against fields with the annotation would need it, too.
   */
  private static final class State {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    final ArrayDeque<EngineConnection> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    boolean closed;

    /** Whether somebody has come, or it was said that nobody has. */
    @GuardedBy("lock")
    boolean known;
  }

  /** Makes an empty queue of a listener that has no address. */
  public AcceptQueue() {
    this(() -> "none");
  }

  /**
   * Makes an empty queue.
   *
   * @param address the listener's, for what is logged
   */
  public AcceptQueue(Supplier<?> address) {
    this(address, SendWatch.PATIENCE);
  }

  AcceptQueue(Supplier<?> address, Duration patience) {
    this.address = address;
    patienceNanos = patience.toNanos();
  }

  /**
   * Adds a connection; if the queue is closed, the connection is closed at once.
   *
   * @param connection a connection whose handshake is over
   */
  public void add(EngineConnection connection) {
    if (connection.isResumed()) {
      // It carries a session that somebody has already.
      return;
    }
    boolean late;
    state.lock.lock();
    try {
      late = state.closed;
      if (!late) {
        state.waiting.add(connection);
        state.known = true;
        state.changed.signal();
      }
    } finally {
      state.lock.unlock();
    }
    if (late) {
      connection.closeNow();
    }
  }

  /**
   * Waits for a connection.
   *
   * @param timeout how long to wait
   * @return the connection, which is the caller's to close; null if none has come in time
   * @throws ConnectionClosedException if the queue is closed, before or during the wait
   * @throws InterruptedException if the caller is interrupted
   */
  public @Nullable Connection take(Duration timeout)
      throws ConnectionClosedException, InterruptedException {
    long left = SystemDeadlines.nanosOf(timeout);
    if (left > 0) {
      LoopTurn.checkMayWait("accept");
    }
    long patience = patienceNanos;
    state.lock.lockInterruptibly();
    try {
      while (true) {
        if (state.closed) {
          throw new ConnectionClosedException("the listener is closed");
        }
        EngineConnection first = state.waiting.poll();
        if (first != null) {
          return first.userConnection();
        }
        if (left <= 0) {
          return null;
        }
        long wait = state.known ? left : Math.min(left, patience);
        long waited = wait - state.changed.awaitNanos(wait);
        left -= waited;
        patience -= waited;
        if (patience <= 0 && !state.known) {
          state.known = true;
          Log.nobodyConnects(address.get(), Duration.ofNanos(patienceNanos));
        }
      }
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Takes out the connections whose peer has subscribed: the listener drains them although nobody
   * has accepted them.
   *
   * @return the connections, which are the caller's to close
   */
  public List<EngineConnection> takeSubscribed() {
    state.lock.lock();
    try {
      List<EngineConnection> subscribed =
          state.waiting.stream().filter(EngineConnection::hasSubscribers).toList();
      state.waiting.removeAll(subscribed);
      return subscribed;
    } finally {
      state.lock.unlock();
    }
  }

  /** Closes the queue, and at once every connection in it. Idempotent. */
  public void close() {
    List<EngineConnection> left;
    state.lock.lock();
    try {
      state.closed = true;
      left = new ArrayList<>(state.waiting);
      state.waiting.clear();
      state.changed.signalAll();
    } finally {
      state.lock.unlock();
    }
    left.forEach(EngineConnection::closeNow);
  }
}
