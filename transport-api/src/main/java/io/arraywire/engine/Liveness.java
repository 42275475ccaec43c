package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.HeartbeatTimeoutException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.SlowPeerException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks after a connection at regular times: gives signs of life, and finds out that the peer gives
 * none, takes nothing, or that nobody uses the connection.
 *
 * <p>It counts its own looks instead of reading a clock. A process that stood still has not looked
 * meanwhile, so it does not blame its peer for that.
 */
final class Liveness {
  /** Control frames without effect that are taken in the time below. */
  static final int FLOOD_FRAMES = 200;

  private static final Duration FLOOD_TIME = Duration.ofSeconds(30);

  private final LivenessLimits limits;
  private float tokens = FLOOD_FRAMES;

  private long sent;
  private long received;
  private long arrays;
  private int quiet;
  private int silent;
  private int stalled;
  private int idle;

  /**
   * Begins to look after a connection.
   *
   * @param early whether the first look comes sooner than one period from now
   */
  Liveness(LivenessLimits limits, boolean early) {
    this.limits = limits;
    // The first look then only notes how things are. (For the others it does so anyway.)
    arrays = early ? -1 : 0;
  }

  /** Whether a further control frame without effect is still bearable. */
  boolean bears() {
    tokens--;
    return tokens >= 0;
  }

  /** Whether it is time for a sign of life. */
  boolean beats(long bytesSent) {
    quiet = bytesSent == sent ? quiet + 1 : 0;
    sent = bytesSent;
    if (limits.beatEvery > 0 && quiet >= limits.beatEvery) {
      quiet = 0;
      return true;
    }
    return false;
  }

  /** Whether no array has moved for a while, for the first time since one did. */
  boolean hasComeToRest() {
    return idle == 2;
  }

  /** What the looks have found; in looks, since it reads no clock. */
  String describe() {
    return "one look every "
        + limits.period
        + (limits.silenceAfter == 0
            ? ", the peer promised none"
            : ", silentLooks=" + silent + ", at most " + limits.silenceAfter)
        + (limits.stallAfter == 0
            ? ""
            : ", stalledLooks=" + stalled + ", at most " + limits.stallAfter)
        + (limits.idleAfter == 0 ? "" : ", idleLooks=" + idle + ", at most " + limits.idleAfter);
  }

  /** One look; returns why the connection has to end, or null. */
  @Nullable ArraywireException look(
      long bytesReceived, boolean stuck, long bytesSent, long arraysMoved, Object peer) {
    float refill = (float) FLOOD_FRAMES * limits.period.toNanos() / FLOOD_TIME.toNanos();
    tokens = Math.min(FLOOD_FRAMES, tokens + refill);
    stalled = stuck && bytesSent == sent ? stalled + 1 : 0;
    silent = bytesReceived == received ? silent + 1 : 0;
    received = bytesReceived;
    idle = arraysMoved == arrays ? idle + 1 : 0;
    arrays = arraysMoved;
    if (limits.silenceAfter > 0 && silent >= limits.silenceAfter) {
      return new HeartbeatTimeoutException(
          "nothing was heard of the peer, which had promised heartbeats; it may have died or been cut off",
          "peer",
          peer,
          "heartbeatTimeout",
          limits.options.heartbeatTimeout(),
          "peersInterval",
          Duration.ofMillis(limits.peersInterval));
    }
    if (limits.stallAfter > 0 && stalled >= limits.stallAfter) {
      return new SlowPeerException(
          "the peer does not read what it is sent",
          "peer",
          peer,
          "stallTimeout",
          limits.options.stallTimeout());
    }
    if (limits.idleAfter > 0 && idle >= limits.idleAfter) {
      return new IdleTimeoutException(
          "no array went in either direction",
          "peer",
          peer,
          "idleTimeout",
          String.valueOf(limits.options.idleTimeout()));
    }
    return null;
  }
}
