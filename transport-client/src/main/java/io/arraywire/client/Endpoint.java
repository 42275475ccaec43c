package io.arraywire.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One address: its connections, and when it is tried again. Any thread; the lock is held for a few
 * assignments, and nothing of the user's runs under it.
 */
final class Endpoint {
  /** After so long an attempt that has not failed before no longer keeps calls from other ones. */
  static final long PROMISE = 250_000_000;

  final String name;
  private final Dialer dialer;
  private final Handlers handlers;
  private final int mostConnections;
  private final ClientRuntime runtime;
  private final Runnable changed;

  private final OpenConnections connections = new OpenConnections();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private boolean attempting;

  @GuardedBy("lock")
  private long attemptBegan;

  /** Cancels the next attempt, while one is planned. */
  @GuardedBy("lock")
  private @Nullable Runnable planned;

  @GuardedBy("lock")
  private final Outage outage;

  @GuardedBy("lock")
  private long retryAt;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private @Nullable ArraywireException lastFailure;

  /** Why no further attempt is likely to do better; null again from the next connection on. */
  @GuardedBy("lock")
  private @Nullable ArraywireException refusal;

  @GuardedBy("lock")
  private final StateWatch watch;

  /**
   * Makes an address to which nothing is connected.
   *
   * @param changed called without the lock when a call that waits may find more here, or less
   */
  Endpoint(
      String name,
      Dialer dialer,
      Handlers handlers,
      int mostConnections,
      BackOff backOff,
      ClientRuntime runtime,
      Runnable changed) {
    this.name = name;
    this.dialer = dialer;
    this.handlers = handlers;
    this.mostConnections = mostConnections;
    this.runtime = runtime;
    this.changed = changed;
    outage = new Outage(backOff, runtime);
    watch = new StateWatch(runtime);
  }

  @Nullable OpenConnection available() {
    return connections.available();
  }

  int inFlight() {
    return connections.inFlight();
  }

  /** All that have not ended, those that drain included. */
  List<Connection> connections() {
    return connections.connections();
  }

  /** Whether a call had better wait for the attempt that is being made. */
  boolean isPromising() {
    lock.lock();
    try {
      return attempting && outage.failures() == 0 && runtime.nanoTime() - attemptBegan < PROMISE;
    } finally {
      lock.unlock();
    }
  }

  /** The last failure, if no further attempt is likely to end otherwise. */
  @Nullable ArraywireException refusal() {
    lock.lock();
    try {
      return refusal;
    } finally {
      lock.unlock();
    }
  }

  /** Begins or plans an attempt, unless there is one, or there are connections enough. */
  void want() {
    boolean begins = false;
    lock.lock();
    try {
      if (mayAttempt() && planned == null) {
        long pause = outage.failures() == 0 ? 0 : retryAt - runtime.nanoTime();
        if (pause > 0) {
          planned = runtime.after(pause, this::due);
        } else {
          begin();
          begins = true;
        }
      }
      noteState();
    } finally {
      lock.unlock();
    }
    if (begins) {
      boolean handedOn = false;
      try {
        runtime.execute(this::attempt);
        handedOn = true;
      } finally {
        if (!handedOn) {
          // Without a thread there is no attempt, and a later call begins one.
          notBegun();
        }
      }
    }
  }

  private void notBegun() {
    lock.lock();
    try {
      attempting = false;
      noteState();
    } finally {
      lock.unlock();
    }
  }

  /** Takes calls over one connection more, if that is allowed. */
  void wantMore(OpenConnection busy) {
    if (mostConnections > 1 && busy.inFlight() > 1 && connections.open() < mostConnections) {
      want();
    }
  }

  @GuardedBy("lock")
  private boolean mayAttempt() {
    return !closed && !attempting && connections.open() < mostConnections;
  }

  @GuardedBy("lock")
  private void begin() {
    if (outage.failures() == 0) {
      // Calls that wait for this attempt then look further.
      Runnable unused = runtime.after(PROMISE, changed);
    }
    attempting = true;
    attemptBegan = runtime.nanoTime();
  }

  /** Plans the next attempt at an address that was good; others are tried when a call asks. */
  @GuardedBy("lock")
  private void planAgain() {
    long now = runtime.nanoTime();
    if (connections.haveProved(now)) {
      outage.good();
    }
    long pause = outage.pause(connections.open() == 0);
    retryAt = now + pause;
    if (outage.wasEverGood() && mayAttempt() && connections.open() == 0 && planned == null) {
      planned = runtime.after(pause, this::due);
    }
  }

  @GuardedBy("lock")
  private void noteState() {
    watch.is(
        closed
            ? AddressStatus.State.CLOSED
            : connections.open() > 0
                ? AddressStatus.State.READY
                : attempting
                    ? AddressStatus.State.CONNECTING
                    : planned != null || (outage.failures() > 0 && retryAt - runtime.nanoTime() > 0)
                        ? AddressStatus.State.BACKING_OFF
                        : AddressStatus.State.IDLE);
  }

  // Attempts, on threads that may block.

  private void due() {
    boolean begins;
    lock.lock();
    try {
      planned = null;
      begins = mayAttempt();
      if (begins) {
        begin();
      }
      noteState();
    } finally {
      lock.unlock();
    }
    if (begins) {
      attempt();
    }
  }

  private void attempt() {
    ConnectionEnd ending = new ConnectionEnd(this::ended);
    try {
      Handlers watched = WatchedHandlers.of(handlers, ending::ended);
      opened(Dialer.connect(dialer, name, watched), ending);
    } catch (ArraywireException e) {
      failed(e);
    }
  }

  private void opened(Connection connection, ConnectionEnd ending) {
    OpenConnection open = new OpenConnection(connection, runtime.nanoTime());
    boolean late;
    lock.lock();
    try {
      attempting = false;
      late = closed;
      if (!late) {
        refusal = null;
        connections.add(open);
      }
      noteState();
    } finally {
      lock.unlock();
    }
    if (late) {
      // The server hears a goodbye of this one, too.
      ClientDrain.close(connection, new CompletableFuture<>());
    } else {
      ending.of(open);
      changed.run();
    }
  }

  private void failed(ArraywireException cause) {
    lock.lock();
    try {
      attempting = false;
      outage.failed();
      lastFailure = cause;
      refusal = Refusals.isForGood(cause) ? cause : null;
      planAgain();
      noteState();
    } finally {
      lock.unlock();
    }
    changed.run();
  }

  private void ended(OpenConnection open, @Nullable ArraywireException cause) {
    lock.lock();
    try {
      connections.remove(open);
      if (cause != null) {
        lastFailure = cause;
      }
      if (open.hasProved(runtime.nanoTime())) {
        outage.end();
      } else {
        outage.failed();
      }
      planAgain();
      noteState();
    } finally {
      lock.unlock();
    }
    changed.run();
  }

  /** A connection that takes no more calls, while its peer drains. */
  void retire(OpenConnection open) {
    open.retire();
    want();
  }

  // For users.

  AddressStatus status() {
    lock.lock();
    try {
      noteState();
      return new AddressStatus(
          name,
          watch.state(),
          watch.since(),
          connections.open(),
          inFlight(),
          connections.open() > 0 ? 0 : outage.failures(),
          lastFailure);
    } finally {
      lock.unlock();
    }
  }

  /** Makes no further attempts; connections stay. */
  void close() {
    lock.lock();
    try {
      closed = true;
      if (planned != null) {
        planned.run();
        planned = null;
      }
      noteState();
    } finally {
      lock.unlock();
    }
  }
}
