package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RequestOptions;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that threads make at the same time, each of which waits for its reply. */
@Tag("alone")
class ConcurrentRequestsTest {
  private static final int THREADS = 8;
  private static final int REQUESTS = 500;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  /** Write operations of the end that asks. */
  private final AtomicLong writes = new AtomicLong();

  /** Polls and lets others have the processor, however long nothing comes. */
  private static final class Yielding implements WaitStrategy {
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // A hint is enough.
    public void await(Waitable loop, boolean expecting) throws IOException {
      if (!loop.poll()) {
        Thread.yield();
      }
    }

    @Override
    public long helpNanos() {
      return PATIENCE_NANOS;
    }
  }

  static Stream<Supplier<WaitStrategy>> strategies() {
    return Stream.of(
        WaitStrategy::sleeping,
        () -> WaitStrategy.adaptive(Duration.ofMillis(1)),
        () -> WaitStrategy.adaptive(Duration.ofNanos(1)),
        Yielding::new);
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** What is done with the connections of {@link #connected}. */
  private interface Use {
    void of(List<Connection> connections) throws Exception;
  }

  private void connected(Supplier<WaitStrategy> strategy, int connections, Use use)
      throws Exception {
    NioOptions nio = NioOptions.builder().eventLoops(1).waitStrategy(strategy).build();
    TransportOptions options = TransportOptions.builder().stagesOnLoop(true).build();
    try (SelectorTransport answering = new SelectorTransport(options, nio, SocketIo::of);
        SelectorTransport asking =
            new SelectorTransport(options, nio, channel -> counting(SocketIo.of(channel)));
        Listener listener =
            answering.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Handlers.ofRequests((connection, request, reply) -> reply.send(request.ints()))
                    .onLoop())) {
      List<Connection> open = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        open.add(asking.connect(listener.address()));
      }
      use.of(open);
    }
  }

  private SocketIo counting(SocketIo io) {
    return new StagedIo(io) {
      @Override
      public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        writes.incrementAndGet();
        return io.write(sources, offset, length);
      }
    };
  }

  /** Makes requests one after the other; returns how often the thread has waited meanwhile. */
  private static long ask(Connection connection, int number) throws Exception {
    int[] request = new int[128];
    int[] reply = new int[128];
    long before = ThreadFigures.waits(Thread.currentThread());
    for (int i = 0; i < REQUESTS; i++) {
      request[0] = number * REQUESTS + i;
      var unused =
          connection
              .request(
                  ArraySlice.of(request), RequestOptions.defaults().target(ArraySlice.of(reply)))
              .toCompletableFuture()
              .get();
      assertThat(reply).isEqualTo(request);
    }
    return ThreadFigures.waits(Thread.currentThread()) - before;
  }

  /** Has all threads ask; returns how often they have waited, all together. */
  private long askAll(List<Connection> connections) throws Exception {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      tasks.add(() -> ask(connections.get(number % connections.size()), number));
    }
    long waits = 0;
    for (Future<Long> each : threads.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
      waits += each.get();
    }
    return waits;
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void eachHasItsOwnReplyOverOneConnection(Supplier<WaitStrategy> strategy) throws Exception {
    connected(strategy, 1, this::askAll);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void eachHasItsOwnReplyOverConnectionsOfOneLoop(Supplier<WaitStrategy> strategy)
      throws Exception {
    connected(strategy, THREADS, this::askAll);
  }

  /** To sleep and be woken takes longer than all else about a small request. */
  @Test
  void aCallerThatIsAnsweredInTimeSleepsForFewOfThem() throws Exception {
    connected(Yielding::new, 1, this::assertFewWaits);
    connected(Yielding::new, THREADS, this::assertFewWaits);
  }

  private void assertFewWaits(List<Connection> connections) throws Exception {
    long most = (long) THREADS * REQUESTS / 4;
    assertSometimes(most, "waits", () -> askAll(connections));
  }

  /** Nobody waits for the acknowledgement of a reply, so it needs no write of its own. */
  @Test
  void theAcknowledgementOfAReplyRidesAlongWithTheNextRequest() throws Exception {
    connected(
        Yielding::new,
        1,
        connections ->
            assertSometimes(
                REQUESTS + REQUESTS / 4,
                "writes",
                () -> {
                  long before = writes.get();
                  var unused = ask(connections.get(0), 0);
                  return writes.get() - before;
                }));
  }

  /** There must be one round with so few: now and then the machine is busy with others. */
  private static void assertSometimes(long most, String what, Callable<Long> round)
      throws Exception {
    long start = System.nanoTime();
    long count;
    do {
      count = round.call();
      if (count <= most) {
        return;
      }
    } while (System.nanoTime() - start < PATIENCE_NANOS);
    fail("every round had more (%s=%d, most=%d)", what, count, most);
  }
}
