package io.arraywire.engine;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Things that connections need while bytes move, and have given back: those that are idle hold
 * none, and those that are not would otherwise make a new one every time. Any thread.
 */
final class Spares<T> {
  /** More than threads that move bytes at the same time are rare. */
  private static final int MOST_SPARE = 64;

  private final Supplier<T> maker;
  private final ArrayDeque<T> spare = new ArrayDeque<>();

  Spares(Supplier<T> maker) {
    this.maker = maker;
  }

  synchronized T take() {
    T next = spare.poll();
    return next == null ? maker.get() : next;
  }

  synchronized void giveBack(T thing) {
    if (spare.size() < MOST_SPARE) {
      spare.push(thing);
    }
  }
}
