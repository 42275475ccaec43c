package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.HeartbeatTimeoutException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.SlowPeerException;
import io.arraywire.TransportOptions;
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

  /** How much finer than the times to be kept it looks. */
  private static final int LOOKS = 4;

  private final Duration period;
  private final long beatEvery;
  private final long silenceAfter;
  private final long stallAfter;
  private final long idleAfter;
  private final TransportOptions options;
  private final long peersInterval;
  private double tokens = FLOOD_FRAMES;

  private long sent;
  private long received;
  private long arrays;
  private long quiet;
  private long silent;
  private long stalled;
  private long idle;

  /**
   * Begins to look after a connection.
   *
   * @param peerMillis the longest time in which the peer sends nothing, 0 if it promised none
   * @param credit whether the peer knows credit
   */
  Liveness(TransportOptions options, long peerMillis, boolean credit) {
    this.options = options;
    peersInterval = peerMillis;
    Duration silence = options.heartbeatTimeout();
    Duration leastSilence = Duration.ofMillis(3 * peerMillis);
    silence = silence.compareTo(leastSilence) < 0 ? leastSilence : silence;
    Duration shortest = options.heartbeatInterval();
    shortest = least(shortest, options.stallTimeout());
    shortest = least(shortest, silence);
    Duration idleTime = options.idleTimeout();
    if (idleTime != null) {
      shortest = least(shortest, idleTime);
    }
    shortest = shortest.dividedBy(LOOKS);
    period = shortest.isZero() ? Duration.ofNanos(1) : shortest;
    // What is quiet for one look more than this would be late.
    beatEvery = credit ? Math.max(1, looks(options.heartbeatInterval()) - 1) : 0;
    silenceAfter = peerMillis > 0 ? looks(silence) + 1 : 0;
    stallAfter = credit ? looks(options.stallTimeout()) : 0;
    idleAfter = idleTime == null ? 0 : looks(idleTime);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private long looks(Duration time) {
    return Math.max(1, SystemDeadlines.nanos(time) / SystemDeadlines.nanos(period));
  }

  /** The time from one look to the next. */
  Duration period() {
    return period;
  }

  /** Whether there is anything to look after. */
  boolean isOfUse() {
    return beatEvery > 0 || silenceAfter > 0 || stallAfter > 0 || idleAfter > 0;
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
    if (beatEvery > 0 && quiet >= beatEvery) {
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
        + period
        + (silenceAfter == 0
            ? ", the peer promised none"
            : ", silentLooks=" + silent + ", at most " + silenceAfter)
        + (stallAfter == 0 ? "" : ", stalledLooks=" + stalled + ", at most " + stallAfter)
        + (idleAfter == 0 ? "" : ", idleLooks=" + idle + ", at most " + idleAfter);
  }

  /** One look; returns why the connection has to end, or null. */
  @Nullable ArraywireException look(
      long bytesReceived, boolean stuck, long bytesSent, long arraysMoved, Object peer) {
    double refill = (double) FLOOD_FRAMES * period.toNanos() / FLOOD_TIME.toNanos();
    tokens = Math.min(FLOOD_FRAMES, tokens + refill);
    stalled = stuck && bytesSent == sent ? stalled + 1 : 0;
    silent = bytesReceived == received ? silent + 1 : 0;
    received = bytesReceived;
    idle = arraysMoved == arrays ? idle + 1 : 0;
    arrays = arraysMoved;
    if (silenceAfter > 0 && silent >= silenceAfter) {
      return new HeartbeatTimeoutException(
          "nothing was heard of the peer, which had promised heartbeats; it may have died or been cut off",
          "peer",
          peer,
          "heartbeatTimeout",
          options.heartbeatTimeout(),
          "peersInterval",
          Duration.ofMillis(peersInterval));
    }
    if (stallAfter > 0 && stalled >= stallAfter) {
      return new SlowPeerException(
          "the peer does not read what it is sent",
          "peer",
          peer,
          "stallTimeout",
          options.stallTimeout());
    }
    if (idleAfter > 0 && idle >= idleAfter) {
      return new IdleTimeoutException(
          "no array went in either direction",
          "peer",
          peer,
          "idleTimeout",
          String.valueOf(options.idleTimeout()));
    }
    return null;
  }
}
