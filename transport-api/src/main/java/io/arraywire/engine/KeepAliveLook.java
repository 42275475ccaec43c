package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.SlowFrameException;
import io.arraywire.StalledArrayException;
import org.jspecify.annotations.Nullable;

/** What is done for a connection once per period. Functions; on the thread of deadlines. */
final class KeepAliveLook {
  private KeepAliveLook() {}

  /** Looks after a connection; called once per period, and perhaps once more when it has ended. */
  static void look(ConnectionCore core) {
    ArraywireException reason;
    String waits = null;
    boolean beat;
    boolean asks;
    core.lock.lock();
    try {
      KeepAlive looks = core.liveness;
      if (looks == null || core.hasFailed()) {
        return;
      }
      long sent = core.outbound.bytesSent();
      reason =
          looks.look(
              core.inbound.bytesReceived(),
              core.inbound.frameEdges(),
              core.outbound.isStuck(),
              sent,
              core.arraysMoved + core.outbound.movedBytes() + core.inbound.moves(),
              core.remoteAddress());
      if (reason == null) {
        reason = lookAtArrays(core, looks.limits());
      }
      if (core.channels.areSeveral()) {
        waits =
            ReceiveWatch.look(
                core.channels.all().stream().map(channel -> channel.inbox.queue).toList(),
                looks.limits().period);
      }
      beat = looks.beats(sent) && !core.outbound.isStuck();
      asks = looks.asks() && !core.outbound.isStuck();
      if (looks.hasComeToRest()) {
        core.outbound.trim();
        core.channels.all().forEach(channel -> channel.inbox.trim());
      }
    } finally {
      core.lock.unlock();
    }
    if (waits != null) {
      Log.receiveWaits(waits);
    }
    if (reason != null) {
      // Of the others it is not to be expected that they read it.
      core.fail(
          reason,
          reason instanceof IdleTimeoutException
              || reason instanceof SlowFrameException
              || reason instanceof StalledArrayException);
    } else if (asks) {
      core.queueControl(ControlFrames.ping());
    } else if (beat) {
      core.queueControl(ControlFrames.pong(0));
    }
  }

  /** Looks after the arrays that have begun to arrive; under the lock. */
  private static @Nullable ArraywireException lookAtArrays(
      ConnectionCore core, KeepAliveLimits limits) {
    if (!core.inbound.isInsideArray()) {
      core.progress = null;
      return null;
    }
    InboundProgress looks = core.progress;
    if (looks == null) {
      looks = new InboundProgress(limits);
      core.progress = looks;
    }
    return looks.look(
        core.inbound,
        core.channels.all().stream().map(channel -> channel.in).toList(),
        core.channelLimit());
  }
}
