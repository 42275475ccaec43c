package io.arraywire.engine;

import org.jspecify.annotations.Nullable;

/**
 * Notes handlers that wait for the far side of their own connection. Any thread, without a lock.
 */
interface WaitNotes {
  /**
   * Notes that the calling thread waits, if it runs a handler of this connection; whatever waits
   * for that handler, now or later, is logged.
   *
   * @param call what the thread waits in or for, in words that follow "waits"
   * @return the note, for {@link HandlerWait#over()}; null if the thread runs no handler
   */
  @Nullable HandlerWait callerWaits(String call);
}
