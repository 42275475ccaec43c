package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FaultBody;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the peer's control frames mean to a connection. Functions; on the reading thread. */
final class PeerControl {
  private static final FrameTable<ControlScope> FRAMES = frames();

  private PeerControl() {}

  private static FrameTable<ControlScope> frames() {
    FrameTable<ControlScope> frames = new FrameTable<>();
    Requests.register(frames, at -> at.exchanges().requests());
    Subscriptions.register(frames, at -> at.exchanges().subscriptions());
    Function<ControlScope, ControlScope> itself = Function.identity();
    return frames
        .on(FrameType.ACK, itself, (to, header, at, body) -> acknowledgedAll(to, at, header))
        .on(FrameType.CREDIT, itself, (to, header, at, body) -> credited(to, at, header))
        .on(FrameType.REJECTED, itself, (to, header, at, body) -> rejected(to, at, header, body))
        .on(FrameType.PING, itself, (to, header, at, body) -> pinged(to, header))
        // Its arrival alone shows that the peer lives.
        .on(
            FrameType.PONG,
            itself,
            (to, header, at, body) -> {
              if (header.tag == 0 || !to.channels().measured(header.tag)) {
                to.useless(header.type, EffectlessFrames.FRAME);
              }
            })
        .on(
            FrameType.ERROR,
            itself,
            (to, header, at, body) -> {
              throw FaultBody.readLast(body);
            });
  }

  /** A control frame has come. */
  static void frame(
      ControlScope connection, FrameHeader header, InboundChannel channel, byte[] body)
      throws ArraywireException {
    FRAMES.frame(connection, header, channel, body);
  }

  /** Every frame of an array may say what of this side's arrays is processed. */
  static void acknowledged(ControlScope connection, InboundChannel channel, int low)
      throws ProtocolException {
    OutboundArray done;
    connection.lock().lock();
    try {
      OutboundChannel out = connection.channels().get(channel.id).out;
      done = acknowledged(connection, out, Acknowledgements.widen(out, low));
    } finally {
      connection.lock().unlock();
    }
    connection.outbound().complete(done);
    connection.wakeWriterToSayGoodbye();
  }

  private static void acknowledgedAll(
      ControlScope connection, InboundChannel channel, FrameHeader header)
      throws ProtocolException {
    OutboundArray done;
    connection.lock().lock();
    try {
      if (!connection.outbound().credit.coversAnswer()) {
        connection.useless(FrameType.ACK, EffectlessFrames.FRAME);
      }
      OutboundChannel out = connection.channels().get(channel.id).out;
      done = acknowledged(connection, out, header.sequence);
    } finally {
      connection.lock().unlock();
    }
    connection.outbound().complete(done);
    connection.wakeWriterToSayGoodbye();
  }

  private static @Nullable OutboundArray acknowledged(
      ControlScope connection, OutboundChannel out, long sequence) throws ProtocolException {
    OutboundArray done = connection.outbound().acknowledgements.acknowledged(out, sequence);
    if (done != null) {
      connection.arrayMoved();
    }
    return done;
  }

  private static void credited(ControlScope connection, InboundChannel channel, FrameHeader header)
      throws ProtocolException {
    boolean changed;
    connection.lock().lock();
    try {
      if (!connection.outbound().credit.coversAnswer()) {
        connection.useless(FrameType.CREDIT, EffectlessFrames.FRAME);
      }
      OutboundChannel out = connection.channels().get(channel.id).out;
      changed = connection.outbound().queue.allowed(out, header.tag, header.count);
      if (changed) {
        connection.arrayMoved();
      }
    } finally {
      connection.lock().unlock();
    }
    if (changed) {
      connection.wakeWriter();
    }
  }

  private static void rejected(
      ControlScope connection, InboundChannel at, FrameHeader header, byte[] body)
      throws ProtocolException {
    RemoteErrorException fault = FaultBody.read(body);
    int channel = at.id;
    long sequence = header.sequence;
    OutboundArray array;
    long request;
    connection.lock().lock();
    try {
      array =
          connection
              .outbound()
              .acknowledgements
              .rejected(connection.channels().get(channel).out, sequence);
      request = array == null ? 0 : connection.exchanges().requestNumber(array);
    } finally {
      connection.lock().unlock();
    }
    ArraywireException rejection =
        Failures.refusedByPeer(fault, request, channel, connection.remoteAddress());
    connection.events().rejected(ChannelId.seen(channel), sequence, true, rejection);
    if (array == null) {
      connection.handlerLog().refusedThere(channel, sequence, rejection);
    } else {
      // A peer may refuse what it has not read whole; the caller has the array back from now on.
      var unused = connection.outbound().withdraw(array);
      array.fail(connection.context().completions(), rejection);
    }
    connection.wakeWriterToSayGoodbye();
  }

  private static void pinged(ControlScope connection, FrameHeader header) throws ProtocolException {
    connection.useless(header.type, EffectlessFrames.FRAME);
    connection.lock().lock();
    try {
      var unused = connection.outbound().control.queuePong(ControlFrames.pong(header.tag));
    } finally {
      connection.lock().unlock();
    }
    connection.wakeWriter();
  }
}
