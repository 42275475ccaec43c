package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteErrorException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How a connection ends: in order, with a goodbye from both sides, or with a failure. A connection
 * has one from when that begins, so an idle one does not pay for it.
 *
 * <p>Any thread. All state is guarded by the connection's lock.
 */
final class Shutdown {
  /** How long a failing connection waits for the peer to read its error frame. */
  static final Duration LINGER = Duration.ofSeconds(2);

  /** The same for a peer that floods, which is still read, or that close has waited for. */
  private static final Duration BRIEF_LINGER = Duration.ofMillis(500);

  private final ConnectionCore connection;
  private final EngineContext context;
  private final Link link;
  private final ReentrantLock lock;
  private final Outbound outbound;
  private final Inbound inbound;

  private final Disposal disposal;

  private @Nullable ArraywireException failure;
  private boolean closing;

  /** Whether it was the peer that began to end the connection, once either has. */
  private @Nullable Boolean endedByPeer;

  private boolean peerSaidGoodbye;
  private boolean inputOver;
  private boolean linkClosed;

  /** What receive calls are told, once that is known. */
  private @Nullable ArraywireException inboxEnd;

  private boolean inboxEndIsFailure;
  private boolean handlerTold;
  private Runnable lingerDeadline = () -> {};

  Shutdown(ConnectionCore connection, Inbound inbound) {
    this.connection = connection;
    this.inbound = inbound;
    context = connection.context;
    link = connection.link;
    lock = connection.lock;
    outbound = connection.outbound;
    disposal = new Disposal(lock, connection::disposed);
  }

  private boolean isPlain() {
    return context.options().plainType() != null;
  }

  // Looks, under the lock.

  @Nullable ArraywireException failure() {
    return failure;
  }

  /** Whether this side takes no new arrays to send. */
  boolean refusesArrays() {
    return closing || peerSaidGoodbye || failure != null;
  }

  /** Whether one of the sides ends it in order. */
  boolean isBeingClosed() {
    return closing || peerSaidGoodbye;
  }

  boolean hasPeerSaidGoodbye() {
    return peerSaidGoodbye;
  }

  boolean isLinkClosed() {
    return linkClosed;
  }

  void checkNotFailed() throws ArraywireException {
    if (failure != null) {
      throw failure.forCaller();
    }
  }

  void checkCanSend() throws ArraywireException {
    checkNotFailed();
    if (isBeingClosed()) {
      throw closed();
    }
  }

  private ConnectionClosedException closed() {
    return Boolean.TRUE.equals(endedByPeer)
        ? Failures.closedByPeer(connection.remoteAddress())
        : Failures.closedHere(connection.remoteAddress());
  }

  String describe() {
    return failure != null
        ? "ended: " + failure.getMessage()
        : closing ? "closing" : peerSaidGoodbye ? "closed by the peer" : "open";
  }

  // Receive calls.

  /** Nothing more will come. Requests and subscriptions end with that, too. */
  void endInboxes(ArraywireException cause, boolean isFailure) {
    lock.lock();
    try {
      if (inboxEnd == null) {
        inboxEnd = cause;
        inboxEndIsFailure = isFailure;
      }
    } finally {
      lock.unlock();
    }
    connection.endExchanges(cause);
    connection.inboxes().forEach(inbox -> inbox.end(cause, isFailure));
  }

  /** Ends an inbox that is made when the others have ended, if they have. Under the lock. */
  void endIfOthersHave(Inbox inbox) {
    if (inboxEnd != null) {
      inbox.end(inboxEnd, inboxEndIsFailure);
    }
  }

  /** Whether the handler has now to be told that it has had everything. Under the lock. */
  boolean tellsHandler() {
    boolean first = !handlerTold;
    handlerTold = true;
    return first;
  }

  // What the peer and the channel say.

