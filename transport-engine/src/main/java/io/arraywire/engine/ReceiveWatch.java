package io.arraywire.engine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds receive calls that wait on one channel while arrays wait on another on which nobody
 * receives. Mostly the two sides do not agree on a channel's number. Counts looks, as {@link
 * KeepAlive} does, and says it once for each wait. Guarded by the connection's lock.
 */
final class ReceiveWatch {
  /** How long a call waits before it is said. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private ReceiveWatch() {}

  /**
   * One look.
   *
   * @param channels those of the connection
   * @param period the time from one look to the next
   * @return what is to be logged; null if nothing is
   */
  static @Nullable String look(List<ReceiveQueue> channels, Duration period) {
    // The first look comes after a part of a period.
    long due = 1 + (PATIENCE.toNanos() + period.toNanos() - 1) / period.toNanos();
    String words = null;
    for (ReceiveQueue waiting : channels) {
      PendingReceives line = waiting.pending();
      if (line != null && line.look() == due) {
        for (ReceiveQueue unread : channels) {
          if (unread.first() != null) {
            words = words(waiting, unread);
          }
        }
      }
    }
    return words;
  }

  private static String words(ReceiveQueue waiting, ReceiveQueue unread) {
    return "receive on channel "
        + waiting.out.id
        + " has waited "
        + PATIENCE.toSeconds()
        + " s, while "
        + unread.load().waitingArrays()
        + " arrays wait on channel "
        + unread.out.id
        + ", where nobody receives: call channel("
        + unread.out.id
        + ").receive() on the connection, or have the peer send on channel "
        + waiting.out.id
        + " (peer="
        + waiting.scope.remoteAddress()
        + ")";
  }
}
