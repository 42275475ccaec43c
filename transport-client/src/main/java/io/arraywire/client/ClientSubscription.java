package io.arraywire.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that comes back. When its connection ends it subscribes again, over any connection
 * of the client, until it is closed or a publisher refuses it.
 *
 * <p>A subscription has one publisher at a time. It also comes back after {@link
 * io.arraywire.LagPolicy#DISCONNECT}. Obtained from {@link ArraywireClient#subscribe}. Any thread
 * may call any method.
 */
public final class ClientSubscription implements AutoCloseable {
  /** A subscription that ended earlier counts as a failed attempt. */
  private static final long PROVED = OpenConnection.PROVED;

  private final String subject;
  private final SubscribeOptions options;
  private final PublicationHandler handler;
  private final Endpoints endpoints;
  private final AddressOrder order;
  private final Duration patience;
  private final Runnable forget;
  private final AtomicBoolean endTold = new AtomicBoolean();
  private final State state;

  /**
   * What changes, with its lock. A class of its own, as everywhere in a public one: code that is
   * compiled against fields with the annotation would need it, too.
   */
  private static final class State {
    final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    @Nullable Subscription current;

    @GuardedBy("lock")
    boolean active;

    @GuardedBy("lock")
    boolean closed;

    /**
     * From before a connection is asked until what came of it has failed or ended. Meanwhile the
     * handler may be told something, and so does not hear of the end.
     */
    @GuardedBy("lock")
    boolean subscribing;

    @GuardedBy("lock")
    long gaps;

    /** Counts attempts that failed, and subscriptions that ended at once. */
    @GuardedBy("lock")
    final Outage outage;

    /** When the present subscription began. */
    @GuardedBy("lock")
    long begun;

    State(Outage outage) {
      this.outage = outage;
    }
  }

  ClientSubscription(
      String subject,
      SubscribeOptions options,
      PublicationHandler handler,
      Endpoints endpoints,
      AddressOrder order,
      Duration patience,
      BackOff backOff,
      Runnable forget) {
    this.subject = subject;
    this.options = options;
    this.handler = handler;
    this.endpoints = endpoints;
    this.order = order;
    this.patience = patience;
    state = new State(new Outage(backOff, endpoints.runtime()));
    this.forget = forget;
  }

  /**
   * What is subscribed to.
   *
   * @return the subject
   */
  public String subject() {
    return subject;
  }

  /**
   * Whether the subscription has a publisher now.
   *
   * @return false while it is interrupted, and once it has ended
   */
  public boolean isActive() {
    state.lock.lock();
    try {
      return state.active;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * How often it was interrupted, each time with publications that may have been missed.
   *
   * @return gaps, since it began
   */
  public long gaps() {
    state.lock.lock();
    try {
      return state.gaps;
    } finally {
      state.lock.unlock();
    }
  }

  /** Subscribes for the first time, on the caller's thread. */
  void begin() throws ArraywireException, InterruptedException {
    // If it fails, nobody hears of its end.
    boolean unused = startsSubscribing();
    CallLimits limits =
        new CallLimits(
            order,
            RetryRule.IDEMPOTENT,
            Deadline.after(endpoints.runtime(), patience),
            null,
            ErrorCode.REQUEST_TIMEOUT);
    Subscription unusedToo =
        BlockingCall.run(endpoints, limits, (connection, left) -> subscribeOver(connection, null));
  }

  /** Whether it still shall; then the handler hears of no end until that is over. */
  private boolean startsSubscribing() {
    state.lock.lock();
    try {
      state.subscribing = !state.closed;
      return state.subscribing;
    } finally {
      state.lock.unlock();
    }
  }

  private void stopSubscribing() {
    state.lock.lock();
    try {
      state.subscribing = false;
    } finally {
      state.lock.unlock();
    }
  }

  private Subscription subscribeOver(Connection connection, @Nullable Runnable gap)
      throws ArraywireException, InterruptedException {
    PublicationFeed feed = new PublicationFeed(handler, gap, this::ended);
    Subscription made = connection.subscribe(subject, options, feed);
    attach(made);
    feed.adopt();
    return made;
  }

  private void attach(Subscription made) {
    boolean late;
    state.lock.lock();
    try {
      late = state.closed;
      if (state.current == null || !state.current.isOpen()) {
        state.current = made;
      }
      state.active = !late && made.isOpen();
      state.begun = endpoints.runtime().nanoTime();
    } finally {
      state.lock.unlock();
    }
    if (late) {
      made.close();
    }
  }

  /** The connection has ended, or the subscription over it. */
  private void ended(@Nullable ArraywireException cause) {
    boolean over;
    state.lock.lock();
    try {
      over = state.closed;
      state.active = false;
      state.subscribing = false;
      if (endpoints.runtime().nanoTime() - state.begun >= PROVED) {
        state.outage.end();
      }
      if (!over) {
        state.gaps++;
      }
    } finally {
      state.lock.unlock();
    }
    if (over || endpoints.isClosed()) {
      end(null);
    } else {
      again(cause);
    }
  }

  /** Subscribes again after a pause. */
  private void again(@Nullable ArraywireException cause) {
    ClientRuntime runtime = endpoints.runtime();
    long pause;
    state.lock.lock();
    try {
      state.outage.failed();
      pause = state.outage.pause(true);
    } finally {
      state.lock.unlock();
    }
    Runnable unused = runtime.after(pause, () -> acquire(cause));
  }

  private void acquire(@Nullable ArraywireException cause) {
    if (isOver()) {
      end(null);
      return;
    }
    ClientRuntime runtime = endpoints.runtime();
    CompletableFuture<ChosenConnection> unused =
        endpoints
            .acquire(order, Deadline.after(runtime, patience), ErrorCode.REQUEST_TIMEOUT, false)
            .whenComplete((chosen, thrown) -> {
              if (chosen != null) {
                // Subscribing waits for the publisher's answer.
                runtime.execute(() -> subscribe(chosen, cause));
              } else {
                again(cause);
              }
            });
  }

  private void subscribe(ChosenConnection chosen, @Nullable ArraywireException cause) {
    if (!startsSubscribing()) {
      chosen.end(false);
      end(null);
      return;
    }
    boolean served = false;
    try {
      Subscription unused = subscribeOver(chosen.connection(), () -> handler.onGap(cause));
      served = true;
    } catch (RemoteRejectedException e) {
      end(e);
    } catch (ConnectionClosedException e) {
      chosen.retire();
      failed(cause);
    } catch (ArraywireException e) {
      failed(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(cause);
    } catch (RuntimeException | Error e) {
      // No memory, or a defect: it may be better next time.
      failed(cause);
      throw e;
    } finally {
      chosen.end(served);
    }
  }

  /** The connection did not take it; nothing comes over it. */
  private void failed(@Nullable ArraywireException cause) {
    stopSubscribing();
    if (isOver()) {
      end(null);
    } else {
      again(cause);
    }
  }

  private boolean isOver() {
    state.lock.lock();
    try {
      return state.closed || endpoints.isClosed();
    } finally {
      state.lock.unlock();
    }
  }

  private void end(@Nullable ArraywireException cause) {
    state.lock.lock();
    try {
      state.closed = true;
      state.active = false;
    } finally {
      state.lock.unlock();
    }
    forget.run();
    if (endTold.compareAndSet(false, true)) {
      handler.onEnded(cause);
    }
  }

  /**
   * Ends the subscription, without waiting; {@link PublicationHandler#onEnded} follows. Idempotent.
   */
  @Override
  public void close() {
    Subscription last;
    boolean mayBeTold;
    state.lock.lock();
    try {
      state.closed = true;
      last = state.current;
      mayBeTold = state.subscribing;
      state.active = false;
    } finally {
      state.lock.unlock();
    }
    if (last != null) {
      last.close();
    }
    // Otherwise the end follows what the handler may still be told.
    if (!mayBeTold) {
      try {
        endpoints.runtime().execute(() -> end(null));
      } catch (OutOfMemoryError e) {
        // No thread can be had for it.
        end(null);
      }
    }
  }

  @Override
  public String toString() {
    return "subscription to " + subject + (isActive() ? "" : ", interrupted");
  }
}
