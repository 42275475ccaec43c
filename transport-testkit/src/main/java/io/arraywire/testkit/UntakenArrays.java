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

/**
 * A listener in a JVM of its own, with a small heap and the default options, whose peers use up
 * their credit with arrays that nobody takes; those of one of them are taken. Ends with a line that
 * says whether some were cut off, and that one served.
 */
final class UntakenArrays {
  /** Credit for 16 MiB each is several times what the heap has room for. */
  private static final int CONNECTIONS = 20;

  private static final int CHANNELS = 15;
  private static final int ARRAYS = 15;
  private static final int BYTES = 64 << 10;

  private UntakenArrays() {}

  /**
   * Listens.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    SmallHeapProgram.main(arguments[0], TransportOptions.defaults(), UntakenArrays::serve);
  }

  private static String serve(Transport transport, Listener listener) throws Exception {
    Connection friend = transport.connect(listener.address());
    Connection served = listener.accept();
    boolean cut = false;
    for (int i = 0; i < CONNECTIONS; i++) {
      cut |= !fills(listener.address(), i % 2 == 1);
      // More than any connection may bring, whatever others hold; it is here before it is taken.
      int[] large = new int[BYTES];
      large[0] = i;
      var unused = friend.sendAsync(ArraySlice.of(large), SendOptions.processed());
      Eventually.until("it is here", () -> served.load().waitingArrays() == 1);
      if (served.receive().ints()[0] != i) {
        return "another array";
      }
    }
    return "cut=" + cut + ", served=true";
  }

  /** Returns whether the peer was let use up its credit; it stays, or leaves what it has sent. */
  private static boolean fills(SocketAddress address, boolean leaves) throws IOException {
    RawPeer peer = RawPeer.connect(address).shakeHands(1 << 20);
    boolean filled = fills(peer);
    if (leaves) {
      peer.close();
    }
    return filled;
  }

  private static boolean fills(RawPeer peer) throws IOException {
    ArraySlice elements = ArraySlice.of(new byte[BYTES]);
    try {
      for (int sequence = 1; sequence <= ARRAYS; sequence++) {
        for (int i = 1; i <= CHANNELS; i++) {
          int channel = i;
          peer.send(
              RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, elements)
                  .with(header -> header.channel = channel));
        }
      }
      return peer.isRead();
    } catch (IOException cut) {
      return false;
    }
  }
}
