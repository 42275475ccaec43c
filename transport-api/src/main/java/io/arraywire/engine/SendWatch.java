package io.arraywire.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the arrays of a connection that wait to be sent or processed, and has a warning
 * logged where nothing has moved on a channel for {@link #PATIENCE}. However an array was handed
 * in, its wait has a name within seconds: {@code send}, {@code sendAsync}, {@code request}, {@code
 * publish} and sessions alike.
 *
 * <p>Counts looks, which come only while something waits, so that an array costs no look at a
 * clock. Guarded by the connection's lock.
 */
final class SendWatch implements KeepAliveTimer.Member {
  /** How long something waits before a warning; the next one on its channel takes twice as long. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int LOOKS = 4;
  private static final Duration PERIOD = PATIENCE.dividedBy(LOOKS);

  /** What was seen of a channel on which something waits. */
  static final class Seen {
    private long progress;

    /** For how many looks that has been so. */
    private long stillLooks;

    /** How often it was said. */
    private int stallsSaid;

    Seen(long progress) {
      this.progress = progress;
    }
  }

  private final ConnectionCore connection;
  private final Outbound outbound;
  private KeepAliveTimer.@Nullable Round round;
  private boolean over;

  /** What was queued and sent when it last looked. */
  private long arraysSeen;

  SendWatch(ConnectionCore connection, Outbound outbound) {
    this.connection = connection;
    this.outbound = outbound;
  }

  /** An array is queued, or waits for room. Under the lock. */
  void begin() {
    if (round == null && !over) {
      arraysSeen = -1;
      round = connection.context.keepAliveTimer().join(this, PERIOD);
    }
  }

  /** The connection ends. Under the lock. */
  void end() {
    over = true;
    leave();
  }

  private void leave() {
    KeepAliveTimer.Round joined = round;
    if (joined != null) {
      round = null;
      joined.leave(this);
    }
  }

  @Override
  public void look() {
    String stalled = null;
    connection.lock.lock();
    try {
      if (over) {
        return;
      }
      boolean waits = false;
      for (OutboundChannel channel : outbound.channels()) {
        OutboundArray oldest = outbound.oldest(channel);
        if (oldest == null) {
          if (channel.seen != null) {
            channel.seen.stillLooks = 0;
          }
          continue;
        }
        waits = true;
        if (isStill(channel, oldest)) {
          stalled = words(channel, oldest, waited(channel));
        }
      }
      long arrays = outbound.arraysSent();
      if (!waits && arrays == arraysSeen) {
        leave();
      }
      arraysSeen = arrays;
    } finally {
      connection.lock.unlock();
    }
    if (stalled != null) {
      Log.sendStalls(stalled);
    }
  }

  /** Whether nothing has moved for so long that it is to be said. */
  private static boolean isStill(OutboundChannel channel, OutboundArray oldest) {
    long progress = channel.progress(oldest);
    Seen seen = channel.seen;
    if (seen == null) {
      channel.seen = new Seen(progress);
      return false;
    }
    if (progress != seen.progress) {
      seen.progress = progress;
      seen.stillLooks = 0;
      return false;
    }
    seen.stillLooks++;
    if (seen.stillLooks < (long) LOOKS << seen.stallsSaid) {
      return false;
    }
    seen.stallsSaid = Math.min(seen.stallsSaid + 1, 20);
    return true;
  }

  private static Duration waited(OutboundChannel channel) {
    Seen seen = channel.seen;
    return seen == null ? Duration.ZERO : PERIOD.multipliedBy(seen.stillLooks);
  }

  private String words(OutboundChannel channel, OutboundArray oldest, Duration waited) {
    SendStall stall = outbound.stall(channel);
    return "send on channel "
        + channel.id
        + " has waited "
        + waited.toSeconds()
        + " s for "
        + stall.awaited
        + ": "
        + stall.cause
        + handlers(oldest)
        + " (peer="
        + connection.remoteAddress()
        + ", queuedBytes="
        + channel.queuedBytes
        + ")";
  }

  /**
   * The handlers of this side that have not returned: if one of them is what waits, and the far
   * side waits for it, neither goes on.
   */
  private String handlers(OutboundArray oldest) {
    for (Inbox inbox : connection.inboxes()) {
      String handler = inbox.runningHandler();
      if (handler != null) {
        return oldest.done.isAwaitedBy(inbox.handlerThread())
            ? "; "
                + handler
                + " is what waits here, and takes nothing else until it returns: if the far handler"
                + " waits for it in turn, use sendAsync or another thread"
            : "; "
                + handler
                + " has not returned here either: if it waits for this, use stages or another"
                + " thread in it";
      }
    }
    return "";
  }

  @Override
  public void transportFailed(Throwable thrown) {
    connection.transportFailed(thrown);
  }
}
