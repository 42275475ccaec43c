package io.arraywire.engine;

import io.arraywire.Reply;

/** The answer that this side owes for a request of the peer. Any thread. */
interface OwedReply {
  /** What the handler answers with. One for each call: this side notices when it is dropped. */
  Reply forHandler();

  /** Whether nobody waits for the answer any more. */
  boolean isCancelled();

  /**
   * The handler has returned; an answer that is still owed is looked after.
   *
   * @param held what the handler was given
   */
  void handlerReturned(Reply held);

  /** Takes the answer away from the handler; returns whether there was none and one is wanted. */
  boolean refuse();
}
