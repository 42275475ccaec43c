package io.arraywire.engine;

import io.arraywire.TransportOptions;
import io.arraywire.wire.FlowOffer;
import java.time.Duration;

/** How often connections are looked after, and after how many looks what happens. Immutable. */
final class LivenessLimits {
  /** How much finer than the times to be kept it looks. */
  private static final int LOOKS = 4;

  /** The longest interval between heartbeats that the handshake can tell the peer. */
  private static final Duration LONGEST_INTERVAL = Duration.ofMillis((1L << 32) - 1);

  /** Control frames without effect that are taken in {@link #FLOOD_TIME}, beside heartbeats. */
  private static final int FLOOD_FRAMES = 200;

  static final Duration FLOOD_TIME = Duration.ofSeconds(30);

  /**
   * So many times the heartbeats that the peer promised: whoever keeps a promise is early, and what
   * came while this process stood still is read at once.
   */
  private static final int FLOOD_HEARTBEATS = 3;

  /** Short enough to tell a frame that trickles from one that has stopped to come. */
  private static final Duration SLOW_SPAN = Liveness.SLOW_TIME.dividedBy(Liveness.SLOW_SPANS);

  final TransportOptions options;

  /** The longest time in which the peer sends nothing, 0 if it promised none; milliseconds. */
  final long peersInterval;

  /** The time from one look to the next. */
  final Duration period;

  // In looks; 0 for never.
  final long beatEvery;
  final long silenceAfter;
  final long stallAfter;
  final long idleAfter;

  /** The looks in one of the spans of time in which bytes of a frame are counted. */
  final long slowSpan;

  /**
   * How many control frames without effect are taken at once, and how many more after each look.
   */
  final float floodFrames;

  final float floodRefill;

  private final boolean credit;

  LivenessLimits(TransportOptions options, FlowOffer peerFlow) {
    this.options = options;
    credit = peerFlow.hasCredit();
    peersInterval = peerFlow.heartbeatMillis();
    Duration silence = options.heartbeatTimeout();
    Duration leastSilence = Duration.ofMillis(3 * peersInterval);
    silence = silence.compareTo(leastSilence) < 0 ? leastSilence : silence;
    Duration interval = heartbeatInterval(options);
    Duration shortest = interval;
    shortest = least(shortest, options.stallTimeout());
    shortest = least(shortest, silence);
    Duration idleTime = options.idleTimeout();
    if (idleTime != null) {
      shortest = least(shortest, idleTime);
    }
    boolean framed = options.plainType() == null;
    if (framed) {
      shortest = least(shortest, Liveness.SLOW_TIME);
    }
    shortest = shortest.dividedBy(LOOKS);
    period = shortest.isZero() ? Duration.ofNanos(1) : shortest;
    // What is quiet for one look more than this would be late.
    beatEvery = credit ? Math.max(1, looks(interval) - 1) : 0;
    silenceAfter = peersInterval > 0 ? looks(silence) + 1 : 0;
    stallAfter = credit ? looks(options.stallTimeout()) : 0;
    idleAfter = idleTime == null ? 0 : looks(idleTime);
    slowSpan = framed ? looks(SLOW_SPAN) : 0;
    float promised = peersInterval > 0 ? (float) FLOOD_TIME.toMillis() / peersInterval : 0;
    floodFrames = FLOOD_FRAMES + FLOOD_HEARTBEATS * promised;
    floodRefill = floodFrames * period.toNanos() / FLOOD_TIME.toNanos();
  }

  /** How often this side gives a sign of life, which it can tell its peer. */
  static Duration heartbeatInterval(TransportOptions options) {
    return least(options.heartbeatInterval(), LONGEST_INTERVAL);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private long looks(Duration time) {
    return Math.max(1, SystemDeadlines.nanos(time) / SystemDeadlines.nanos(period));
  }

  /** Whether they are those for another peer, too. */
  boolean suits(FlowOffer peerFlow) {
    return credit == peerFlow.hasCredit() && peersInterval == peerFlow.heartbeatMillis();
  }

  /** Whether there is anything to look after. */
  boolean isOfUse() {
    return beatEvery > 0 || silenceAfter > 0 || stallAfter > 0 || idleAfter > 0 || slowSpan > 0;
  }
}
