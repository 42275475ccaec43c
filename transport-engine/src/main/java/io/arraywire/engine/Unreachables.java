package io.arraywire.engine;

import java.lang.ref.Cleaner;

/**
 * Notices objects that nobody references any more: replies that a handler left open, and ended
 * connections with arrays that nobody took. Depends on the garbage collector, so it may be late or
 * never.
 */
final class Unreachables {
  private Unreachables() {}

  /** Its thread begins with the first object that is watched. */
  private static final class Shared {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /**
   * Has something done, on a thread of its own, when an object is unreachable.
   *
   * @param watched the object
   * @param action must not reference it
   */
  static void watch(Object watched, Runnable action) {
    Cleaner.Cleanable unused = Shared.CLEANER.register(watched, action);
  }
}
