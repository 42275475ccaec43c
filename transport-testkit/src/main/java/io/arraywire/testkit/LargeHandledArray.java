package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.source.ArraySource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/**
 * A server in a JVM of its own, with a small heap and the default options. Its handler gets one
 * array that takes two fifths of the heap. Many together may not take so much. Ends with a line
 * that says that it came, that another such did not come beside it, and that a friend was served
 * meanwhile.
 */
final class LargeHandledArray {
  private static final long LARGE = 1;
  private static final int FRIENDLY_BYTES = 100_000;

  private LargeHandledArray() {}

  /**
   * Serves.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    SmallHeapProgram.main(
        arguments[0], TransportOptions.defaults(), (transport, unused) -> serve(transport));
  }

  private static String serve(Transport transport) throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Listener listener =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Handlers.ofArrays((from, array) -> {
              if (array.tag() == LARGE) {
                inHand.countDown();
                letGo.await();
              }
            }));
    int bytes = (int) (Runtime.getRuntime().maxMemory() / 5 * 2);
    Connection sender = transport.connect(listener.address());
    Connection friend = transport.connect(listener.address());
    // Not of this heap, which is to have room for it once.
    ByteBuffer elements = ByteBuffer.allocateDirect(bytes);
    var sent = sender.sendAsync(ArraySource.of(elements), SendOptions.processed().tag(LARGE));
    Eventually.until("the array is in hand", inHand);
    friend.send(ArraySlice.of(new byte[FRIENDLY_BYTES]), SendOptions.processed());
    boolean refused = false;
    try {
      friend.send(ArraySource.of(elements.duplicate()), SendOptions.processed());
    } catch (RemoteRejectedException e) {
      refused = true;
    }
    letGo.countDown();
    Eventually.get(sent);
    // Half of it: JDK 17 moves no array of that size, so there may be no gap for another whole one.
    friend.send(ArraySource.of(elements.duplicate().limit(bytes / 2)), SendOptions.processed());
    return "came=true, refused=" + refused + ", served=true";
  }
}
