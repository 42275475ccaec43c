package io.arraywire.engine;

import java.lang.ref.Cleaner;

/**
 * Notices replies that a handler left open and that nobody references any more: nobody can answer
 * those. Depends on the garbage collector, so it may be late or never; {@link OpenReply} has an end
 * that does not.
 */
final class DroppedReplies {
  private DroppedReplies() {}

  /** Its thread begins with the first reply that outlives its handler's call. */
  private static final class Shared {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /** Has something done, on a thread of its own, when a reply is unreachable. */
  static void watch(HandlerReply reply, Runnable dropped) {
    Cleaner.Cleanable unused = Shared.CLEANER.register(reply, dropped);
  }
}
