package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener in a JVM of its own, with a small heap, that keeps sessions for longer than it lives.
 * Its peers open one each, send arrays that nobody takes, whole ones and beginnings, and leave
 * without a goodbye. Those of one of them are taken. Ends with a line that says that this one was
 * served.
 */
final class BrokenSessions {
  /** With what they send, several times what the heap has room for. */
  private static final int CONNECTIONS = 300;

  private static final int CHANNELS = 16;
  private static final int BYTES = 64 << 10;

  private BrokenSessions() {}

  /**
   * Listens.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    TransportOptions options =
        TransportOptions.builder().sessionTimeout(Duration.ofHours(1)).build();
    SmallHeapProgram.main(arguments[0], options, BrokenSessions::serve);
  }

  private static String serve(Transport transport, Listener listener) throws Exception {
    Connection friend = transport.connect(listener.address());
    Connection served = listener.accept();
    List<Connection> kept = new ArrayList<>();
    SendOptions options = SendOptions.session();
    for (int i = 0; i < CONNECTIONS; i++) {
      breaks(listener.address(), i % 3);
      kept.add(listener.accept());
      int[] large = new int[BYTES];
      large[0] = i;
      var unused = friend.sendAsync(ArraySlice.of(large), options);
      if (served.receive().ints()[0] != i) {
        return "another array";
      }
    }
    return "sessions=" + kept.size() + ", served=true";
  }

  /** Opens a session, sends arrays, and breaks the connection once all of that was read. */
  private static void breaks(SocketAddress address, int whole) throws IOException {
    RawPeer peer = RawPeer.connect(address).opensSession();
    ArraySlice elements = ArraySlice.of(new byte[BYTES]);
    for (int i = 0; i < CHANNELS; i++) {
      int channel = i;
      int arrays = whole == 0 ? 0 : 4;
      for (int sequence = 1; sequence <= arrays; sequence++) {
        peer.send(array(channel, sequence, elements));
      }
      peer.send(
          array(channel, arrays + 1, elements)
              .with(header -> {
                header.count = 1 << 24;
                header.arrayBytes = 1 << 24;
              }));
    }
    var unused = peer.isRead();
    peer.reset();
  }

  private static RawFrame array(int channel, long sequence, ArraySlice elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, elements)
        .withAttributes(
            ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 16)
                .putShort((short) 1)
                .putInt(16)
                .putLong(sequence)
                .array())
        .with(header -> header.channel = channel);
  }
}
