package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds arrays that have begun to arrive and do not go on, though the peer may send the rest.
 *
 * <p>It counts checks, as {@link KeepAlive} does, and only those that the peer has to answer for.
 * The peer had credit for the array, which had its place here. The peer was also heard of, if it
 * promised heartbeats often enough to tell that it is gone. An array that waits while others move
 * is excused until every other channel has had its turn many times. Guarded by the connection's
 * lock; what the reading thread is about to change may be seen a moment late.
 */
final class InboundProgress {
  /** Less than one segment of an Ethernet; in plain mode a writer may take its time. */
  static final int LEAST_BYTES = 1280;

  /** So often every other channel may have its turn before an array that waits. */
  private static final int TURNS = 8;

  private final KeepAliveLimits limits;
  private final long leastBytes;

  /** The arrays that had begun when it last looked. */
  private final List<Begun> all = new ArrayList<>(1);

  private long received;

  InboundProgress(KeepAliveLimits limits) {
    this.limits = limits;
    leastBytes = limits.options.plainType() == null ? LEAST_BYTES : 1;
  }

  /** One look; returns why the connection has to end, or null. */
  @Nullable ArraywireException look(
      Inbound inbound, Iterable<InboundChannel> channels, int mostChannels) {
    boolean heard = !limits.excusesSilence || inbound.bytesReceived() != received;
    received = inbound.bytesReceived();
    all.removeIf(Begun::isOver);
    for (InboundChannel channel : channels) {
      if (channel.arriving == null) {
        continue;
      }
      Begun begun = find(channel);
      if (begun == null) {
        all.add(new Begun(channel, inbound));
      } else if (heard && begun.isDue() && begun.hasStalled(inbound, mostChannels)) {
        return failure(begun, inbound);
      }
    }
    return null;
  }

  private @Nullable Begun find(InboundChannel channel) {
    for (Begun each : all) {
      if (each.in.equals(channel)) {
        return each;
      }
    }
    return null;
  }

  private ConnectionLostException failure(Begun begun, Inbound inbound) {
    return new ConnectionLostException(
        ErrorCode.STALLED_ARRAY,
        "the peer began an array and does not go on with it; it was not delivered; raise"
            + " stallTimeout here if it needs longer",
        "peer",
        inbound.peer(),
        "channel",
        ChannelId.fact(begun.in.id),
        "sequence",
        begun.nextSequence - 1,
        "received",
        begun.in.arrayReceived,
        "expected",
        begun.in.arrayBytes,
        "least",
        leastBytes,
        "stallTimeout",
        limits.options.stallTimeout());
  }

  /** One array, and how far it was when it last went on. */
  private final class Begun {
    private final InboundChannel in;
    private final Inbox inbox;
    private final long nextSequence;
    private long ownBytes;
    private long allBytes;
    private long framesOfOthers;
    private int frames;
    private long looks;

    Begun(InboundChannel channel, Inbound inbound) {
      in = channel;
      inbox = in.inbox;
      nextSequence = in.nextSequence;
      goesOn(inbound);
    }

    private void goesOn(Inbound inbound) {
      ownBytes = in.came;
      framesOfOthers = 0;
      begin(inbound);
    }

    private void begin(Inbound inbound) {
      allBytes = inbound.elementBytes;
      frames = inbound.arrayFrames;
      looks = 0;
    }

    boolean isOver() {
      return in.arriving == null || in.nextSequence != nextSequence;
    }

    /** Whether the peer could send more of it. */
    boolean isDue() {
      InboundArray array = in.arriving;
      return array != null
          && array.isPlaced()
          && inbox.allowsMore(in.arrayBytes - in.arrayReceived);
    }

    boolean hasStalled(Inbound inbound, int mostChannels) {
      if (in.came - ownBytes >= leastBytes) {
        goesOn(inbound);
        return false;
      }
      looks++;
      if (looks < limits.progressAfter) {
        return false;
      }
      long others = inbound.elementBytes - allBytes;
      framesOfOthers += inbound.arrayFrames - frames;
      if (others < leastBytes || framesOfOthers > (long) TURNS * mostChannels) {
        return true;
      }
      begin(inbound);
      return false;
    }
  }
}
