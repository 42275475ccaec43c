package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What is done for a connection once per period, on the thread of deadlines. */
final class KeepAliveLook extends KeepAlive {
  private final ConnectionCore core;

  /** While an array arrives. Guarded by the connection's lock. */
  private @Nullable InboundProgress progress;

  KeepAliveLook(ConnectionCore core, KeepAliveLimits limits) {
    super(limits);
    this.core = core;
  }

  @Override
  public void transportFailed(Throwable thrown) {
    core.transportFailed(thrown);
  }

  @Override
  public void look() {
    ArraywireException reason;
    String waits = null;
    String silent;
    boolean beat;
    boolean asks;
    core.lock.lock();
    try {
      if (core.hasFailed()) {
        return;
      }
      long sent = core.outbound.bytesSent();
      reason =
          look(
              core.inbound.bytesReceived(),
              core.inbound.frameEdges(),
              core.outbound.isStuck(),
              sent,
              core.arraysMoved + core.outbound.movedBytes() + core.inbound.moves,
              core.remoteAddress());
      if (reason == null) {
        reason = lookAtArrays();
      }
      if (core.channels.areSeveral()) {
        waits =
            ReceiveWatch.look(
                core.channels.all().stream().map(channel -> channel.inbox.queue).toList(),
                limits().period);
      }
      silent = reason == null ? fallenSilent(core.remoteAddress()) : null;
      beat = beats(sent) && !core.outbound.isStuck();
      asks = asks() && !core.outbound.isStuck();
      if (hasComeToRest()) {
        core.outbound.trim();
        core.trimHeldArrays();
        if (core.inbound instanceof FrameReader reader) {
          reader.tables = null;
        }
        core.channels.all().forEach(ChannelEnd::trim);
      }
    } finally {
      core.lock.unlock();
    }
    if (waits != null) {
      Log.receiveWaits(waits);
    }
    if (silent != null) {
      Log.peerSilent(silent);
    }
    if (reason != null) {
      // Of the others it is not to be expected that they read it.
      core.fail(
          reason,
          ErrorCode.IDLE_TIMEOUT.isOf(reason)
              || ErrorCode.SLOW_FRAME.isOf(reason)
              || ErrorCode.STALLED_ARRAY.isOf(reason));
    } else if (asks) {
      core.queueControl(ControlFrames.ping());
    } else if (beat) {
      core.queueControl(ControlFrames.pong(0));
    }
  }

  /** Looks after the arrays that have begun to arrive; under the lock. */
  private @Nullable ArraywireException lookAtArrays() {
    if (!core.inbound.isInsideArray()) {
      progress = null;
      return null;
    }
    InboundProgress looks = progress;
    if (looks == null) {
      looks = new InboundProgress(limits());
      progress = looks;
    }
    return looks.look(
        core.inbound,
        core.channels.all().stream().map(channel -> channel.in).toList(),
        core.channelLimit());
  }
}
