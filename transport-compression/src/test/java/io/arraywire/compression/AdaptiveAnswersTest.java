package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.proxy.Direction;
import io.arraywire.chaos.proxy.Fault;
import io.arraywire.chaos.proxy.FaultProxy;
import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a listener compresses by itself over slow links: what it publishes, and what it answers. */
class AdaptiveAnswersTest {
  private static final int COUNT = 2 << 20;
  private static final long BYTES = 4L * COUNT;
  private static final long BYTES_PER_SECOND = 20_000_000;

  /** Some 10 s of such a link, and time for the compiler. */
  private static final int MOST_ARRAYS = 25;

  private static final float[] WALK =
      (float[]) Samples.array(ElementType.FLOAT, COUNT, Samples.Kind.WALK);

  private final TransportCounters counters = TransportCounters.create();
  private final List<Connection> connections = new ArrayList<>();
  private Transport here;
  private Listener listener;
  private Transport there;
  private FaultProxy link;
  private long passedBefore;

  private void listen(Handlers handlers) throws Exception {
    here =
        NioTransport.create(
            TransportOptions.builder()
                .adaptiveCompression(AdaptiveCompression.WANTED)
                .sendBufferBytes(256 << 10)
                .observer(counters)
                .build());
    listener = here.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
    link =
        FaultProxy.to(listener.address())
            .faults(Fault.throttle(Direction.TO_CLIENT, 0, BYTES_PER_SECOND))
            .start();
    there = NioTransport.create(TransportOptions.defaults());
  }

  /** The link is open until both ends are closed: no end has a goodbye that it cannot send. */
  @AfterEach
  void close() throws Exception {
    for (Connection each : connections) {
      each.close();
    }
    there.close();
    listener.close();
    here.close();
    link.close();
  }

  private Connection connect() throws Exception {
    Connection connection = there.connect(link.address());
    connections.add(connection);
    return connection;
  }

  /** The bytes that passed since it was asked last. */
  private long passed() {
    long before = passedBefore;
    passedBefore = counters.wireBytesSent();
    return passedBefore - before;
  }

  @Test
  void whatIsPublishedIsCompressedOnceItsLinkIsKnown() throws Exception {
    listen(Handlers.ofArrays((from, array) -> {}));
    List<Subscription> subscriptions = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Connection connection = connect();
      subscriptions.add(connection.subscribe("walks", SubscribeOptions.defaults()));
    }
    boolean shrunk = false;
    for (int i = 0; i < MOST_ARRAYS && !shrunk; i++) {
      PublishReceipt receipt = listener.publish("walks", ArraySlice.of(WALK));
      assertThat(receipt).isEqualTo(new PublishReceipt(2, 2, 0, 0, 0, 1));
      for (Subscription each : subscriptions) {
        assertThat(each.receive().floats()).isEqualTo(WALK);
      }
      shrunk = passed() < 2 * BYTES * 6 / 10;
    }
    assertThat(shrunk).isTrue();
  }

  @Test
  void anAnswerIsCompressedOnceItsLinkIsKnown() throws Exception {
    listen(Handlers.answering(request -> Message.of(WALK)));
    Connection connection = connect();
    boolean shrunk = false;
    for (int i = 0; i < MOST_ARRAYS && !shrunk; i++) {
      assertThat(connection.call(ArraySlice.of(new int[] {i}), Duration.ofMinutes(1)).floats())
          .isEqualTo(WALK);
      shrunk = passed() < BYTES * 6 / 10;
    }
    assertThat(shrunk).isTrue();
  }
}
