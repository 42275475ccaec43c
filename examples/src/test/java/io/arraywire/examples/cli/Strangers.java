package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;

/** Peers that send no array. */
final class Strangers {
  private Strangers() {}

  /** Shakes hands, and goes without a word. */
  static void shakeHandsAndReset(SocketAddress address) throws IOException {
    try (Socket socket = shakeHands(address)) {
      socket.setSoLinger(true, 0);
    }
  }

  /** Declares an array of floats and sends nothing of it. */
  static Socket declare(SocketAddress address, long bytes) throws IOException {
    Socket socket = shakeHands(address);
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.encoding = Encoding.RAW_LITTLE_ENDIAN.code();
    header.elementType = ElementType.FLOAT.code();
    header.sequence = 1;
    header.count = bytes / 4;
    header.arrayBytes = bytes;
    header.payloadBytes = 64;
    ByteBuffer frame = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    header.write(frame);
    socket.getOutputStream().write(frame.array());
    return socket;
  }

  /** Shakes hands. */
  static Socket shakeHands(SocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.connect(address);
    Offer offer =
        new Offer(
            Map.of(Encoding.RAW_LITTLE_ENDIAN.code(), Encoding.RAW_LITTLE_ENDIAN.name()),
            Set.of(ElementType.FLOAT.code()),
            ByteOrder.LITTLE_ENDIAN,
            1 << 30,
            1 << 20,
            false,
            new byte[0],
            "stranger",
            new FlowOffer(1, 1 << 30, 1 << 30, 0, 0));
    socket.getOutputStream().write(Preamble.write(2, 2, HandshakeMessage.hello(offer)));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] preamble = new byte[Preamble.BYTES];
    in.readFully(preamble);
    in.readFully(new byte[Preamble.read(preamble).messageBytes()]);
    return socket;
  }
}
