package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The open requests of a connection, in both directions. Any thread. */
final class Requests implements RequestIntake {
  private final ReentrantLock lock;
  final RequestsMade made;
  final RequestsTaken taken;

  Requests(PeerScope connection, Outbound outbound) {
    lock = connection.lock();
    made = new RequestsMade(connection, outbound);
    taken = new RequestsTaken(connection, outbound);
  }

  /** Has the requests of each connection understand frames. */
  static <C> void register(FrameTable<C> frames, Function<C, Requests> part) {
    frames.on(
        FrameType.CANCEL,
        part,
        (all, header, channel, body) -> all.taken.cancelledByPeer(header.tag));
  }

  /** Checks what an array says of requests. */
  void check(ArrayEnvelope envelope, long count) throws ProtocolException {
    long request = envelope.request();
    long reply = envelope.reply();
    if (request != 0 && reply != 0) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array that is both a request and a reply",
          "request",
          request,
          "reply",
          reply);
    }
    if (envelope.fault() != null && (reply == 0 || count != 0)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a fault that is not a reply, or that has elements",
          "reply",
          reply,
          "count",
          count);
    }
    lock.lock();
    try {
      if (request != 0) {
        taken.checkRequest(request);
      } else {
        made.checkReply(reply);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void placeReply(InboundArray array, Codec codec, boolean trusted) {
    made.placeReply(array, codec, trusted);
  }

  @Override
  public Runnable replied(InboundArray array) {
    return made.replied(array);
  }

  @Override
  public @Nullable ArraywireException refusal(@Nullable Handlers handlers) {
    return taken.refusal(handlers);
  }

  @Override
  public OwedReply taken(long number, OutboundChannel channel) {
    return taken.taken(number, channel);
  }

  @Override
  public void aborted(InboundArray array) {
    made.aborted(array);
    taken.aborted(array);
  }

  /** No reply will come any more, and nobody waits for one. */
  void end(ArraywireException cause) {
    made.end(cause);
    taken.end();
  }
}