  /** Nothing more is read. The reading thread's. */
  void inputEnded() {
    boolean orderly;
    boolean unanswered;
    ArraywireException known;
    lock.lock();
    try {
      inputOver = true;
      known = failure;
      orderly = peerSaidGoodbye || isPlain() || failure != null;
      unanswered =
          failure == null && peerSaidGoodbye && OutboundReport.awaitsAcknowledgement(outbound);
    } finally {
      lock.unlock();
    }
    try {
      inbound.streamEnded();
    } catch (ArraywireException e) {
      fail(e, false);
      return;
    }
    if (unanswered) {
      fail(
          lost("the peer closed the connection and did not acknowledge all that it was sent"),
          false);
      return;
    }
    if (known != null) {
      // The thread that found it may not have told the receive calls yet.
      endInboxes(known, !(known instanceof ConnectionClosedException));
    } else if (orderly) {
      endInboxes(Failures.closedByPeer(connection.remoteAddress()), false);
    } else {
      lock.lock();
      try {
        // A peer that closes at once when this side has said goodbye owes nothing but
        // acknowledgements.
        orderly = outbound.isEnded() && !outbound.acknowledgements.isMissingSome();
      } finally {
        lock.unlock();
      }
      if (!orderly) {
        fail(lost(Failures.WITHOUT_GOODBYE), false);
        return;
      }
      endInboxes(Failures.closedByPeer(connection.remoteAddress()), false);
    }
    endIfOver();
  }

  /** What was read is wrong, or could not be dealt with. The reading thread's. */
  void inputFailed(Throwable thrown) {
    ArraywireException cause =
        thrown instanceof OutOfMemoryError
            ? Failures.noMemory("read from", thrown)
            : Failures.ofBug(thrown);
    inbound.ignoreFurther();
    // A peer that reports an error needs none.
    fail(cause, !(cause instanceof RemoteErrorException) && connection.tellsPeer(cause));
  }

  /** What was to be written is not known. The writing thread's. */
  void outputFailed(Throwable thrown) {
    // The batch may hold half a frame, so not even an error frame can follow.
    fail(
        thrown instanceof OutOfMemoryError
            ? Failures.noMemory("write to", thrown)
            : Failures.ofBug(thrown),
        false);
  }

  void channelFailed(IOException failed) {
    boolean over;
    lock.lock();
    try {
      // Once both sides have said goodbye, how the channel ends no longer matters.
      over = peerSaidGoodbye && outbound.isEnded();
      inputOver |= over;
    } finally {
      lock.unlock();
    }
    if (over) {
      endIfOver();
    } else {
      fail(Failures.ofChannel(failed, connection.remoteAddress()), false);
    }
  }

  /** The peer sends no further arrays. The reading thread's. */
  void peerSaidGoodbye() {
    lock.lock();
    try {
      peerSaidGoodbye = true;
      noteEnd();
      outbound.control.endAfterGoodbye();
    } finally {
      lock.unlock();
    }
    endInboxes(Failures.closedByPeer(connection.remoteAddress()), false);
    finishOutput();
  }

  // In order.

  /** Begins to close, and returns whether this was the first reason to. */
  boolean beginsClose() {
    boolean begins;
    lock.lock();
    try {
      begins = !closing && failure == null;
      noteClosing();
    } finally {
      lock.unlock();
    }
    connection
        .inboxes()
        .forEach(inbox -> inbox.closing(Failures.closedHere(connection.remoteAddress())));
    if (begins) {
      finishOutput();
      endIfOver();
    }
    return begins;
  }

  /** Begins to close, and lets receive calls have what comes until it has ended. */
  void beginClose() {
    lock.lock();
    try {
      noteClosing();
    } finally {
      lock.unlock();
    }
    finishOutput();
    endIfOver();
  }

  /** This side begins to close. Under the lock. */
  private void noteClosing() {
    noteEnd();
    closing = true;
  }

  /** Notes which side began to end the connection, if none had before. Under the lock. */
  private void noteEnd() {
    if (endedByPeer == null) {
      endedByPeer = peerSaidGoodbye || inputOver;
    }
  }

