package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import java.time.Duration;

/**
 * How many frames without effect a peer may send: a token bucket. One object serves all connections
 * with the same limits; each connection keeps the tokens that it has left. Immutable.
 *
 * <p>Which frames count is on {@code docs/protocol.md}, "Frames without effect". Two kinds have a
 * price of their own. A subscription that ends before anything was published costs {@link
 * #SUBSCRIPTION}: a program may give up many at once. ACK and CREDIT cost nothing as long as arrays
 * cover them; see {@link #covered}.
 */
final class EffectlessFrames {
  /** What a frame costs. */
  static final float FRAME = 1;

  /** What a SUBSCRIBE, SUBSCRIBED or UNSUBSCRIBE without effect costs. */
  static final float SUBSCRIPTION = 1f / 8;

  /** The elements that must have come of an array for its ABORT to be worth something; bytes. */
  static final int LEAST_ABORTED_BYTES = 512;

  /**
   * A chunk that brings less, and not the rest of its array, costs more than it brings; the peer is
   * allowed a few of them. Half of the least size of frames.
   */
  static final int LEAST_USEFUL_BYTES = 512;

  /** What {@link #covered} says of a frame that no array covers. */
  static final long NOT_COVERED = -1;

  static final Duration TIME = Duration.ofSeconds(30);

  /** Frames without effect that are taken in {@link #TIME}, beside heartbeats. */
  private static final int FRAMES = 200;

  /**
   * So many times the heartbeats that the peer promised. A peer that keeps its promise is early,
   * and what came while this process stood still is read at once.
   */
  private static final int HEARTBEATS = 3;

  /** A peer that promises more frequent heartbeats is allowed no more of them; milliseconds. */
  private static final long SHORTEST_INTERVAL = 10;

  /**
   * The credit that an array has to cost for each ACK or CREDIT that it covers. Even an empty array
   * covers four; this library sends two at most.
   */
  private static final int ANSWER_BYTES = 64;

  /** How many tokens there are at first, and at most. */
  final float most;

  /** How many are added with each look. */
  final float refill;

  /**
   * The limits with a peer.
   *
   * @param peersInterval the longest time in which the peer sends nothing, in milliseconds; 0 if it
   *     promised none
   * @param period the time from one look to the next
   */
  EffectlessFrames(long peersInterval, Duration period) {
    float promised =
        peersInterval > 0
            ? (float) TIME.toMillis() / Math.max(SHORTEST_INTERVAL, peersInterval)
            : 0;
    most = FRAMES + HEARTBEATS * promised;
    refill = most * period.toNanos() / TIME.toNanos();
  }

  /** The tokens that are left when a further frame has come; throws if there were too few. */
  float bear(float tokens, FrameType type, float cost) throws ProtocolException {
    float left = tokens - cost;
    if (left < 0) {
      throw new ProtocolException(
          ErrorCode.CONTROL_FLOOD,
          "the peer sends too many frames without effect",
          "type",
          type,
          "limit",
          (long) most + " in " + TIME.toSeconds() + " s");
    }
    return left;
  }

  /** The tokens that there are one look later. */
  float refilled(float tokens) {
    return Math.min(most, tokens + refill);
  }

  /**
   * Whether an ACK or CREDIT is covered. Both answer arrays, so a peer that was sent some may send
   * a few for each, whatever they say.
   *
   * @param answered how much of what was charged has been answered
   * @param charged what the arrays that were sent have cost of the peer's credit
   * @param window the most that can be unanswered; what is older covers nothing any more
   * @return how much is answered now, or {@link #NOT_COVERED}
   */
  static long covered(long answered, long charged, long window) {
    long from = Math.max(answered, charged - window);
    return charged - from < ANSWER_BYTES ? NOT_COVERED : from + ANSWER_BYTES;
  }
}
