package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which arrays of one channel of a session were handed out here, whichever connection brings them.
 * None is handed out twice, and none while the one before it still is.
 *
 * <p>Any thread. Its lock is taken last: nothing is called with it.
 */
final class SessionInbox implements DeliveryGuard {
  private final Session session;
  private final int channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left;

  @GuardedBy("lock")
  private long handedOut;

  @GuardedBy("lock")
  private boolean inHand;

  SessionInbox(Session session, int channel) {
    this.session = session;
    this.channel = channel;
    left = session.context.runtime().condition(lock);
  }

  @Override
  public Verdict enter(ConnectionScope by, long sequence) {
    lock.lock();
    try {
      while (inHand) {
        left.awaitUninterruptibly();
      }
      // A connection that has broken hands out what it has until another one carries the session.
      // What it hands out and could not acknowledge is known as such when it comes again. What is
      // not a part of the session does not come again.
      if (!by.equals(session.state.last())) {
        return Verdict.STALE;
      }
      inHand = true;
      if (isRepeated(sequence)) {
        return Verdict.REPEATED;
      }
      session.progressed();
      return Verdict.FRESH;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void handsOut(long sequence) {
    lock.lock();
    try {
      handedOut = Math.max(handedOut, sequence);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isRepeated(long sequence) {
    lock.lock();
    try {
      return sequence != 0 && sequence <= handedOut;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void leave() {
    lock.lock();
    try {
      inHand = false;
      // A caller that waits for a connection that was replaced leaves without a word to the others.
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void refused(long sequence, ArraywireException refusal) {
    if (sequence != 0) {
      session.refusals.add(channel, sequence, refusal);
    }
  }

  @Override
  public @Nullable ArraywireException refusal(long sequence) {
    return session.refusals.of(channel, sequence);
  }
}
