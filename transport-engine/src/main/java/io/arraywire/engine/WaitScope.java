package io.arraywire.engine;

/** What a call that waits for the far side asks of its connection. Any thread, without a lock. */
interface WaitScope extends WaitNotes {
  /** The channel beneath the connection. */
  Link link();
}
