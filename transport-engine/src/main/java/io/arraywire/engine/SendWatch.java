package io.arraywire.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the arrays of a connection that wait to be sent or processed. Where nothing has moved
 * on a channel for {@link #PATIENCE}, it logs a warning. However an array was handed in, its wait
 * has a name within seconds. Where nothing has moved for {@code sendTimeout}, those arrays fail
 * that have waited in the queue all that time and whose sender waits for a stage. They fail between
 * the timeout and a quarter of it later, 1.25 s at most. Threads that wait see to that themselves.
 *
 * <p>Counts looks, which come only while something waits, so that an array costs no look at a
 * clock. Guarded by the connection's lock.
 */
final class SendWatch implements KeepAliveTimer.Member {
  /** How long something waits before a warning; the next one on its channel takes twice as long. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** So many looks at least come within each of the two times. */
  private static final int LOOKS = 4;

  private final Outbound outbound;
  private final Duration period;

  /** After how many looks without progress something happens. */
  private final long looksToWarn;

  private final int looksToFail;

  private KeepAliveTimer.@Nullable Round round;
  private boolean over;

  /** What was queued and sent when it last looked. */
  private long arraysSeen;

  /** An array that has stood still for too long, and what it waited for. */
  private record GivenUp(OutboundArray array, SendStall stall) {}

  SendWatch(Outbound outbound) {
    this.outbound = outbound;
    long limit = SystemDeadlines.nanos(outbound.scope.context().options().sendTimeout());
    long nanos = Math.max(1, Math.min(limit, PATIENCE.toNanos()) / LOOKS);
    period = Duration.ofNanos(nanos);
    looksToWarn = looks(PATIENCE.toNanos(), nanos);
    looksToFail = (int) Math.min(Integer.MAX_VALUE - 1, looks(limit, nanos));
  }

  private static long looks(long nanos, long each) {
    return (nanos - 1) / each + 1;
  }

  /** An array is queued, or waits for room. Under the lock. */
  void begin() {
    if (round == null && !over) {
      arraysSeen = -1;
      round = outbound.scope.context().keepAliveTimer().join(this, period);
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
    List<GivenUp> givenUp = new ArrayList<>(0);
    ReentrantLock lock = outbound.scope.lock();
    lock.lock();
    try {
      if (over) {
        return;
      }
      boolean waits = false;
      for (OutboundChannel channel : outbound.queue.channels()) {
        OutboundArray oldest = channel.oldest();
        SendSeen seen = channel.seen;
        if (oldest == null) {
          if (seen != null) {
            seen.movesOn(seen.progress);
          }
          continue;
        }
        waits = true;
        SendStall stall = OutboundReport.stall(outbound, channel);
        long progress = channel.progress(oldest);
        if (stall.isOfTransport()) {
          // What others have written is time that this one has had to wait for.
          progress += outbound.movedBytes();
        }
        if (seen == null) {
          seen = new SendSeen();
          channel.seen = seen;
          seen.movesOn(progress);
        } else if (progress != seen.progress) {
          seen.movesOn(progress);
        } else {
          seen.stillLooks++;
        }
        boolean moves = seen.stillLooks == 0;
        giveUp(channel.queue, moves, stall, givenUp);
        giveUp(channel.waiting, moves, stall, givenUp);
        if (seen.isToBeSaid(looksToWarn)) {
          stalled = words(channel, oldest, period.multipliedBy(seen.stillLooks));
        }
      }
      long arrays = outbound.arraysSent();
      if (!waits && arrays == arraysSeen) {
        leave();
      }
      arraysSeen = arrays;
    } finally {
      lock.unlock();
    }
    if (stalled != null) {
      Log.sendStalls(stalled);
    }
    if (!givenUp.isEmpty()) {
      HandlerWait handler = outbound.scope.waitingHandler();
      String description = outbound.scope.describe();
      for (GivenUp each : givenUp) {
        SendWait.giveUp(outbound, each.array, each.stall, handler, description);
      }
    }
  }

  /** Adds those of some arrays that have stood still for too long. Under the lock. */
  private void giveUp(
      LazyQueue<OutboundArray> arrays, boolean moves, SendStall stall, List<GivenUp> givenUp) {
    for (OutboundArray array : arrays) {
      if (!array.timed || array.isWithdrawn()) {
        continue;
      }
      array.stillLooks = moves ? 1 : array.stillLooks + 1;
      // The first look comes after a part of a period.
      if (array.stillLooks > looksToFail) {
        // From here on it cannot become whole, nor be used for another array.
        var unused = array.withdraw();
        givenUp.add(new GivenUp(array, stall));
      }
    }
  }

  private String words(OutboundChannel channel, OutboundArray oldest, Duration waited) {
    SendStall stall = OutboundReport.stall(outbound, channel);
    return "send on "
        + ChannelId.words(channel.id)
        + " has waited "
        + waited.toSeconds()
        + " s for "
        + stall.awaited
        + ": "
        + stall.cause
        + outbound.scope.runningHandlers(oldest.done)
        + " (peer="
        + outbound.scope.remoteAddress()
        + ", queuedBytes="
        + channel.queuedBytes
        + ")";
  }

  @Override
  public void transportFailed(Throwable thrown) {
    outbound.scope.transportFailed(thrown);
  }
}
