package io.arraywire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** See {@link ArrayFlows#publisher}. Numbers of rules are those of Reactive Streams 1.0.4. */
final class ReceivingPublisher implements Flow.Publisher<ReceivedArray> {
  private final ArrayInput source;
  private final Executor executor;
  private final AtomicBoolean taken = new AtomicBoolean();

  ReceivingPublisher(ArrayInput source, Executor executor) {
    this.source = source;
    this.executor = executor;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ReceivedArray> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (taken.compareAndSet(false, true)) {
      new Reception(source, executor).begin(subscriber);
    } else {
      subscriber.onSubscribe(Refused.INSTANCE); // Rule 1.9: before any other signal.
      subscriber.onError(
          new IllegalStateException(
              "this publisher has its one subscriber already; make another" + " publisher"));
    }
  }

  private enum Refused implements Flow.Subscription {
    INSTANCE;

    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  }

  /** The subscription. Only the thread that has set {@code running} may call the subscriber. */
  private static final class Reception implements Flow.Subscription, Runnable {
    private final ArrayInput source;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    /** Null once the stream is over for it; nothing refers to it then (rule 3.13). */
    @GuardedBy("lock")
    private Flow.@Nullable Subscriber<? super ReceivedArray> subscriber;

    @GuardedBy("lock")
    private long demand;

    @GuardedBy("lock")
    private boolean running = true;

    @GuardedBy("lock")
    private @Nullable Throwable refusal;

    /** The thread that waits for an array and may be interrupted. */
    @GuardedBy("lock")
    private @Nullable Thread receiver;

    @GuardedBy("lock")
    private boolean interrupted;

    Reception(ArrayInput source, Executor executor) {
      this.source = source;
      this.executor = executor;
    }

    void begin(Flow.Subscriber<? super ReceivedArray> first) {
      lock.lock();
      try {
        subscriber = first;
      } finally {
        lock.unlock();
      }
      try {
        first.onSubscribe(this);
      } catch (RuntimeException | Error e) {
        cancel();
        throw e;
      }
      // What was requested meanwhile has had to wait: signals come one after the other (rule 1.3).
      boolean wanted;
      lock.lock();
      try {
        wanted = subscriber != null && (demand > 0 || refusal != null);
        running = wanted;
      } finally {
        lock.unlock();
      }
      if (wanted) {
        execute();
      }
    }

    @Override
    public void request(long n) {
      boolean begins;
      lock.lock();
      try {
        if (subscriber == null) {
          return;
        }
        if (n > 0) {
          demand = demand + n < 0 ? Long.MAX_VALUE : demand + n; // Rule 3.17.
        } else if (refusal == null) {
          refusal =
              new IllegalArgumentException(
                  "rule 3.9 of Reactive Streams: a request must be for at least one (n=" + n + ")");
          letGo();
        }
        begins = !running;
        running = true;
      } finally {
        lock.unlock();
      }
      if (begins) {
        execute();
      }
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        subscriber = null;
        letGo();
      } finally {
        lock.unlock();
      }
    }

    /** Has the receive call return, if there is one. */
    @GuardedBy("lock")
    private void letGo() {
      if (receiver != null && !interrupted) {
        interrupted = true;
        receiver.interrupt();
      }
    }

    private void execute() {
      try {
        executor.execute(this);
      } catch (RuntimeException | Error e) {
        // Not refusals alone: an executor that cannot start a thread throws an error. One of the
        // user's may throw anything; request must throw nothing (rule 3.16).
        end(
            new ArraywireException(
                    ErrorCode.INTERNAL,
                    "the executor of the publisher refuses tasks; it may be shut down")
                .because(e));
      }
    }

    @Override
    public void run() {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = next();
      }
    }

    /** Receives one array for the subscriber; returns whether there may be another. */
    private boolean next() {
      Flow.Subscriber<? super ReceivedArray> present;
      Throwable refused;
      lock.lock();
      try {
        present = subscriber;
        refused = refusal;
        if (present == null || (refused == null && demand == 0)) {
          running = false;
          return false;
        }
        if (refused == null) {
          receiver = Thread.currentThread();
        }
      } finally {
        lock.unlock();
      }
      if (refused != null) {
        end(refused);
        return false;
      }
      ReceivedArray array;
      try {
        array = receive();
      } catch (ConnectionClosedException e) {
        end(null);
        return false;
      } catch (ArraywireException | RuntimeException | Error e) {
        end(e);
        return false;
      } catch (InterruptedException e) {
        return wasMeant(e);
      }
      lock.lock();
      try {
        demand -= demand == Long.MAX_VALUE ? 0 : 1;
      } finally {
        lock.unlock();
      }
      try {
        // Also if it was cancelled just now: the array would be lost.
        present.onNext(array);
      } catch (RuntimeException | Error e) {
        cancel(); // Rule 2.13.
        throw e;
      }
      return true;
    }

    private ReceivedArray receive() throws ArraywireException, InterruptedException {
      try {
        return source.receive();
      } finally {
        lock.lock();
        try {
          receiver = null;
          if (interrupted) {
            // The thread is the executor's, and the interrupt was ours. The exception has cleared
            // the flag; an array that came at the same time has not.
            Thread.interrupted();
          }
        } finally {
          lock.unlock();
        }
      }
    }

    /** The receive call was interrupted: to go on is right if it was by this subscription. */
    private boolean wasMeant(InterruptedException e) {
      boolean meant;
      lock.lock();
      try {
        meant = interrupted;
        interrupted = false;
      } finally {
        lock.unlock();
      }
      if (!meant) {
        end(e);
        Thread.currentThread().interrupt();
      }
      return meant;
    }

    /** The last signal, unless it was cancelled. */
    private void end(@Nullable Throwable failure) {
      Flow.Subscriber<? super ReceivedArray> present;
      lock.lock();
      try {
        present = subscriber;
        subscriber = null;
        running = false;
      } finally {
        lock.unlock();
      }
      if (present == null) {
        return;
      }
      if (failure == null) {
        present.onComplete();
      } else {
        present.onError(failure);
      }
    }
  }
}
