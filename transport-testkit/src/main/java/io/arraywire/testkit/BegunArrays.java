package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener in a JVM of its own, with a small heap and the default options. Its peers begin a
 * large array on each of their channels and send little of it. The arrays of one of them are taken.
 * Ends with a line that says that this one was served.
 */
final class BegunArrays {
  /** With 32 KiB for each array that has begun, nearly twice what the heap has room for. */
  private static final int CONNECTIONS = 20;

  private static final int CHANNELS = 256;
  private static final int BYTES = 512;
  private static final long DECLARED = 4 << 20;

  private BegunArrays() {}

  /**
   * Listens.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    SmallHeapProgram.main(arguments[0], TransportOptions.defaults(), BegunArrays::serve);
  }

  private static String serve(Transport transport, Listener listener) throws Exception {
    Connection friend = transport.connect(listener.address());
    Connection served = listener.accept();
    List<RawPeer> peers = new ArrayList<>();
    List<Connection> kept = new ArrayList<>();
    ArraySlice beginning = ArraySlice.of(new byte[BYTES]);
    for (int i = 0; i < CONNECTIONS; i++) {
      RawPeer peer = RawPeer.connect(listener.address()).shakeHands(1 << 20);
      peers.add(peer);
      kept.add(listener.accept());
      for (int each = 0; each < CHANNELS; each++) {
        int channel = each;
        peer.send(
            RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, beginning)
                .with(header -> {
                  header.channel = channel;
                  header.count = DECLARED;
                  header.arrayBytes = DECLARED;
                }));
      }
      if (!peer.isRead()) {
        return "peer " + i + " was cut off";
      }
      var unused = friend.sendAsync(ArraySlice.of(new int[] {i}), SendOptions.processed());
      if (served.receive().ints()[0] != i) {
        return "another array";
      }
    }
    return "peers=" + peers.size() + ", open=" + kept.stream().allMatch(Connection::isOpen);
  }
}
