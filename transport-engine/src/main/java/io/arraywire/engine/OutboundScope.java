package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import org.jspecify.annotations.Nullable;

/** What the sending half of a connection asks of the whole. Any thread. */
interface OutboundScope extends ConnectionScope {
  /** Throws if this side takes no new arrays to send. Under the lock. */
  void checkCanSend() throws ArraywireException;

  /** Whether this side takes no new arrays to send. Under the lock. */
  boolean refusesArrays();

  /** What the two sides have agreed on. */
  Agreement agreement();

  /**
   * What counts the arrays that the peer has yet to take and no caller waits for; null if they are
   * not counted. Under the lock.
   */
  @Nullable HeldArrays heldArrays();

  /** The connection, for errors. */
  String describe();

  /** Ends the connection; the peer is told if that can be done. */
  void fail(ArraywireException cause, boolean tellPeer);

  /** A bug, or what a plug-in threw, ends the connection. */
  void transportFailed(Throwable thrown);

  /**
   * Names the handlers of this side that have not returned. If one of them makes this wait, and the
   * far side waits for that handler, neither side goes on. Under the lock.
   *
   * @return the end of a sentence; empty if no handler runs
   */
  String runningHandlers(ReusableFuture<?> awaited);
}
