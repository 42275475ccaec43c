package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.TargetMismatchException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A caller that waits for an array. Guarded by the connection's lock. */
final class PendingReceive {
  /** What the caller wants it in. */
  enum Kind {
    INTO,
    FRESH,
    LEASE
  }

  final Kind kind;
  @Nullable ArraySlice target;

  /** With a target: what describes the array to the caller. */
  @Nullable ArrayInfo info;

  /** The info, or a {@code ReceivedArray} or a {@code LeasedArray}. */
  final ReusableFuture<Object> result = new ReusableFuture<>();

  /** When its caller no longer waits, by {@link System#nanoTime()}. Only the caller knows it. */
  private long end;

  /** The result or the end of the wait, for the thread that moves bytes meanwhile. */
  private @Nullable Wait wait;

  PendingReceive(Kind kind) {
    this.kind = kind;
  }

  /** To be used again for a caller that has what it waited for, or waits no longer. */
  void clear() {
    target = null;
    info = null;
    result.reset();
  }

  /**
   * Waits for the result, and lends the thread to the link meanwhile; one that does not wait for
   * ever ends that in time.
   *
   * @return whether there is a result
   */
  boolean await(Link link, long nanos) throws InterruptedException {
    if (nanos >= SystemDeadlines.LONGEST_NANOS) {
      link.help(result);
      return result.await(null, nanos);
    }
    Wait lent = wait;
    if (lent == null) {
      lent = new Wait();
      wait = lent;
    }
    end = System.nanoTime() + nanos;
    link.help(lent);
    return result.await(null, end - System.nanoTime());
  }

  /** Done when there is a result, or when its caller no longer waits. */
  private final class Wait implements Future<Object> {
    @Override
    public boolean isDone() {
      return result.isDone() || end - System.nanoTime() <= 0;
    }

    @Override
    public Object get() throws InterruptedException, ExecutionException {
      return result.get();
    }

    @Override
    public Object get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      return result.get(timeout, unit);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return false;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }
  }

  /** Fails this receive, and only it, if an array does not fit its target. */
  boolean fits(InboundArray array) {
    ArraySlice into = target;
    if (into == null || (array.type() == into.type() && array.count() <= into.length())) {
      return true;
    }
    try {
      TargetChecks.checkFits(array.header(), into);
      return true;
    } catch (TargetMismatchException e) {
      result.completeExceptionally(e);
      return false;
    }
  }

  /** What the caller gets. */
  Object given(InboundArray array) {
    return switch (kind) {
      case INTO -> {
        ArraySlice into = target;
        ArrayInfo filled = info;
        if (into == null || filled == null) {
          throw new IllegalStateException("a receive without its target");
        }
        array.receivedIn(into, filled);
        yield filled;
      }
      case FRESH -> array.received(array.sink.slice());
      case LEASE -> array.leased();
    };
  }
}
