package io.arraywire.stream;

import static io.arraywire.stream.BlockingTransportTest.failure;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.stream.Fixture.Kind;
import io.arraywire.stream.Fixture.Pair;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Callers that wait move the bytes themselves, and leave the socket to its threads when they go.
 */
class LendingTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Noting noting = new Noting();
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void endCallers() {
    callers.shutdownNow();
  }

  /** The system's sockets, which note who uses them and how. */
  private static final class Noting implements Sockets {
    private final Sockets sockets = Sockets.system();
    private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
    private final Set<Thread> writers = ConcurrentHashMap.newKeySet();
    private final AtomicLong byThreads = new AtomicLong();
    private final AtomicInteger lent = new AtomicInteger();

    /** What a write takes at most. */
    private volatile int mostPerWrite = Integer.MAX_VALUE;

    @Override
    public StreamSocket unconnected(SocketAddress address) throws IOException {
      return new Noted(sockets.unconnected(address));
    }

    @Override
    public ServerEnd listen(SocketAddress address) throws IOException {
      ServerEnd server = sockets.listen(address);
      return new ServerEnd() {
        @Override
        public StreamSocket accept() throws IOException {
          return new Noted(server.accept());
        }

        @Override
        public SocketAddress address() {
          return server.address();
        }

        @Override
        public void close() {
          server.close();
        }
      };
    }

    private void note(Set<Thread> threads) {
      Thread thread = Thread.currentThread();
      threads.add(thread);
      if (thread.getName().startsWith("arraywire-stream-")) {
        byThreads.incrementAndGet();
      }
    }

    private final class Noted implements StreamSocket {
      private final StreamSocket socket;

      /** A thread that blocks must be one of the transport: an interrupt would close the socket. */
      private volatile boolean blocks = true;

      Noted(StreamSocket socket) {
        this.socket = socket;
      }

      private void check() {
        assertThat(!blocks || Thread.currentThread().getName().startsWith("arraywire-stream-"))
            .as("a caller blocks in the socket")
            .isTrue();
      }

      @Override
      public int read(ByteBuffer into) throws IOException {
        check();
        int count = socket.read(into);
        note(readers);
        return count;
      }

      @Override
      public int write(ByteBuffer from) throws IOException {
        check();
        int limit = from.limit();
        from.limit(from.position() + Math.min(from.remaining(), mostPerWrite));
        try {
          int count = socket.write(from);
          note(writers);
          return count;
        } finally {
          from.limit(limit);
        }
      }

      @Override
      public void setBlocking(boolean on) throws IOException {
        socket.setBlocking(on);
        blocks = on;
        lent.addAndGet(on ? -1 : 1);
      }

      @Override
      public SelectionKey register(Selector selector) throws IOException {
        return socket.register(selector);
      }

      @Override
      public void setBuffers(TransportOptions options) throws IOException {
        socket.setBuffers(options);
      }

      @Override
      public void connect(SocketAddress address) throws IOException {
        socket.connect(address);
      }

      @Override
      public void endOutput() throws IOException {
        socket.endOutput();
      }

      @Override
      public SocketAddress localAddress() {
        return socket.localAddress();
      }

      @Override
      public SocketAddress remoteAddress() {
        return socket.remoteAddress();
      }

      @Override
      public void reset() {
        socket.reset();
      }

      @Override
      public void close() {
        socket.close();
      }
    }
  }

  private Pair pair(Fixture fixture, Kind kind, UnaryOperator<TransportOptions.Builder> options)
      throws Exception {
    Transport transport = fixture.transport(options, noting, kind.threads());
    return fixture.pair(transport);
  }

  /** Sends each array back, until an empty one comes. */
  private Future<@Nullable Void> echo(Connection in) {
    return callers.submit(() -> {
      for (int[] array = in.receive().ints(); array.length > 0; array = in.receive().ints()) {
        in.send(array);
      }
      return null;
    });
  }

  private static void exchange(Connection out, int arrays) throws Exception {
    int[] target = new int[1];
    for (int i = 0; i < arrays; i++) {
      out.send(new int[] {i}, SendOptions.processed());
      out.receiveInto(ArraySlice.of(target));
      assertThat(target[0]).isEqualTo(i);
    }
  }

  /** Until both ends are lent to this thread and to the echo. */
  private void exchangeUntilLent(Connection out) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    do {
      assertThat(System.nanoTime()).as("lent in time").isLessThan(end);
      exchange(out, 100);
    } while (noting.lent.get() < 2);
  }

  @ParameterizedTest
  @EnumSource
  void aWaitingCallerMovesTheBytes(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = pair(fixture, kind, o -> o);
      Future<?> echo = echo(pair.in());
      AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
      callers
          .submit(() -> {
            caller.set(Thread.currentThread());
            exchangeUntilLent(pair.out());
            noting.readers.clear();
            noting.writers.clear();
            noting.byThreads.set(0);
            exchange(pair.out(), 5_000);
            pair.out().send(new int[0]);
            return null;
          })
          .get(60, SECONDS);
      echo.get(60, SECONDS);
      assertThat(noting.readers).contains(caller.get());
      assertThat(noting.writers).contains(caller.get());
      // 20,000 reads and as many writes; threads look now and then.
      assertThat(noting.byThreads.get()).isLessThan(10_000);
    }
  }

  /** Bytes that come when the callers have gone are read by the thread, and answered. */
  @ParameterizedTest
  @EnumSource
  void whatCallersLeaveTheThreadsGoOnWith(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = pair(fixture, kind, o -> o);
      Future<?> echo = echo(pair.in());
      for (int i = 0; i < 20; i++) {
        exchangeUntilLent(pair.out());
        if (i % 2 == 0) {
          // Nobody waits for these two: threads write, read and acknowledge them.
          Future<Receipt> sent =
              pair.out()
                  .sendAsync(ArraySlice.of(new int[] {i}), SendOptions.processed())
                  .toCompletableFuture();
          await().atMost(LONG).until(() -> pair.out().describe().contains("waitingArrays=1"));
          assertThat(sent).succeedsWithin(Duration.ofSeconds(20));
          assertThat(pair.out().receive().ints()).containsExactly(i);
        } else {
          await().atMost(LONG).until(() -> noting.lent.get() == 0);
        }
      }
      pair.out().send(new int[0]);
      echo.get(20, SECONDS);
    }
  }

  /** A connection that is at rest has no selector, and its threads block in the socket. */
  @ParameterizedTest
  @EnumSource
  void atRestNothingIsLeftOfIt(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = pair(fixture, kind, o -> o);
      Future<?> echo = echo(pair.in());
      int before = Descriptors.selectors();
      exchangeUntilLent(pair.out());
      await().atMost(LONG).until(() -> noting.lent.get() == 0);
      assertThat(Descriptors.selectors()).isLessThanOrEqualTo(before);
      fixture.awaitIdle();
      long operations = noting.byThreads.get();
      TimeUnit.MILLISECONDS.sleep(100);
      assertThat(noting.byThreads.get()).isEqualTo(operations);
      pair.out().send(new int[0]);
      echo.get(20, SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedCallerLeavesTheConnectionAsItWas(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = pair(fixture, kind, o -> o);
      Future<?> echo = echo(pair.in());
      for (int i = 0; i < 30; i++) {
        CountDownLatch waits = new CountDownLatch(1);
        AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
        CompletableFuture<Throwable> receiver =
            failure(() -> {
              caller.set(Thread.currentThread());
              exchangeUntilLent(pair.out());
              waits.countDown();
              return pair.out().receive();
            });
        assertThat(waits.await(60, SECONDS)).isTrue();
        if (i % 3 > 0) {
          TimeUnit.MILLISECONDS.sleep(i % 3 == 1 ? 1 : 8);
        }
        Objects.requireNonNull(caller.get()).interrupt();
        assertThat(receiver.get(20, SECONDS)).isInstanceOf(InterruptedException.class);
      }
      pair.out().send(new int[0]);
      echo.get(20, SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallerKeepsItsTimeout(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = pair(fixture, kind, o -> o.inboxBytes(64 << 10).connectionInboxBytes(64 << 10));
      Future<?> echo = echo(pair.in());
      exchangeUntilLent(pair.out());
      for (int millis : new int[] {1, 3, 20}) {
        long start = System.nanoTime();
        ReceivedArray none = pair.out().receive(Duration.ofMillis(millis));
        assertThat(none).isNull();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 500));
        exchangeUntilLent(pair.out());
      }
      pair.out().send(new int[0]);
      echo.get(20, SECONDS);
      // Nobody receives any more: the rest has to wait, and then there is no room for the next.
      long start = System.nanoTime();
      assertThatThrownBy(
              () -> {
                while (true) {
                  pair.out()
                      .send(
                          new int[1 << 20],
                          SendOptions.handedOff().timeout(Duration.ofMillis(300)));
                }
              })
          .isInstanceOf(TimedOutException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }
  }

  /** Each from one thread: if they blocked while they write, nobody would read. */
  @ParameterizedTest
  @EnumSource
  void twoCallersSendLargeArraysToEachOther(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair =
          pair(fixture, kind, o -> o.sendBufferBytes(64 << 10).receiveBufferBytes(64 << 10));
      Future<?> echo = echo(pair.in());
      exchangeUntilLent(pair.out());
      pair.out().send(new int[0]);
      echo.get(20, SECONDS);
      int[] large = new int[200_000];
      for (int round = 0; round < 10; round++) {
        large[7] = round;
        List<Future<int[]>> both = new ArrayList<>();
        for (Connection each : List.of(pair.out(), pair.in())) {
          both.add(
              callers.submit(() -> {
                int[] came = {};
                for (int i = 0; i < 4; i++) {
                  each.send(large);
                  came = each.receive().ints();
                }
                return came;
              }));
        }
        for (Future<int[]> each : both) {
          assertThat(each.get(60, SECONDS)).isEqualTo(large);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingEndsACallerThatReads(Kind kind) throws Exception {
    int sockets = Descriptors.sockets();
    int selectors = Descriptors.selectors();
    for (int i = 0; i < 10; i++) {
      try (Fixture fixture = new Fixture(kind)) {
        Pair pair = pair(fixture, kind, o -> o);
        Future<?> echo = echo(pair.in());
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Throwable> receiver =
            failure(() -> {
              exchangeUntilLent(pair.out());
              waits.countDown();
              return pair.out().receive();
            });
        assertThat(waits.await(60, SECONDS)).isTrue();
        if (i % 2 == 0) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        pair.out().closeNow();
        assertThat(receiver.get(20, SECONDS)).isInstanceOf(ConnectionClosedException.class);
        assertThat(echo).failsWithin(Duration.ofSeconds(20));
        pair.in().closeNow();
        noting.lent.set(0);
      }
    }
    await()
        .atMost(LONG)
        .until(() -> Descriptors.sockets() <= sockets && Descriptors.selectors() <= selectors + 4);
  }

  /** All that a program may do with one connection, at once, with sockets that take little. */
  @ParameterizedTest
  @EnumSource
  void nothingIsLostWhereEverythingHappensAtOnce(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair =
          pair(fixture, kind, o -> o.sendBufferBytes(32 << 10).receiveBufferBytes(32 << 10));
      noting.mostPerWrite = 5_000;
      AtomicBoolean over = new AtomicBoolean();
      List<Future<Long>> ends = new ArrayList<>();
      // Nightly for longer.
      long millis = Boolean.getBoolean("arraywire.test.thorough") ? 4000 : 1000;
      long end = System.nanoTime() + MILLISECONDS.toNanos(millis);
      for (Connection each : List.of(pair.out(), pair.in())) {
        for (int i = 0; i < 2; i++) {
          int number = i;
          ends.add(callers.submit(() -> send(each, number, end)));
        }
        ends.add(callers.submit(() -> receive(each, over)));
      }
      long sent = 0;
      for (int i : new int[] {0, 1, 3, 4}) {
        sent += ends.get(i).get(60, SECONDS);
      }
      over.set(true);
      long received = ends.get(2).get(60, SECONDS) + ends.get(5).get(60, SECONDS);
      assertThat(received).isEqualTo(sent);
    }
  }

  /** In bursts, each way of sending, small and large; returns how many. */
  private static long send(Connection out, int number, long end) throws Exception {
    SeededChoice choice = new SeededChoice(number);
    long sent = 0;
    while (System.nanoTime() < end) {
      int burst = choice.below(50);
      for (int i = 0; i < burst; i++, sent++) {
        int[] array = new int[choice.below(20) == 0 ? 30_000 : 10];
        switch (choice.below(3)) {
          case 0 -> out.send(array, SendOptions.processed());
          case 1 -> out.send(array);
          default ->
              out.sendAsync(ArraySlice.of(array), SendOptions.processed())
                  .toCompletableFuture()
                  .get(20, SECONDS);
        }
      }
      if (choice.below(3) == 0) {
        TimeUnit.MICROSECONDS.sleep(choice.below(6_000));
      }
    }
    return sent;
  }

  private static long receive(Connection in, AtomicBoolean over) throws Exception {
    long received = 0;
    while (true) {
      boolean last = over.get();
      ReceivedArray array = in.receive(Duration.ofMillis(50));
      if (array != null) {
        received++;
      } else if (last) {
        return received;
      }
    }
  }

  /** Choices that are the same in each run. */
  private static final class SeededChoice {
    private final Random random;

    SeededChoice(int seed) {
      random = new Random(seed);
    }

    int below(int bound) {
      return random.nextInt(bound);
    }
  }

  /** Before the calls follow each other nobody but the threads moves bytes. */
  @Test
  void aFirstCallIsServedByTheThreads() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP_PLATFORM_THREADS)) {
      Pair pair = pair(fixture, Kind.TCP_PLATFORM_THREADS, o -> o);
      for (int i = 0; i < 3; i++) {
        Future<Receipt> sent =
            callers.submit(() -> pair.out().send(new int[] {1}, SendOptions.processed()));
        pair.in().receive();
        sent.get(20, SECONDS);
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertThat(noting.readers).allMatch(each -> each.getName().contains("stream-read"));
      assertThat(noting.writers).allMatch(each -> each.getName().contains("stream-write"));
    }
  }
}
