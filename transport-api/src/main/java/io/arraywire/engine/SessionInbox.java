package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.DeliveryUnknownException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which arrays of one channel of a session were handed out here, so that none is handed out twice
 * and none while the one before it still is, whichever connection brings them.
 *
 * <p>Any thread. Its lock is taken last: nothing is called with it.
 */
final class SessionInbox {
  /** ConnectErrors that are remembered for senders that may not have heard of them. */
  private static final int MOST_REFUSALS = 4096;

  /** What is to be done with an array. */
  enum Verdict {
    /** Hand it out; then {@link #leave}. */
    FRESH,
    /** It was handed out before; then {@link #leave}, and tell the sender what became of it. */
    REPEATED,
    /** Its connection was replaced: it comes again. */
    STALE
  }

  private final SessionConnection session;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left;
  private final Map<Long, ArraywireException> refusals = new LinkedHashMap<>(1);
  private long forgotten;
  private long handedOut;
  private boolean inHand;

  SessionInbox(SessionConnection session, EngineRuntime runtime) {
    left = runtime.condition(lock);
    this.session = session;
  }

  /**
   * Waits until the array before is out of hand, and says what to do with this one. The caller has
   * the channel to itself until {@link #leave}, unless it is {@link Verdict#STALE}.
   *
   * @param sequence its number, 0 if it is not a part of the session
   */
  Verdict enter(ProtocolConnection by, long sequence) {
    lock.lock();
    try {
      while (inHand) {
        left.awaitUninterruptibly();
      }
      if (!session.mayHandOut(by)) {
        return Verdict.STALE;
      }
      inHand = true;
      return isRepeated(sequence) ? Verdict.REPEATED : Verdict.FRESH;
    } finally {
      lock.unlock();
    }
  }

  /** An array is being handed out: from now on it was. */
  void handsOut(long sequence) {
    lock.lock();
    try {
      handedOut = Math.max(handedOut, sequence);
    } finally {
      lock.unlock();
    }
  }

  boolean isRepeated(long sequence) {
    lock.lock();
    try {
      return sequence != 0 && sequence <= handedOut;
    } finally {
      lock.unlock();
    }
  }

  /** The array is out of hand. */
  void leave() {
    lock.lock();
    try {
      inHand = false;
      // Who waits for a connection that was replaced goes away without a word to the others.
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Remembers that an array was refused. */
  void refused(long sequence, ArraywireException refusal) {
    if (sequence == 0) {
      return;
    }
    lock.lock();
    try {
      refusals.put(sequence, refusal);
      if (refusals.size() > MOST_REFUSALS) {
        Iterator<Long> oldest = refusals.keySet().iterator();
        forgotten = oldest.next();
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What the sender of an array that came again is to be told, or null if it was processed. */
  @Nullable ArraywireException refusal(long sequence) {
    lock.lock();
    try {
      ArraywireException refusal = refusals.get(sequence);
      if (refusal == null && sequence <= forgotten) {
        return new DeliveryUnknownException(
            "too many arrays were refused to know what became of this one", "limit", MOST_REFUSALS);
      }
      return refusal;
    } finally {
      lock.unlock();
    }
  }
}
