package io.arraywire.engine;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetMismatchException;
import io.arraywire.TargetingArrayHandler;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings arriving arrays and those who want them together: receive calls, which are served in turn,
 * or a handler. What nobody has asked for yet is kept up to a budget; then reading stops until
 * somebody does.
 *
 * <p>Guarded by the connection's lock.
 */
final class Inbox {
  private final ProtocolConnection connection;
  private final Engine engine;
  private final ReentrantLock lock;
  private final @Nullable ArrayHandler handler;

  private final ArrayDeque<Arrival> ready = new ArrayDeque<>();
  private final ArrayDeque<Claim> claims = new ArrayDeque<>();
  private long readyBytes;
  private @Nullable Arrival current;

  /** Whether the reading thread waits for room or for a claim. */
  private boolean parked;

  /** Why nothing more will come. */
  private @Nullable ArraywireException end;

  private boolean endIsFailure;

  /** Whether what comes is read and dropped: nobody here wants it any more. */
  private boolean dropping;

  private boolean handlerScheduled;
  private boolean handlerTold;
  private @Nullable Thread handlerThread;

  /** The array whose target the handler is to name, and the answer. */
  private @Nullable ArrayHeader untargeted;

  private @Nullable Object targetAnswer;

  private long arraysTaken;

  Inbox(
      ProtocolConnection connection,
      Engine engine,
      ReentrantLock lock,
      @Nullable ArrayHandler handler) {
    this.connection = connection;
    this.engine = engine;
    this.lock = lock;
    this.handler = handler;
  }

  // Receive calls, from any thread.

  Object take(Claim claim) throws ArraywireException, InterruptedException {
    lock.lock();
    try {
      if (handler != null) {
        throw new IllegalStateException(
            "this connection's arrays go to its handler (handler="
                + handler.getClass().getName()
                + ")");
      }
      Arrival first = ready.peek();
      if (first != null) {
        if (claim.fits(first.header)) {
          ready.remove();
          readyBytes -= first.encodedBytes;
          give(first, claim);
        }
      } else if (end != null) {
        throw end;
      } else {
        claims.add(claim);
      }
    } finally {
      lock.unlock();
    }
    resume();
    return connection.await(claim.result, () -> withdraw(claim));
  }

