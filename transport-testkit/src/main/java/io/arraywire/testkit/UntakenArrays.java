package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener in a JVM of its own, with a small heap and the default options. Its peers use up their
 * credit with arrays that nobody takes. Those of one of them are taken. Ends with a line that says
 * whether some were cut off, and that one served.
 */
final class UntakenArrays {
  /** Credit for 16 MiB each is several times what the heap has room for. */
  private static final int CONNECTIONS = 20;

  private static final int CHANNELS = 15;
  private static final int ARRAYS = 15;
  private static final int BYTES = 64 << 10;

  private static final int BEGUN_CHANNELS = 250;
  private static final int BEGUN_BYTES = 33_000;

  private UntakenArrays() {}

  /**
   * Listens.
   *
   * @param arguments the name of the transport, and anything if arrays are begun only
   */
  public static void main(String[] arguments) throws Exception {
    begun = arguments.length > 1;
    SmallHeapProgram.main(arguments[0], TransportOptions.defaults(), UntakenArrays::serve);
  }

  /** Whether no array is sent whole: each takes more than what has come of it. */
  private static boolean begun;

  private static String serve(Transport transport, Listener listener) throws Exception {
    Connection friend = transport.connect(listener.address());
    Connection served = listener.accept();
    boolean cut = false;
    List<RawPeer> staying = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      RawPeer peer = RawPeer.connect(listener.address()).shakeHands(1 << 20);
      cut |= !fills(peer);
      if (i % 2 == 0) {
        staying.add(peer);
      } else {
        // It leaves what it has sent.
        peer.close();
      }
      // More than any connection may bring, whatever others hold; it is here before it is taken.
      int[] large = new int[BYTES];
      large[0] = i;
      var unused = friend.sendAsync(ArraySlice.of(large), SendOptions.processed());
      Eventually.until("it is here", () -> served.load().waitingArrays() == 1);
      if (served.receive().ints()[0] != i) {
        return "another array";
      }
    }
    for (RawPeer peer : staying) {
      cut |= !answers(peer);
    }
    return "cut=" + cut + ", served=true";
  }

  private static boolean answers(RawPeer peer) {
    try {
      return peer.isRead();
    } catch (IOException cut) {
      return false;
    }
  }

  /** Returns whether the peer was let use up its credit. */
  private static boolean fills(RawPeer peer) throws IOException {
    if (begun) {
      return begins(peer);
    }
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

  /** The same with arrays of which little more has come than half of what they take then. */
  private static boolean begins(RawPeer peer) throws IOException {
    ArraySlice elements = ArraySlice.of(new byte[BEGUN_BYTES]);
    try {
      for (int i = 0; i < BEGUN_CHANNELS; i++) {
        int channel = i;
        peer.send(
            RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, elements)
                .with(header -> {
                  header.channel = channel;
                  header.count = 1 << 20;
                  header.arrayBytes = 1 << 20;
                }));
      }
      return peer.isRead();
    } catch (IOException cut) {
      return false;
    }
  }
}
