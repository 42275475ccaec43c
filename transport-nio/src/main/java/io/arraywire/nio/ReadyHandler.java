package io.arraywire.nio;

/** What a selection key is attached to: acts when its channel is ready, on the event loop. */
interface ReadyHandler {

  /** The channel is ready for some of the operations of its key. */
  void ready();

  /** The event loop ends: close the channel, now. */
  void loopEnds();
}
