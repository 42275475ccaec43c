package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener in plain mode, in a JVM of its own with a small heap. Its peers send arrays that
 * nobody takes until they are no longer read. Those of one of them are taken. Ends with a line that
 * says that this one was served.
 */
final class UntakenPlainArrays {
  /** A mebibyte for each is more than the heap has room for. */
  private static final int CONNECTIONS = 150;

  private static final int ARRAYS = 32;
  private static final int BYTES = 64 << 10;
  private static final int LITTLE = 48 << 10;

  private UntakenPlainArrays() {}

  /**
   * Listens.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    SmallHeapProgram.main(
        arguments[0],
        TransportOptions.builder().plain(ElementType.BYTE).build(),
        UntakenPlainArrays::serve);
  }

  private static String serve(Transport transport, Listener listener) throws Exception {
    Connection friend = transport.connect(listener.address());
    Connection served = listener.accept();
    List<Socket> peers = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      peers.add(fills(listener.address()));
      // So little may come whatever others hold; without memory it fails all the same.
      byte[] some = new byte[LITTLE];
      some[0] = (byte) i;
      var unused = friend.sendAsync(ArraySlice.of(some));
      if (served.receive().bytes()[0] != (byte) i) {
        return "another array";
      }
    }
    return "peers=" + peers.size() + ", served=true";
  }

  /** A peer that stays, unless it is cut off. What the inbox has no room for is in the sockets. */
  private static Socket fills(SocketAddress address) throws IOException {
    InetSocketAddress at = (InetSocketAddress) address;
    Socket peer = new Socket(at.getAddress(), at.getPort());
    ByteBuffer array = ByteBuffer.allocate(Integer.BYTES + BYTES).putInt(0, BYTES);
    try {
      for (int i = 0; i < ARRAYS; i++) {
        peer.getOutputStream().write(array.array());
      }
    } catch (IOException cut) {
      peer.close();
    }
    return peer;
  }
}
