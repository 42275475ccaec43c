package io.arraywire.engine;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ArrivalNote;
import io.arraywire.ConnectionLoad;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestHandler;
import io.arraywire.TargetMismatchException;
import io.arraywire.TargetingArrayHandler;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.wire.ArrayEnvelope;
import java.util.concurrent.ExecutionException;
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
  private static final long UNKNOWN = 0;
  private static final long LEASE = -1;

  /** What those keep that are to be used again, where a budget is to be kept. */
  private static final int FEW_SPARE_BYTES = 64 << 10;

  private final ProtocolConnection connection;
  private final ReentrantLock lock;
  private final OutboundChannel out;
  private final @Nullable ArrayHandler handler;

  /** Whether what comes is what this side has subscribed to. */
  private final boolean subscribed;

  /** What the peer is allowed on this channel and on all; null if it knows no credit. */
  private @Nullable Credit credit;

  private @Nullable Credit allCredit;
  private boolean overBudget;
  private long headerCharged;
  private long headerPayload;

  /** The answer of a handler that has no target for an array. */
  private static final Object NO_TARGET = new Object();

  private LazyQueue<InboundArray> ready = LazyQueue.empty();
  private LazyQueue<PendingReceive> claims = LazyQueue.empty();

  /**
   * How large the memory is that the first claim has for its array; {@link #LEASE} if the array
   * will be lent out; {@link #UNKNOWN} if neither is known. For the reading thread, which asks with
   * every read how far it should go, and needs no lock for that: a claim that comes a moment too
   * late for a read is none.
   */
  private volatile long nextTarget = UNKNOWN;

  /** What is to be used again, once there is something. */
  private @Nullable InboxPool spares;

  /** One of them that is about to be used: taken where the lock is held anyhow. The reader's. */
  private @Nullable InboundArray next;

  private long readyBytes;
  private @Nullable InboundArray current;

  /** Whether the reading thread waits for room or for a claim. */
  private boolean parked;

  /** Why nothing more will come. */
  private @Nullable ArraywireException end;

  private boolean endIsFailure;

  /** Whether what comes is read and dropped: nobody here wants it any more. */
  private boolean dropping;

  private boolean handlerScheduled;

  /** Whether a task of the handler was run by the very call that handed it in. */
  private boolean handlerInPlace;

  private boolean handlerTold;
  private @Nullable Thread handlerThread;

  /** The array whose target the handler is to name, and the answer. */
  private @Nullable ArrayHeader untargeted;

  private @Nullable Object targetAnswer;

  private long arraysTaken;

  Inbox(
      ProtocolConnection connection,
      ReentrantLock lock,
      OutboundChannel out,
      @Nullable ArrayHandler handler,
      boolean subscribed) {
    this.connection = connection;
    this.lock = lock;
    this.out = out;
    this.handler = handler;
    this.subscribed = subscribed;
  }

  /** From now on the peer sends no more than it is allowed. Under the lock. */
  void keepCredit(Credit onChannel, Credit onAll) {
    credit = onChannel;
    allCredit = onAll;
  }

  /** Gives back what memory its queues need no more. Under the lock. */
  void trim() {
    ready = ready.trimmed();
    claims = claims.trimmed();
    if (allCredit != null) {
      allCredit.trim();
    }
    spares = null;
    next = null;
  }

  /** It goes on with the credit of another box of the same channel. Under the lock. */
  void keepCreditOf(Inbox other) {
    credit = other.credit;
    allCredit = other.allCredit;
  }

  // Credit.

  /**
   * A frame came that carries a part of an array; returns false, and notes nothing, if the peer was
   * not allowed to send as much.
   */
  boolean charge(boolean begins, long overhead, long payload) {
    lock.lock();
    try {
      Credit own = credit;
      Credit all = allCredit;
      if (own == null || all == null) {
        return true;
      }
      long cost = overhead + payload;
      if (!own.allows(cost) || !all.allows(cost)) {
        return false;
      }
      own.received(cost);
      all.received(cost);
      overBudget = all.isOverBudget();
      InboundArray arrival = current;
      if (begins && next == null && spares != null) {
        next = spares.takeArrival();
      }
      if (begins || arrival == null) {
        headerCharged = cost;
        headerPayload = payload;
      } else {
        arrival.charged += cost;
        arrival.payloadCharged += payload;
        if (arrival.held) {
          own.holds(cost);
          all.holds(cost, connection.context.inboxBudget());
        } else {
          own.wants(-payload);
          all.wants(-payload);
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether all inboxes together held too much for this connection to take more, when the last
   * frame was charged. The reading thread's.
   */
  boolean isOverBudget() {
    return overBudget;
  }

  /** What is left of what the peer is allowed, for an error's text. */
  String creditLeft() {
    lock.lock();
    try {
      Credit own = credit;
      Credit all = allCredit;
      return own == null || all == null ? "any" : Math.min(own.left(), all.left()) + "";
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the peer has credit to go on with an array of which so many bytes are to come: it may
   * wait for no more than half of the smaller first credit. Under the lock.
   */
  boolean allowsMore(long bytesLeft) {
    Credit own = credit;
    Credit all = allCredit;
    return own == null
        || all == null
        || Math.min(own.left(), all.left())
            >= Math.min(bytesLeft, Math.min(own.window(), all.window()) / 2);
  }

  private void holds(InboundArray arrival, long sign) {
    if (credit != null && allCredit != null) {
      credit.holds(sign * arrival.charged);
      allCredit.holds(sign * arrival.charged, connection.context.inboxBudget());
    }
  }

  private void wants(InboundArray arrival, long sign) {
    if (credit != null && allCredit != null) {
      credit.wants(sign * (arrival.encodedBytes - arrival.payloadCharged));
      allCredit.wants(sign * (arrival.encodedBytes - arrival.payloadCharged));
    }
  }

  /** An array begins to arrive. */
  private void count(InboundArray arrival, boolean held) {
    arrival.charged = headerCharged;
    arrival.payloadCharged = headerPayload;
    arrival.held = held;
    if (held) {
      holds(arrival, 1);
    } else {
      wants(arrival, 1);
    }
  }

  /** Somebody has asked for an array that is here or arriving. */
  private void want(InboundArray arrival) {
    if (arrival.held) {
      arrival.held = false;
      holds(arrival, -1);
      wants(arrival, 1);
    }
  }

  /** Whoever had asked for the array that is arriving no longer wants it. */
  private void unwant(InboundArray arrival) {
    if (!arrival.held) {
      arrival.held = true;
      wants(arrival, -1);
      holds(arrival, 1);
    }
  }

  /** An array is no longer here, or will not come. */
  private void uncount(InboundArray arrival) {
    if (arrival.held) {
      arrival.held = false;
      holds(arrival, -1);
    } else {
      wants(arrival, -1);
    }
    arrival.charged = 0;
    arrival.payloadCharged = arrival.encodedBytes;
  }

  /** Tells the peer if it may send more. */
  private void settle() {
    Credit own = credit;
    Credit all = allCredit;
    if (own != null && all != null && (own.isDue() || all.isDue())) {
      connection.grant(out, own.grant(), all.grant());
    }
  }

  // Receive calls, from any thread.

  /** Puts the next array into a caller's own, and notes what is to be said of it. */
  void takeInto(ArraySlice target, ArrivalNote note)
      throws ArraywireException, InterruptedException {
    PendingReceive claim;
    boolean served;
    boolean wasParked;
    lock.lock();
    try {
      claim = spares().takeClaim();
      if (claim == null) {
        claim = PendingReceive.into(target);
      } else {
        claim.target = target;
      }
      claim.note = note;
      getInLine(claim);
      // It was here already: nobody else ever knew the claim.
      served = claim.result.isSuccess();
      if (served) {
        spares().giveBack(claim);
      }
      wasParked = parked;
    } finally {
      lock.unlock();
    }
    begun(wasParked);
    if (served) {
      return;
    }
    connection.help(claim.result);
    try {
      claim.result.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw(claim)) {
        throw e;
      }
      var unused = Interruptible.afterInterrupt(claim.result);
    }
    lock.lock();
    try {
      spares().giveBack(claim);
    } finally {
      lock.unlock();
    }
  }

  Object take(PendingReceive claim) throws ArraywireException, InterruptedException {
    boolean wasParked;
    lock.lock();
    try {
      getInLine(claim);
      wasParked = parked;
    } finally {
      lock.unlock();
    }
    begun(wasParked);
    connection.help(claim.result);
    return Interruptible.await(claim.result, () -> withdraw(claim));
  }

  /** Gets in line, or gets what is there. Under the lock. */
  private void getInLine(PendingReceive claim) throws ArraywireException {
    if (handler != null) {
      boolean inside = Thread.currentThread().equals(handlerThread);
      throw new IllegalStateException(
          (inside
                  ? "a handler cannot receive on its own connection: the arrays come to it one after"
                      + " the other, once it returns (handler="
                  : "this connection's arrays go to its handler (handler=")
              + handler.getClass().getName()
              + ", channel="
              + out.id
              + ")");
    }
    InboundArray first = ready.peek();
    if (first != null) {
      if (claim.fits(first)) {
        ready.remove();
        readyBytes -= first.inboxBytes();
        uncount(first);
        settle();
        give(first, claim);
      }
    } else if (end != null) {
      throw end.forCaller();
    } else {
      claims = claims.plus(claim);
      claimCurrent();
      lineChanged();
    }
  }

  /** Has the reading thread know who is first in line. Under the lock. */
  private void lineChanged() {
    PendingReceive first = claims.peek();
    long next = UNKNOWN;
    if (first != null && first.kind == PendingReceive.Kind.LEASE) {
      next = LEASE;
    } else if (first != null && first.target != null) {
      next = first.target.bytes();
    }
    if (next != nextTarget) {
      nextTarget = next;
    }
  }

  /** A caller is in line, or has what was there. */
  private void begun(boolean wasParked) {
    if (wasParked) {
      connection.resumeReading();
    }
    connection.watch.flush();
  }

  /**
   * Gives the array that is arriving to who waits for it, where it need not be held up for that.
   */
  private void claimCurrent() {
    InboundArray arrival = current;
    while (credit != null
        && arrival != null
        && arrival.held
        && arrival.claim == null
        && !claims.isEmpty()) {
      PendingReceive claim = claims.remove();
      if (claim.fits(arrival)) {
        arrival.claim = claim;
        try {
          rebind(arrival, claim);
        } catch (RuntimeException | Error e) {
          arrival.claim = null;
          arrival.sink.stop();
          lost(arrival, claim, e);
          return;
        }
        want(arrival);
        settle();
      }
    }
  }

  private void rebind(InboundArray arrival, PendingReceive claim) {
    ArraySlice target = claim.target;
    if (target != null) {
      arrival.sink.rebind(target);
    } else if (claim.kind == PendingReceive.Kind.LEASE && arrival.plain) {
      arrival.sink.rebindToPool(connection.context.pool());
    }
  }

  /** A plug-in or memory has failed who waits for an array, and with it the connection. */
  private void lost(InboundArray arrival, PendingReceive claim, Throwable thrown) {
    Throwable told = thrown;
    try {
      ArraywireException failed =
          thrown instanceof OutOfMemoryError memory
              ? Failures.noMemoryFor(arrival.header(), memory)
              : Failures.ofBug(thrown);
      told = failed;
      connection.failLater(failed);
    } finally {
      // Whatever else fails: the claim is in no list any more.
      claim.result.completeExceptionally(told);
    }
  }

  /**
   * Takes a claim back for a caller that was interrupted; returns whether it was not served yet.
   */
  private boolean withdraw(PendingReceive claim) {
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
        unwant(current);
        claimCurrent();
      }
      lineChanged();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the caller's memory back to it; without other memory to go on in, the connection fails.
   */
  private void redirect(InboundArray arrival) {
    try {
      arrival.sink.redirect();
    } catch (OutOfMemoryError e) {
      arrival.sink.stop();
      connection.failLater(Failures.noMemoryFor(arrival.header(), e));
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
  @Nullable InboundArray admit(InboundArray arriving, Codec codec, boolean trusted) {
    lock.lock();
    try {
      InboundArray arrival =
          credit == null
              ? place(arriving, codec, trusted)
              : placeRequested(arriving, codec, trusted);
      parked = arrival == null;
      current = arrival;
      if (arrival != null) {
        settle();
      }
      return arrival;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable InboundArray place(InboundArray arrival, Codec codec, boolean trusted) {
    if (dropping || end != null) {
      return arrival.into(new DroppingSink(arrival.type()));
    }
    if (handler instanceof TargetingArrayHandler) {
      return targeted(arrival, codec);
    }
    if (placeInClaim(arrival, codec, trusted)) {
      return arrival;
    }
    // A handler always gets its next array, however large.
    boolean next = handler != null && ready.isEmpty();
    if (!next && readyBytes + arrival.inboxBytes() > connection.context.options().inboxBytes()) {
      return null;
    }
    return arrival.intoFresh(codec, trusted, limitOfArrivals());
  }

  /** What limits the memory of arrays that nobody has named a target for; null if nothing does. */
  private @Nullable ArrivalBudget limitOfArrivals() {
    // A handler gets every array in the end; what nobody receives would be counted for ever.
    return handler == null ? null : connection.context.arrivals();
  }

  /** Gives an array its place with the caller who has waited longest of those whom it fits. */
  private boolean placeInClaim(InboundArray arrival, Codec codec, boolean trusted) {
    while (!claims.isEmpty()) {
      PendingReceive claim = claims.element();
      if (claim.fits(arrival)) {
        // Without memory the claim stays in line, and fails with the connection.
        place(arrival, claim, codec, trusted);
        arrival.claim = claims.remove();
        lineChanged();
        return true;
      }
      claims.remove();
    }
    lineChanged();
    return false;
  }

  /** Finds a place at once, and first for replies and requests, which are no receiver's. */
  private InboundArray placeRequested(InboundArray arrival, Codec codec, boolean trusted) {
    ArrayEnvelope envelope = arrival.envelope;
    if (envelope.reply() != 0) {
      connection.requests().placeReply(arrival, codec, trusted);
      count(arrival, false);
      return arrival;
    }
    if (envelope.request() == 0) {
      return placeAnyhow(arrival, codec, trusted, false);
    }
    ArraywireException refusal = connection.requests().refusal(handler);
    if (refusal != null) {
      InboundArray refused = arrival.into(new DroppingSink(arrival.type()));
      refused.outOfTurn = true;
      refused.refusal = refusal;
      count(refused, false);
      return refused;
    }
    InboundArray request = placeAnyhow(arrival, codec, trusted, true);
    request.reply = connection.requests().taken(envelope.request(), out);
    return request;
  }

  /** Finds a place at once: with credit, the peer sends no more than there is room for. */
  private InboundArray placeAnyhow(
      InboundArray arrival, Codec codec, boolean trusted, boolean request) {
    if (dropping || end != null) {
      count(arrival.into(new DroppingSink(arrival.type())), false);
      return arrival;
    }
    if (placeInClaim(arrival, codec, trusted)) {
      count(arrival, false);
      return arrival;
    }
    boolean targeted = handler instanceof TargetingArrayHandler && !request;
    // A handler that has nothing in hand wants its next array, however large.
    boolean wanted = handler != null && ready.isEmpty() && !targeted;
    arrival.intoFresh(codec, trusted && wanted, limitOfArrivals());
    arrival.plain = codec.encoding().hasPlainElements();
    arrival.needsTarget = targeted;
    count(arrival, !wanted);
    if (targeted && ready.isEmpty()) {
      current = arrival;
      scheduleHandler();
    }
    return arrival;
  }

  private void place(InboundArray arrival, PendingReceive claim, Codec codec, boolean trusted) {
    ArraySlice target = claim.target;
    if (target != null) {
      arrival.into(codec, target);
    } else if (claim.kind == PendingReceive.Kind.LEASE && codec.encoding().hasPlainElements()) {
      arrival.into(
          new PooledSink(
              connection.context.pool(),
              MemoryKind.DIRECT,
              arrival.type(),
              arrival.count(),
              codec.encoding().order()));
    } else {
      arrival.intoFresh(codec, trusted);
    }
  }

  private @Nullable InboundArray targeted(InboundArray arrival, Codec codec) {
    Object answer = targetAnswer;
    if (answer == null) {
      untargeted = arrival.header();
      scheduleHandler();
      return null;
    }
    targetAnswer = null;
    untargeted = null;
    if (answer instanceof ArraySlice target) {
      return arrival.into(codec, target);
    }
    if (answer.equals(NO_TARGET)) {
      return arrival.intoFresh(codec, false, limitOfArrivals());
    }
    arrival.refusal = (ArraywireException) answer;
    return arrival.into(new DroppingSink(arrival.type()));
  }

  /** An array has come whole. */
  void complete(InboundArray arrival) {
    if (arrival.outOfTurn) {
      completeOutOfTurn(arrival);
      return;
    }
    lock.lock();
    try {
      current = null;
      DeliveryGuard guard = handler == null ? guard() : null;
      if (guard != null) {
        long sequence = arrival.envelope.sessionSequence();
        if (guard.isRepeated(sequence)) {
          repeated(arrival, guard.refusal(sequence));
          return;
        }
      }
      if (dropping || end != null) {
        // After the end a sink takes no more, so what is in it is not the whole array.
        arrival.sink.discard();
        backInLine(arrival);
        uncount(arrival);
        settle();
        if (dropping) {
          notTaken(arrival);
        }
        return;
      }
      PendingReceive claim = arrival.claim;
      if (claim != null) {
        arrival.claim = null;
        give(arrival, claim);
        settle();
        return;
      }
      while (!claims.isEmpty()) {
        PendingReceive waiting = claims.remove();
        lineChanged();
        if (waiting.fits(arrival)) {
          uncount(arrival);
          settle();
          give(arrival, waiting);
          return;
        }
      }
      ready = ready.plus(arrival);
      readyBytes += arrival.inboxBytes();
      if (handler != null) {
        scheduleHandler();
      }
    } finally {
      lock.unlock();
    }
  }

  /** An array came again that a receive call has had; whoever waits for one waits for the next. */
  private void repeated(InboundArray arrival, @Nullable ArraywireException refusal) {
    backInLine(arrival);
    uncount(arrival);
    settle();
    arrival.sink.discard();
    if (refusal != null) {
      connection.queueRejected(out, arrival.sequence(), refusal);
    }
    processedOutOfTurn(arrival.sequence());
  }

  private void completeOutOfTurn(InboundArray arrival) {
    Runnable then = () -> {};
    lock.lock();
    try {
      current = null;
      settle();
      if (arrival.envelope.reply() != 0) {
        then = connection.requests().replied(arrival);
      } else if (arrival.refusal != null) {
        ArraywireException refusal = arrival.refusal;
        connection.queueRejected(out, arrival.sequence(), refusal);
        connection.watch.rejected(out.id, arrival.sequence(), false, refusal);
        long request = arrival.envelope.request();
        then =
            () ->
                connection.handlerLog().refused(out.id, arrival.sequence(), request, refusal, true);
      }
      processedOutOfTurn(arrival.sequence());
    } finally {
      lock.unlock();
    }
    then.run();
  }

  /** An acknowledgement covers all arrays before, so it waits for those that wait their turn. */
  private void processedOutOfTurn(long sequence) {
    InboundArray last = ready.peekLast();
    if (last == null || last.done) {
      connection.processed(out, sequence, false);
    } else {
      last.doneThrough = sequence;
    }
  }

  /** An array has been handled, and may be acknowledged with what came behind it out of turn. */
  private void done(InboundArray arrival) {
    arrival.sink.release();
    lock.lock();
    try {
      arrival.done = true;
      // A handler's array is in the line until it has returned.
      boolean comesAgain = handler == null || ready.size() > 1;
      connection.processed(out, Math.max(arrival.sequence(), arrival.doneThrough), comesAgain);
    } finally {
      lock.unlock();
    }
  }

  /** The sender took back the array that was arriving; whoever waited for it waits for the next. */
  void aborted(InboundArray arrival) {
    lock.lock();
    try {
      current = null;
      backInLine(arrival);
      if (arrival.outOfTurn || arrival.reply != null) {
        connection.requests().aborted(arrival);
      }
      uncount(arrival);
      settle();
    } finally {
      lock.unlock();
    }
    arrival.sink.discard();
  }

  /**
   * Who was to have an array waits for the next one. There may be none, where this side has begun
   * to fail or to close and has not told those who wait: then that ends the claim, too.
   */
  private void backInLine(InboundArray arrival) {
    PendingReceive claim = arrival.claim;
    if (claim != null) {
      claims = claims.plusFirst(claim);
      lineChanged();
      arrival.claim = null;
    }
  }

  /** Whether the next array will be lent out, so that it should not be read ahead of its header. */
  boolean leaseIsNext() {
    return nextTarget == LEASE;
  }

  /** How large the memory is that the next array is asked for into; 0 if it is not known. */
  long bytesOfNextTarget() {
    return Math.max(UNKNOWN, nextTarget);
  }

  /** What the caller gets. */
  private static Object given(InboundArray arrival, PendingReceive claim) {
    return switch (claim.kind) {
      case INTO -> {
        ArraySlice target = claim.target;
        if (target == null) {
          throw new IllegalStateException("a claim without its target");
        }
        ArrivalNote note = claim.note;
        if (note == null) {
          yield arrival.receivedIn(target);
        }
        arrival.receivedIn(target, note);
        yield note;
      }
      case FRESH -> arrival.received(arrival.sink.slice());
      case LEASE -> arrival.leased();
    };
  }

  /** An array begins to arrive. */
  InboundArray arrival() {
    InboundArray taken = next;
    if (taken != null) {
      next = null;
      return taken;
    }
    lock.lock();
    try {
      InboundArray arrival = spares == null ? null : spares.takeArrival();
      return arrival == null ? new InboundArray() : arrival;
    } finally {
      lock.unlock();
    }
  }

  /** What is used again. Under the lock. */
  private InboxPool spares() {
    InboxPool all = spares;
    if (all == null) {
      boolean budgeted = connection.context.hasSetBudget();
      all = new InboxPool(budgeted ? FEW_SPARE_BYTES : connection.context.options().inboxBytes());
      spares = all;
    }
    return all;
  }

  /**
   * Gives an array to a claim that it fits. Under the lock, so that acknowledgements keep their
   * order.
   */
  private void give(InboundArray arrival, PendingReceive claim) {
    try {
      Object given = given(arrival, claim);
      arraysTaken++;
      DeliveryGuard guard = guard();
      if (guard != null) {
        guard.handsOut(arrival.envelope.sessionSequence());
      }
      done(arrival);
      if (connection.watch.seesReceived()) {
        Receipt receipt = given instanceof LeasedArray lease ? lease.receipt() : arrival.receipt(0);
        connection.watch.received(arrival.header(), receipt);
      }
      claim.result.complete(given);
      if (claim.kind == PendingReceive.Kind.INTO) {
        spares().giveBack(arrival);
      }
    } catch (OutOfMemoryError e) {
      // The array is lost, and its sender must not be told otherwise by a later acknowledgement.
      lost(arrival, claim, e);
      arrival.sink.discard();
    } catch (RuntimeException | Error e) {
      lost(arrival, claim, e);
      // The reading thread goes no further.
      throw e;
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
      // A reply may come for as long as somebody waits for it.
      if (current != null && !current.outOfTurn) {
        current.sink.stop();
        if (current.claim != null) {
          current.claim.result.completeExceptionally(cause);
          current.claim = null;
        }
      }
      claims.forEach(claim -> claim.result.completeExceptionally(cause));
      claims.clear();
      lineChanged();
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

  /** Nobody waits to hear what became of an array that was published. */
  private void notTaken(InboundArray arrival) {
    if (arrival.envelope.publication() == 0) {
      connection.notTaken(out, arrival.sequence());
    }
  }

  /** This side has had enough of what it subscribed to. */
  void closeSubscription(ArraywireException cause) {
    end(cause, false);
    drop();
    resume();
  }

  boolean isEnded() {
    lock.lock();
    try {
      return end != null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing will come of it any more, the handler's last call included. Under the lock. */
  boolean isSpent() {
    return end != null
        && (handler == null ? ready.isEmpty() : handlerTold && handlerThread == null);
  }

  /** This side has closed: nobody gets anything any more. */
  void drop() {
    lock.lock();
    try {
      dropping = true;
      for (InboundArray arrival : ready) {
        arrival.sink.discard();
        uncount(arrival);
        notTaken(arrival);
      }
      InboundArray last = ready.peekLast();
      if (last != null && last.doneThrough > 0) {
        connection.processed(out, last.doneThrough, false);
      }
      ready.clear();
      if (current != null) {
        // Its rest is read past.
        want(current);
      }
      settle();
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
        uncount(current);
        backInLine(current);
        current = null;
      }
      BudgetShare left = allCredit == null ? null : allCredit.end();
      if (left != null) {
        // Arrays can still be taken, unless nobody has the connection any more.
        Unreachables.watch(connection, left::end);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The handler that has not returned, and its channel; null if none runs. Under the lock. */
  @Nullable String runningHandler() {
    return handler == null || handlerThread == null
        ? null
        : "handler " + handler.getClass().getName() + " of channel " + out.id;
  }

  /** Under the lock. */
  @Nullable Thread handlerThread() {
    return handlerThread;
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

  ConnectionLoad load() {
    return new ConnectionLoad(0, 0, 0, ready.size(), readyBytes, 0);
  }

  String describe() {
    return "channel="
        + out.id
        + ", arraysTaken="
        + arraysTaken
        + ", waitingArrays="
        + ready.size()
        + ", waitingBytes="
        + readyBytes
        + ", waitingReceivers="
        + claims.size()
        + (credit == null ? "" : ", peersCredit=" + creditLeft())
        + (parked ? ", reading stopped until an array is taken" : "");
  }

  // The handler, one task at a time.

  private void scheduleHandler() {
    if (handlerScheduled || handlerTold) {
      return;
    }
    handlerScheduled = true;
    try {
      connection.context.executor().execute(this::runHandler);
      if (handlerInPlace) {
        handlerInPlace = false;
        ranInPlace();
      }
    } catch (RuntimeException | Error e) {
      // Not refusals alone: an executor that cannot start a thread throws an error, and one of the
      // user's may throw anything, which must not keep others from being told of an end.
      handlerScheduled = false;
      if (end == null) {
        connection.failLater(
            new ArraywireException(
                    ErrorCode.INTERNAL, "the handler executor refuses tasks; it may be shut down")
                .because(e));
      }
    }
  }

  /** A handler in an I/O thread would hold up every connection of that thread. */
  private void ranInPlace() {
    if (end == null) {
      handlerScheduled = false;
      connection.failLater(
          new ArraywireException(
                  ErrorCode.INTERNAL,
                  "the handler executor runs tasks in the thread that hands them in, where handlers"
                      + " must not run")
              .because(
                  new IllegalStateException("handlerExecutor=" + connection.context.executor())));
    } else {
      // What came before the end, and the end itself, have to be told all the same.
      HandlerThreads.handlers().execute(this::runHandler);
    }
  }

  /** Whether no task is at it yet: an executor may take one and throw all the same. */
  private boolean beginsHandling() {
    lock.lock();
    try {
      boolean first = handlerThread == null;
      if (first) {
        handlerThread = Thread.currentThread();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very same arrival that is meant.
  private void runHandler() {
    if (lock.isHeldByCurrentThread()) {
      // As it is by who hands the task in, and by nobody who only runs it. Not told by an
      // exception:
      // somebody's executor may catch that.
      handlerInPlace = true;
      return;
    }
    if (!beginsHandling()) {
      return;
    }
    while (true) {
      InboundArray arrival;
      InboundArray arriving = null;
      ArrayHeader wanted = null;
      boolean over = false;
      lock.lock();
      try {
        arrival = ready.peek();
        if (arrival != null) {
          want(arrival);
          settle();
        } else {
          wanted = end == null && targetAnswer == null ? untargeted : null;
          arriving = end == null ? wantedByHandler() : null;
          if (wanted == null && arriving == null) {
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
            readyBytes -= arrival.inboxBytes();
          }
        } finally {
          lock.unlock();
        }
        connection.watch.flush();
        resume();
      } else if (arriving != null) {
        bindTargetInTurn(arriving);
      } else if (wanted != null) {
        answerTarget(wanted);
        resume();
      } else {
        if (over) {
          tellOver();
        }
        return;
      }
    }
  }

  /**
   * The handler has nothing else to do: it wants what is arriving. Returns that if its target has
   * to be asked for.
   */
  private @Nullable InboundArray wantedByHandler() {
    InboundArray arrival = current;
    if (credit == null || arrival == null || !arrival.held) {
      return null;
    }
    if (arrival.needsTarget) {
      return arrival;
    }
    want(arrival);
    settle();
    return null;
  }

  /** Asks the handler for the target of an array that is here or arriving, and puts it there. */
  private void bindTarget(InboundArray arrival) {
    Object answer = target(arrival.header());
    lock.lock();
    try {
      arrival.needsTarget = false;
      boolean arriving = arrival.equals(current) && end == null;
      if (!arriving && !ready.contains(arrival)) {
        // Withdrawn or dropped meanwhile; the target is the handler's again.
        return;
      }
      if (answer instanceof ArraySlice target) {
        arrival.sink.rebind(target);
      } else if (!answer.equals(NO_TARGET)) {
        arrival.refusal = (ArraywireException) answer;
        arrival.sink.stop();
      }
      want(arrival);
      settle();
    } finally {
      lock.unlock();
    }
  }

  private ArrayHandler handler() {
    if (handler == null) {
      throw new IllegalStateException("no handler");
    }
    return handler;
  }

  /** Keeps arrays from being handed out twice, or null: what is published does not come again. */
  private @Nullable DeliveryGuard guard() {
    return subscribed ? null : connection.guard(out.id);
  }

  /** Hands out an array, unless it is one that comes again. */
  private void handle(InboundArray arrival) {
    DeliveryGuard guard = guard();
    if (guard == null) {
      handOut(arrival);
      return;
    }
    long sequence = arrival.envelope.sessionSequence();
    DeliveryGuard.Verdict verdict = guard.enter(connection, sequence);
    if (verdict == DeliveryGuard.Verdict.STALE) {
      arrival.sink.discard();
      return;
    }
    try {
      if (verdict == DeliveryGuard.Verdict.FRESH) {
        guard.handsOut(sequence);
        ArraywireException refusal = handOut(arrival);
        if (refusal != null) {
          guard.refused(sequence, refusal);
        }
        return;
      }
    } finally {
      guard.leave();
    }
    arrival.sink.discard();
    ArraywireException refusal = guard.refusal(sequence);
    if (refusal != null) {
      connection.refuse(out, arrival.sequence(), arrival.envelope.request(), refusal);
    }
    done(arrival);
  }

  /** Has the handler name a target, unless the array is one that comes again. */
  private void bindTargetInTurn(InboundArray arrival) {
    DeliveryGuard guard = guard();
    if (guard == null) {
      bindTarget(arrival);
      return;
    }
    DeliveryGuard.Verdict verdict = guard.enter(connection, arrival.envelope.sessionSequence());
    if (verdict == DeliveryGuard.Verdict.FRESH) {
      try {
        bindTarget(arrival);
      } finally {
        guard.leave();
      }
      return;
    }
    if (verdict == DeliveryGuard.Verdict.REPEATED) {
      guard.leave();
    }
    lock.lock();
    try {
      arrival.needsTarget = false;
      if (arrival.equals(current)) {
        arrival.sink.stop();
        want(arrival);
        settle();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the array was refused, or null. */
  private @Nullable ArraywireException handOut(InboundArray arrival) {
    long sequence = arrival.sequence();
    boolean asks;
    lock.lock();
    try {
      asks = arrival.needsTarget;
    } finally {
      lock.unlock();
    }
    if (arrival.refusal == null) {
      arrival.refusal = arrival.sink.refusal();
    }
    if (asks && arrival.refusal == null) {
      bindTarget(arrival);
    }
    if (arrival.refusal != null) {
      connection.refuse(out, sequence, arrival.envelope.request(), arrival.refusal);
      done(arrival);
      return arrival.refusal;
    }
    if (arrival.reply != null) {
      return handleRequest(arrival, arrival.reply);
    }
    try {
      ReceivedArray received = arrival.received(arrival.sink.slice());
      handler().onArray(connection.userConnection(), received);
      lock.lock();
      try {
        arraysTaken++;
        connection.watch.received(received.header(), received.receipt());
      } finally {
        lock.unlock();
      }
      done(arrival);
      return null;
    } catch (
        Throwable thrown) { // Whatever a handler throws must reach the sender, and nobody else.
      ArraywireException refusal = refusal(thrown);
      connection.refuse(out, sequence, 0, refusal);
      done(arrival);
      return refusal;
    }
  }

  private @Nullable ArraywireException handleRequest(InboundArray arrival, ReplyEnd reply) {
    ArraywireException refusal = null;
    try {
      if (!reply.isCancelled()) {
        ReceivedArray received = arrival.received(arrival.sink.slice());
        HandlerReply held = new HandlerReply(reply);
        ((RequestHandler) handler()).onRequest(connection.userConnection(), received, held);
        reply.handlerReturned(held);
        connection.watch.received(received.header(), received.receipt());
      }
      lock.lock();
      try {
        arraysTaken++;
      } finally {
        lock.unlock();
      }
    } catch (Throwable thrown) { // As in handle.
      if (reply.refuse()) {
        refusal = refusal(thrown);
        connection.refuse(out, arrival.sequence(), arrival.envelope.request(), refusal);
        connection.wakeWriterToSayGoodbye();
      } else {
        connection
            .handlerLog()
            .answeredAndFailed(out.id, arrival.sequence(), arrival.envelope.request(), thrown);
      }
    }
    done(arrival);
    return refusal;
  }

  /** The handler's answer: a slice, that there is none, or why the array is refused. */
  private Object target(ArrayHeader header) {
    try {
      ArraySlice target =
          ((TargetingArrayHandler) handler()).target(connection.userConnection(), header);
      if (target == null) {
        return NO_TARGET;
      }
      PendingReceive.checkFits(header, target);
      return target;
    } catch (TargetMismatchException e) {
      return e;
    } catch (Throwable thrown) { // As above.
      return refusal(thrown);
    }
  }

  private void answerTarget(ArrayHeader header) {
    Object answer = target(header);
    lock.lock();
    try {
      targetAnswer = answer;
    } finally {
      lock.unlock();
    }
  }

  /** The handler has had everything. */
  private void tellOver() {
    ArraywireException cause;
    lock.lock();
    try {
      cause = endIsFailure ? end : null;
    } finally {
      lock.unlock();
    }
    if (subscribed) {
      try {
        handler().onClosed(connection.userConnection(), cause);
      } catch (RuntimeException | Error thrown) {
        Log.handlerFailed(connection.userConnection(), thrown);
      }
    } else {
      connection.handlerOver(handler(), cause);
    }
    lock.lock();
    try {
      handlerThread = null;
    } finally {
      lock.unlock();
    }
  }

  private static ArraywireException refusal(Throwable thrown) {
    return new ArraywireException(
            // Its class is the log's business, and not the peer's.
            ErrorCode.REJECTED, "the handler threw an exception", "cause", thrown)
        .because(thrown);
  }
}
