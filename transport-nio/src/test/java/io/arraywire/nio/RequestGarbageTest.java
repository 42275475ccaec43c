package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A steady request makes few objects at both ends together: its reply is an object of the user's,
 * and so are the stages, the array that the handler gets, and the {@code Reply}. Where a handler
 * names targets, an array also costs the objects that describe it to the handler.
 */
@Tag("alone")
class RequestGarbageTest {
  private static final int TIMES = 2_000;
  private static final int WARM_UP = 20;
  private static final int COUNT = 128;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The array that the handler gets. */
  private static final int ARRAY_BYTES = 16 + COUNT * Float.BYTES;

  /**
   * All else that a request and its reply make, at both ends together. It is 1,400 where the
   * compiler sees which objects are not needed, and more in a JVM that has done much else before.
   */
  private static final int MOST_BYTES = 1_950;

  /**
   * What an array for a handler makes, at both ends together. It is 270 where the compiler sees
   * which objects are not needed, some 700 in this test, and 300 more with a description for each.
   */
  private static final int MOST_BYTES_OF_ARRAY = 800;

  /** What is sent many times. */
  private interface Asking {
    void ask(Connection connection) throws Exception;
  }

  private final Set<Thread> at = ConcurrentHashMap.newKeySet();

  @Test
  void aHandlerThatTheLoopsThreadCalls() throws Exception {
    assertMakesFew(handlers -> handlers);
    assertThat(at).as("threads of the handler").anyMatch(RequestGarbageTest::isLoops);
  }

  @Test
  void aHandlerOnLoop() throws Exception {
    assertMakesFew(Handlers::onLoop);
  }

  private static boolean isLoops(Thread thread) {
    return thread.getName().matches("arraywire-nio-\\d+-\\d+");
  }

  private void assertMakesFew(UnaryOperator<Handlers> kind) throws Exception {
    Handlers handlers =
        kind.apply(
            Handlers.ofRequests((connection, request, reply) -> {
              at.add(Thread.currentThread());
              var unused = reply.send(request.floats());
            }));
    assertMakesFew(handlers, RequestGarbageTest::ask, ARRAY_BYTES + MOST_BYTES);
  }

  @Test
  void anArrayForAHandlerThatNamesItsTarget() throws Exception {
    ArraySlice target = ArraySlice.of(new float[COUNT]);
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> at.add(Thread.currentThread()))
            .withTargets((connection, header) -> target);
    assertMakesFew(handlers, RequestGarbageTest::send, MOST_BYTES_OF_ARRAY);
    assertThat(at).as("threads of the handler").anyMatch(RequestGarbageTest::isLoops);
  }

  private static void send(Connection connection) throws Exception {
    ArraySlice array = ArraySlice.of(new float[COUNT]);
    for (int i = 0; i < TIMES; i++) {
      var unused = connection.send(array, SendOptions.processed());
    }
  }

  private static void assertMakesFew(Handlers handlers, Asking asking, int most) throws Exception {
    try (Transport answering = transport();
        Transport sending = transport();
        Listener listener =
            answering.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
        Connection connection = sending.connect(listener.address())) {
      long start = System.nanoTime();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < WARM_UP || System.nanoTime() - start < PATIENCE_NANOS; i++) {
        Map<Long, Long> before = ThreadFigures.allocatedBytesOfAll();
        asking.ask(connection);
        Map<Long, Long> after = ThreadFigures.allocatedBytesOfAll();
        long bytes = 0;
        for (Map.Entry<Long, Long> each : after.entrySet()) {
          bytes += each.getValue() - before.getOrDefault(each.getKey(), 0L);
        }
        // A thread that has ended takes with it what it has allocated.
        if (after.keySet().containsAll(before.keySet())) {
          least = Math.min(least, bytes / TIMES);
        }
        if (i >= WARM_UP && least <= most) {
          System.out.printf("a transfer makes %d bytes%n", least);
          return;
        }
      }
      fail("every round made more objects (bytesPerTransfer=%d, most=%d)", least, most);
    }
  }

  private static Transport transport() {
    return NioTransport.create(
        TransportOptions.builder().build(), NioOptions.builder().eventLoops(1).build());
  }

  private static void ask(Connection connection) throws Exception {
    float[] request = new float[COUNT];
    float[] reply = new float[COUNT];
    RequestOptions options = RequestOptions.defaults().target(ArraySlice.of(reply));
    for (int i = 0; i < TIMES; i++) {
      request[0] = i;
      var unused = connection.request(ArraySlice.of(request), options).toCompletableFuture().get();
      assertSame(request, reply);
    }
  }

  private static void assertSame(float[] request, float[] reply) {
    if (request[0] != reply[0]) {
      fail("the reply is not that of the request");
    }
  }
}