  /** Queues a goodbye behind what was accepted; from now on nothing more is accepted. */
  private void finishOutput() {
    lock.lock();
    try {
      boolean plain = isPlain();
      outbound.control.closeWhenDrained(plain ? new byte[0] : ControlFrames.goodbye());
      if (plain) {
        outbound.control.endAfterGoodbye();
      }
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  /** Ends an orderly connection once both directions are over. */
  void endIfOver() {
    ConnectionClosedException end;
    lock.lock();
    try {
      if (!outbound.isEnded() || !inputOver) {
        return;
      }
      noteEnd();
      end = closed();
    } finally {
      lock.unlock();
    }
    fail(end, false);
  }

  // At once.

  void closeNow(ArraywireException cause) {
    lock.lock();
    try {
      noteClosing();
    } finally {
      lock.unlock();
    }
    fail(cause, ErrorCode.CLOSE_TIMEOUT.isOf(cause));
    connection.inboxes().forEach(Inbox::drop);
  }

  /** The peer goes on with the session over another connection. */
  void supersede() {
    ConnectionLostException cause = lost("the session goes on over another connection");
    fail(cause, false);
    // Also when another thread has only begun to.
    endInboxes(cause, true);
  }

  /**
   * Ends the connection. Everything that waits, or will, gets the cause; the peer is told if that
   * can be done.
   */
  void fail(ArraywireException cause, boolean tellPeer) {
    List<OutboundArray> lost;
    boolean linger;
    boolean wasOpen;
    boolean begins;
    lock.lock();
    try {
      begins = failure == null;
      if (failure != null) {
        if (!tellPeer && !linkClosed) {
          linkClosed = true;
          lingerDeadline.run();
        } else {
          return;
        }
        lost = List.of();
        linger = false;
        wasOpen = true;
      } else {
        failure = cause;
        wasOpen = connection.hasAgreed();
        lost = outbound.drop();
        linger = tellPeer && !isPlain() && !outbound.control.isLastQueued();
        if (linger) {
          ArraywireException told = Failures.toldPeer(cause, context.options());
          outbound.control.queueLast(
              wasOpen ? ControlFrames.error(told) : Handshake.rejection(told));
          Duration time = Failures.isOfCrowd(cause) ? BRIEF_LINGER : LINGER;
          lingerDeadline = context.deadlines().after(time, () -> fail(cause, false));
        } else {
          linkClosed = true;
        }
        connection.stopTimers();
      }
    } finally {
      lock.unlock();
    }
    boolean orderly = cause instanceof ConnectionClosedException;
    // Should a plug-in fail one step, those after it are done all the same: somebody waits.
    try {
      endInboxes(cause, !orderly);
      // After this connection hands out nothing more, before another one may.
      connection.detached(cause);
      if (begins && !connection.watch.isOfSession()) {
        connection.watch.ended(cause, wasOpen);
      }
    } finally {
      try {
        lost.forEach(transfer -> giveUp(transfer, cause, wasOpen));
      } finally {
        connection.notOpened(cause);
        if (!orderly) {
          Log.failed(connection.face, context.options().plainType(), cause);
        }
        connection.watch.flush();
        if (linger) {
          link.wakeWriter();
          link.resumeReading();
        } else {
          connection.closeLink(cause);
        }
      }
    }
  }

  private void giveUp(OutboundArray transfer, ArraywireException cause, boolean wasOpen) {
    boolean framed = outbound.withdraw(transfer) == OutboundArray.Progress.FRAMED;
    try {
      transfer.releaseCopy();
    } catch (RuntimeException | Error e) {
      Log.notGivenBack(connection.face, e);
    }
    boolean inDoubt = framed && transfer.options.delivery() == Delivery.PROCESSED && wasOpen;
    // A caller that waits makes an exception of its own; a stage has whatever it is given.
    ArraywireException told = transfer.passedTo == null ? cause : cause.forCaller();
    transfer.fail(context.completions(), inDoubt ? Failures.inDoubt(cause) : told);
  }

  private ConnectionLostException lost(String text) {
    return new ConnectionLostException(
        ErrorCode.CONNECTION_RESET, text, "peer", link.remoteAddress());
  }

  // Memory is given back.

  /** The thread that reads or the one that writes is done with the connection's memory. */
  void disposed(WireEnd.Direction direction) {
    disposal.disposed(direction);
  }
}
