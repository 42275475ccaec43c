package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks a connection at regular times: sends heartbeats, and finds out that the peer is silent or
 * takes nothing, or that nobody uses the connection.
 *
 * <p>It counts its own looks instead of reading a clock. A process that stood still has not looked
 * meanwhile, so it does not blame its peer for that.
 */
abstract class KeepAlive implements KeepAliveTimer.Member {
  /** The time, and the bytes of a frame that have to come in it. */
  static final Duration SLOW_TIME = Duration.ofSeconds(10);

  /** Less than one segment of an Ethernet, which is the least that a sender has sent for it. */
  static final int SLOW_BYTES = 1280;

  /** So many parts of that time are looked at, each as one. */
  static final int SLOW_SPANS = 4;

  /** A peer that promised no heartbeats may be silent for so many times heartbeatTimeout. */
  static final int ASKED = 4;

  private final KeepAliveLimits limits;
  private float tokens;

  private long sent;
  private long received;
  private long moved;
  private int quiet;
  private int silent;
  private int stalled;
  private int idle;

  // The frame that is coming; looks at the present span, and whether anything came in it. Then the
  // spans in which something did, and what had come before the first of them.
  private int frame;
  private short spanLooks;
  private boolean came;
  private byte slowSpans;
  private long slowBegan;

  /** Those that are looked after together with the connection. Guarded by its lock. */
  private KeepAliveTimer.@Nullable Round round;

  KeepAlive(KeepAliveLimits limits) {
    this.limits = limits;
    tokens = limits.effectless.most;
  }

  /** Begins to look after the connection. Under the lock. */
  final void begin(KeepAliveTimer timer) {
    KeepAliveTimer.Round joined = timer.join(this, limits.period);
    round = joined;
    // Beside others the first look comes sooner than one period from now, and then only notes how
    // things are. (Alone it does so anyway.)
    moved = joined.isNew() ? 0 : -1;
  }

  /** Stops to look after it. Idempotent. Under the lock. */
  final void end() {
    if (round != null) {
      round.leave(this);
    }
  }

  KeepAliveLimits limits() {
    return limits;
  }

  /** Bears a further frame without effect, unless there were too many. */
  void bear(FrameType type, float cost) throws ProtocolException {
    tokens = limits.effectless.bear(tokens, type, cost);
  }

  /** Whether it is time for a heartbeat. */
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

  /** Whether a peer that promised no heartbeats has been silent for so long that it is asked. */
  boolean asks() {
    return limits.askAfter > 0 && silent > 0 && silent % limits.askAfter == 0;
  }

  /**
   * The warning that a peer has been silent for two thirds of the time that ends the connection;
   * null but for once in each silence.
   */
  @Nullable String fallenSilent(Object peer) {
    boolean promised = limits.silenceAfter > 0;
    long most = promised ? limits.silenceAfter - 1 : ASKED * limits.askAfter;
    if (most == 0 || silent != Math.max(1, most * 2 / 3)) {
      return null;
    }
    return "a peer has been silent for "
        + limits.period.multipliedBy(silent).toSeconds()
        + " s, "
        + (promised
            ? "though it promised a heartbeat every " + Duration.ofMillis(limits.peersInterval)
            : "and it answers no ping")
        + "; the connection ends when its silence lasts "
        + limits.period.multipliedBy(most).toSeconds()
        + " s (peer="
        + peer
        + ")";
  }

  /** What the checks have found; in checks, since it reads no clock. */
  String describe() {
    return "one check every "
        + limits.period
        + (limits.silenceAfter == 0
            ? ", the peer promised no heartbeats"
            : ", silentChecks=" + silent + ", at most " + limits.silenceAfter)
        + (limits.stallAfter == 0
            ? ""
            : ", stalledChecks=" + stalled + ", at most " + limits.stallAfter)
        + (limits.idleAfter == 0 ? "" : ", idleChecks=" + idle + ", at most " + limits.idleAfter);
  }

  /**
   * Whether a frame has gone on to come, and too slowly.
   *
   * <p>A peer that has begun a frame has credit for all of it, and has only to send it: nothing
   * excuses that it trickles. Times in which nothing at all comes are not counted. The peer's
   * process or the network between may stand still, which is for the heartbeats to judge, or this
   * side does not read. What is left is a peer that keeps sending a little; a link that loses
   * almost everything still brings a segment whenever it brings something.
   */
  private boolean isSlow(long bytesReceived, int frameEdges) {
    boolean inside = (frameEdges & 1) == 1;
    if (!inside || frameEdges != frame) {
      frame = frameEdges;
      spanLooks = 0;
      came = false;
      slowSpans = 0;
      slowBegan = bytesReceived;
      return false;
    }
    came |= bytesReceived != received;
    spanLooks++;
    if (spanLooks < limits.slowSpan) {
      return false;
    }
    spanLooks = 0;
    if (!came) {
      return false;
    }
    came = false;
    slowSpans++;
    if (slowSpans < SLOW_SPANS) {
      return false;
    }
    if (bytesReceived - slowBegan < SLOW_BYTES) {
      return true;
    }
    slowSpans = 0;
    slowBegan = bytesReceived;
    return false;
  }

  /**
   * One look; returns why the connection has to end, or null.
   *
   * @param moves a number that changes whenever anything of an array moves
   */
  @Nullable ArraywireException look(
      long bytesReceived, int frameEdges, boolean stuck, long bytesSent, long moves, Object peer) {
    tokens = limits.effectless.refilled(tokens);
    stalled = stuck && bytesSent == sent ? stalled + 1 : 0;
    boolean slow = isSlow(bytesReceived, frameEdges);
    silent = bytesReceived == received ? silent + 1 : 0;
    received = bytesReceived;
    idle = moves == moved ? idle + 1 : 0;
    moved = moves;
    if (limits.silenceAfter > 0 && silent >= limits.silenceAfter) {
      return new ConnectionLostException(
          ErrorCode.HEARTBEAT_TIMEOUT,
          "nothing was heard of the peer, which had promised heartbeats; it may have died or been"
              + " cut off",
          "peer",
          peer,
          "heartbeatTimeout",
          limits.options.heartbeatTimeout(),
          "peersInterval",
          Duration.ofMillis(limits.peersInterval),
          "waited",
          limits.silence);
    }
    if (limits.askAfter > 0 && silent >= ASKED * limits.askAfter) {
      return new ConnectionLostException(
          ErrorCode.HEARTBEAT_TIMEOUT,
          "nothing was heard of the peer, which has promised no heartbeats and answers no ping; it"
              + " may have died or been cut off",
          "peer",
          peer,
          "heartbeatTimeout",
          limits.options.heartbeatTimeout(),
          "pings",
          ASKED - 1);
    }
    if (slow) {
      return new ConnectionLostException(
          ErrorCode.SLOW_FRAME,
          "the peer began a frame and sends it too slowly",
          "peer",
          peer,
          "received",
          bytesReceived - slowBegan,
          "least",
          SLOW_BYTES,
          "time",
          SLOW_TIME);
    }
    if (limits.stallAfter > 0 && stalled >= limits.stallAfter) {
      return new ConnectionLostException(
          ErrorCode.SLOW_PEER,
          "the peer does not read what it is sent",
          "peer",
          peer,
          "stallTimeout",
          limits.options.stallTimeout());
    }
    if (limits.idleAfter > 0 && idle >= limits.idleAfter) {
      return new ConnectionLostException(
          ErrorCode.IDLE_TIMEOUT,
          "no array went in either direction",
          "peer",
          peer,
          "idleTimeout",
          String.valueOf(limits.options.idleTimeout()));
    }
    return null;
  }
}
