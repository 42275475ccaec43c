package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A publisher in a JVM of its own, with a small heap and the default options, whose subscribers
 * give credit without end and read nothing. One of them does read. Ends with a line that says what
 * became of the arrays, or with whatever the publisher threw.
 */
final class UnreadPublications {
  /** With 300 bytes for each array and subscription, several times what the heap has room for. */
  static final int ARRAYS = 2000;

  static final int CONNECTIONS = 20;

  /** As many as a connection may have. */
  static final int SUBSCRIPTIONS = TransportOptions.defaults().maxSubscriptions();

  private static final List<LagPolicy> POLICIES =
      List.of(LagPolicy.DISCONNECT, LagPolicy.DROP_NEWEST, LagPolicy.DROP_OLDEST);

  private UnreadPublications() {}

  /**
   * Publishes.
   *
   * @param arguments the name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    SmallHeapProgram.main(arguments[0], TransportOptions.defaults(), UnreadPublications::publish);
  }

  private static String publish(Transport transport, Listener listener) throws Exception {
    CountDownLatch read = new CountDownLatch(ARRAYS);
    Connection friend = transport.connect(listener.address());
    var unused =
        friend.subscribe(
            "news", SubscribeOptions.defaults(), (connection, array) -> read.countDown());
    List<RawPeer> hostile = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      hostile.add(subscribed(listener.address(), POLICIES.get(i % POLICIES.size())));
    }
    Eventually.until(
        "all have subscribed",
        () -> listener.subscribers("news") == 1 + CONNECTIONS * SUBSCRIPTIONS);
    long dropped = 0;
    long disconnected = 0;
    for (int i = 0; i < ARRAYS; i++) {
      PublishReceipt receipt = listener.publish("news", ArraySlice.of(new int[] {i}));
      dropped += receipt.dropped();
      disconnected += receipt.disconnected();
    }
    read.await();
    return "hostile="
        + hostile.size()
        + ", dropped="
        + (dropped > 0)
        + ", disconnected="
        + (disconnected > 0);
  }

  private static RawPeer subscribed(SocketAddress address, LagPolicy policy) throws IOException {
    RawPeer peer = RawPeer.connect(address).shakeHands(1L << 40);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      peer.send(RawFrame.subscribe(i, "news", policy, Long.MAX_VALUE));
    }
    return peer;
  }
}