  /**
   * Takes a claim back for a caller that was interrupted; returns whether it was not served yet.
   */
  private boolean withdraw(Claim claim) {
    lock.lock();
    try {
      if (claim.result.isDone()) {
        return false;
      }
      claims.remove(claim);
      if (current != null && current.claim == claim) {
        current.claim = null;
        if (claim.target != null) {
          redirect(current);
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the caller's memory back to it; without other memory to go on in, the connection fails.
   */
  private void redirect(Arrival arrival) {
    try {
      arrival.sink.redirect();
    } catch (OutOfMemoryError e) {
      arrival.sink.stop();
      connection.failLater(connection.outOfMemory(arrival.header, e));
    }
  }

  /** Wakes the reading thread if it waits for what has just changed. */
  private void resume() {
    boolean wasParked;
    lock.lock();
    try {
      wasParked = parked;
    } finally {
      lock.unlock();
    }
    if (wasParked) {
      connection.resumeReading();
    }
  }

  // The reading thread.

  /**
   * Finds a place for an array, or returns null: stop reading until {@link Link#resumeReading()}.
   */
  @Nullable Arrival admit(ArrayHeader header, Codec codec, long encodedBytes, boolean trusted) {
    lock.lock();
    try {
      Arrival arrival = place(header, codec, encodedBytes, trusted);
      parked = arrival == null;
      current = arrival;
      return arrival;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Arrival place(
      ArrayHeader header, Codec codec, long encodedBytes, boolean trusted) {
    if (dropping || end != null) {
      return new Arrival(header, encodedBytes, new DroppingSink(header.type()));
    }
    if (handler instanceof TargetingArrayHandler) {
      return targeted(header, codec, encodedBytes);
    }
    while (!claims.isEmpty()) {
      Claim claim = claims.remove();
      if (claim.fits(header)) {
        Arrival arrival = new Arrival(header, encodedBytes, sink(claim, header, codec, trusted));
        arrival.claim = claim;
        return arrival;
      }
    }
    // A handler always gets its next array, however large.
    boolean next = handler != null && ready.isEmpty();
    if (!next && readyBytes + encodedBytes > engine.options().inboxBytes()) {
      return null;
    }
    return new Arrival(
        header, encodedBytes, DecodingSink.fresh(codec, header.type(), header.count(), trusted));
  }

  private Sink sink(Claim claim, ArrayHeader header, Codec codec, boolean trusted) {
    if (claim.target != null) {
      return DecodingSink.into(codec, claim.target, header.count());
    }
    if (claim.kind == Claim.Kind.LEASE && codec.encoding().hasPlainElements()) {
      return new PooledSink(
          engine.pool(),
          MemoryKind.DIRECT,
          header.type(),
          header.count(),
          codec.encoding().order());
    }
    return DecodingSink.fresh(codec, header.type(), header.count(), trusted);
  }

  private @Nullable Arrival targeted(ArrayHeader header, Codec codec, long encodedBytes) {
    Object answer = targetAnswer;
    if (answer == null) {
      untargeted = header;
      scheduleHandler();
      return null;
    }
    targetAnswer = null;
    untargeted = null;
    if (answer instanceof ArraySlice target) {
      return new Arrival(header, encodedBytes, DecodingSink.into(codec, target, header.count()));
    }
    Arrival refused = new Arrival(header, encodedBytes, new DroppingSink(header.type()));
    refused.refusal = (ArraywireException) answer;
    return refused;
  }

  /** An array has come whole. */
  void complete(Arrival arrival) {
    lock.lock();
    try {
      current = null;
      if (dropping || end != null) {
        // After the end a sink takes no more, so what is in it is not the whole array.
        arrival.sink.discard();
        if (dropping) {
          connection.notTaken(arrival.header.sequence());
        }
        return;
      }
      Claim claim = arrival.claim;
      if (claim != null) {
        arrival.claim = null;
        give(arrival, claim);
        return;
      }
      while (!claims.isEmpty()) {
        Claim waiting = claims.remove();
        if (waiting.fits(arrival.header)) {
          give(arrival, waiting);
          return;
        }
      }
      ready.add(arrival);
      readyBytes += arrival.encodedBytes;
      if (handler != null) {
        scheduleHandler();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The sender took back the array that was arriving; whoever waited for it waits for the next. */
  void aborted(Arrival arrival) {
    lock.lock();
    try {
      current = null;
      if (arrival.claim != null) {
        claims.addFirst(arrival.claim);
        arrival.claim = null;
      }
    } finally {
      lock.unlock();
    }
    arrival.sink.discard();
  }

  /** Whether the next array will be lent out, so that it should not be read ahead of its header. */
  boolean leaseIsNext() {
    lock.lock();
    try {
      Claim next = claims.peek();
      return next != null && next.kind == Claim.Kind.LEASE && ready.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives an array to a claim that it fits. Under the lock, so that acknowledgements keep their
   * order.
   */
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  private void give(Arrival arrival, Claim claim) {
    try {
      ReceivedArray received = null;
      LeasedArray lease = null;
      switch (claim.kind) {
        case INTO -> {
          ArraySlice target = claim.target;
          if (target == null) {
            throw new IllegalStateException("a claim without its target");
          }
          boolean inPlace =
              arrival.sink instanceof DecodingSink
                  && arrival.sink.slice().array() == target.array();
          received = inPlace ? arrival.received() : arrival.copiedInto(target);
        }
        case FRESH -> received = arrival.received();
        case LEASE -> lease = arrival.leased();
      }
      arraysTaken++;
      connection.processed(arrival.header.sequence());
      claim.result.complete(lease == null ? received : lease);
    } catch (OutOfMemoryError e) {
      // The array is lost, and its sender must not be told otherwise by a later acknowledgement.
      arrival.sink.discard();
      AllocationFailedException failed = connection.outOfMemory(arrival.header, e);
      claim.result.completeExceptionally(failed);
      connection.failLater(failed);
    }
  }

  // The end.

  /** Nothing more will come. What is here already can still be taken. */
  void end(ArraywireException cause, boolean failure) {
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      end = cause;
      endIsFailure = failure;
      if (current != null) {
        current.sink.stop();
        if (current.claim != null) {
          current.claim.result.completeExceptionally(cause);
          current.claim = null;
        }
      }
      claims.forEach(claim -> claim.result.completeExceptionally(cause));
      claims.clear();
      if (handler != null) {
        scheduleHandler();
      }
    } finally {
      lock.unlock();
    }
  }

  /** This side closes: receive calls get nothing more, a handler everything that still comes. */
  void closing(ArraywireException cause) {
    lock.lock();
    try {
      if (handler == null) {
        end(cause, false);
        drop();
      }
    } finally {
      lock.unlock();
    }
    resume();
  }

  /** This side has closed: nobody gets anything any more. */
  void drop() {
    lock.lock();
    try {
      dropping = true;
      for (Arrival arrival : ready) {
        arrival.sink.discard();
        connection.notTaken(arrival.header.sequence());
      }
      ready.clear();
      readyBytes = 0;
      targetAnswer = null;
      untargeted = null;
    } finally {
      lock.unlock();
    }
  }

  /** The reading thread is done; what it was filling is no longer in use. */
  void disposed() {
    lock.lock();
    try {
      if (current != null) {
        current.sink.stop();
        current.sink.discard();
        if (current.claim != null) {
          // The failure that ended the reading may not have come here yet; it ends the claim, too.
          claims.addFirst(current.claim);
          current.claim = null;
        }
        current = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the caller is this connection's handler. */
  boolean isHandlerThread() {
    lock.lock();
    try {
      return Thread.currentThread().equals(handlerThread);
    } finally {
      lock.unlock();
    }
  }

  String describe() {
    return "arraysTaken="
        + arraysTaken
        + ", waitingArrays="
        + ready.size()
        + ", waitingBytes="
        + readyBytes
        + ", waitingReceivers="
        + claims.size()
        + (parked ? ", reading stopped until an array is taken" : "");
  }

  // The handler, one task at a time.

  private void scheduleHandler() {
    if (handlerScheduled) {
      return;
    }
    handlerScheduled = true;
    try {
      engine.executor().execute(this::runHandler);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // An executor that cannot start a thread throws the error.
      handlerScheduled = false;
      connection.failLater(
          new ArraywireException(
                  ErrorCode.INTERNAL, "the handler executor refuses tasks; it may be shut down")
              .because(e));
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very same arrival that is meant.
  private void runHandler() {
    while (true) {
      Arrival arrival;
      ArrayHeader wanted = null;
      boolean over = false;
      lock.lock();
      try {
        handlerThread = Thread.currentThread();
        arrival = ready.peek();
        if (arrival == null) {
          wanted = end == null && targetAnswer == null ? untargeted : null;
          if (wanted == null) {
            over = end != null && !handlerTold;
            handlerTold |= over;
            handlerScheduled = false;
            handlerThread = over ? handlerThread : null;
          }
        }
      } finally {
        lock.unlock();
      }
      if (arrival != null) {
        handle(arrival);
        lock.lock();
        try {
          // The connection may have been dropped meanwhile.
          if (ready.peek() == arrival) {
            ready.remove();
            readyBytes -= arrival.encodedBytes;
          }
        } finally {
          lock.unlock();
        }
        resume();
      } else if (wanted != null) {
        answerTarget(wanted);
        resume();
      } else {
        if (over) {
          tellClosed();
        }
        return;
      }
    }
  }

  private ArrayHandler handler() {
    if (handler == null) {
      throw new IllegalStateException("no handler");
    }
    return handler;
  }

  private void handle(Arrival arrival) {
    long sequence = arrival.header.sequence();
    if (arrival.refusal != null) {
      connection.reject(sequence, arrival.refusal);
      return;
    }
    try {
      handler().onArray(connection, arrival.received());
      lock.lock();
      try {
        arraysTaken++;
      } finally {
        lock.unlock();
      }
      connection.processed(sequence);
    } catch (
        Throwable thrown) { // Whatever a handler throws must reach the sender, and nobody else.
      connection.reject(sequence, refusal(thrown));
    }
  }

  private void answerTarget(ArrayHeader header) {
    Object answer;
    try {
      ArraySlice target = ((TargetingArrayHandler) handler()).target(connection, header);
      Claim.checkFits(header, target);
      answer = target;
    } catch (TargetMismatchException e) {
      answer = e;
    } catch (Throwable thrown) { // As above.
      answer = refusal(thrown);
    }
    lock.lock();
    try {
      targetAnswer = answer;
    } finally {
      lock.unlock();
    }
  }

  private void tellClosed() {
    ArraywireException cause;
    lock.lock();
    try {
      cause = endIsFailure ? end : null;
    } finally {
      lock.unlock();
    }
    try {
      handler().onClosed(connection, cause);
    } catch (RuntimeException | Error thrown) {
      Log.handlerFailed(connection, thrown);
    }
    // Nobody is left who would do it.
    connection.beginClose();
    lock.lock();
    try {
      handlerThread = null;
    } finally {
      lock.unlock();
    }
  }

  private static ArraywireException refusal(Throwable thrown) {
    return new ArraywireException(
            ErrorCode.REJECTED,
            "the handler threw " + thrown.getClass().getName() + ": " + thrown.getMessage())
        .because(thrown);
  }
}
