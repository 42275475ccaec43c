package io.arraywire.nio;

/** A channel that its waiting caller may read and write in place of the selector. */
interface LoopChannel extends ReadyHandler {

  /** Whether it has more to write than the kernel would take. */
  boolean awaitsRoom();

  /** Reads without having been told that there is something to read. */
  void readNow();

  /**
   * Has the selector watch it, or not. A socket that a selector knows costs its peer time with all
   * that comes (docs/benchmarks.md), in vain while a caller looks at it by itself.
   */
  void watched(boolean on);
}
