package io.arraywire.engine;

import io.arraywire.TransportOptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How often connections are looked after, and after how many looks what happens. Immutable. */
final class KeepAliveLimits {
  /** Nothing is looked at more often; counts of looks stay small, too. */
  private static final Duration SHORTEST_PERIOD = Duration.of(100, ChronoUnit.MICROS);

  /** How much finer than the times to be kept it looks. */
  private static final int LOOKS = 4;

  /** The longest interval between heartbeats that the handshake can tell the peer. */
  private static final Duration LONGEST_INTERVAL = Duration.ofMillis((1L << 32) - 1);

  /** Short enough to tell a frame that trickles from one that has stopped to come. */
  private static final Duration SLOW_SPAN = KeepAlive.SLOW_TIME.dividedBy(KeepAlive.SLOW_SPANS);

  final TransportOptions options;

  /** The longest time in which the peer sends nothing, 0 if it promised none; milliseconds. */
  final long peersInterval;

  /** The silence that ends a connection: heartbeatTimeout, or three of the peer's intervals. */
  final Duration silence;

  /** The time from one look to the next. */
  final Duration period;

  // In looks; 0 for never.
  final long beatEvery;
  final long silenceAfter;
  final long stallAfter;
  final long idleAfter;
  final long progressAfter;

  /** Of a peer that promised no heartbeats: silence after which this side sends a PING. */
  final long askAfter;

  /**
   * Whether an array may stand still while nothing at all comes: the heartbeats that were promised
   * tell before long that the peer is gone. With a promise for next week they do not.
   */
  final boolean excusesSilence;

  /** The looks in one of the spans of time in which bytes of a frame are counted. */
  final long slowSpan;

  /** How many frames without effect are taken. */
  final EffectlessFrames effectless;

  KeepAliveLimits(TransportOptions options, long peersInterval) {
    this.options = options;
    this.peersInterval = peersInterval;
    Duration leastSilence = Duration.ofMillis(3 * peersInterval);
    Duration wanted = options.heartbeatTimeout();
    silence = wanted.compareTo(leastSilence) < 0 ? leastSilence : wanted;
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
      shortest = least(shortest, KeepAlive.SLOW_TIME);
    }
    shortest = shortest.dividedBy(LOOKS);
    period = shortest.compareTo(SHORTEST_PERIOD) < 0 ? SHORTEST_PERIOD : shortest;
    // What is quiet for one look more than this would be late.
    beatEvery = framed ? Math.max(1, looks(interval) - 1) : 0;
    silenceAfter = peersInterval > 0 ? looks(silence) + 1 : 0;
    progressAfter = looks(options.stallTimeout());
    stallAfter = framed ? progressAfter : 0;
    idleAfter = idleTime == null ? 0 : looks(idleTime);
    askAfter = framed && peersInterval == 0 ? looks(options.heartbeatTimeout()) : 0;
    excusesSilence =
        peersInterval > 0
            && leastSilence.dividedBy(KeepAlive.ASKED).compareTo(options.heartbeatTimeout()) <= 0;
    slowSpan = framed ? looks(SLOW_SPAN) : 0;
    effectless = new EffectlessFrames(peersInterval, period);
  }

  /** Whether a peer's heartbeats are too rare for the option. */
  boolean raisesHeartbeatTimeout() {
    return silence.compareTo(options.heartbeatTimeout()) > 0;
  }

  /** How often this side sends a heartbeat, which it can tell its peer. */
  static Duration heartbeatInterval(TransportOptions options) {
    return least(options.heartbeatInterval(), LONGEST_INTERVAL);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private long looks(Duration time) {
    return Math.max(1, SystemDeadlines.nanos(time) / SystemDeadlines.nanos(period));
  }
}
