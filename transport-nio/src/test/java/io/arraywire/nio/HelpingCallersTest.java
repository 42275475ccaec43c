package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TrackingMemoryPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiting callers run the event loop themselves, where the wait strategy says so. */
@Tag("alone")
class HelpingCallersTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final TrackingMemoryPool pool = TrackingMemoryPool.around(new NettyMemoryPool());
  private final Set<Thread> moving = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger stages = new AtomicInteger();
  private @Nullable SelectorTransport opened;

  @AfterEach
  void nothingIsLeft() {
    if (opened != null) {
      opened.close();
    }
    pool.close();
    threads.shutdownNow();
  }

  private SelectorTransport transport(Supplier<WaitStrategy> strategy) {
    SelectorTransport made =
        new SelectorTransport(
            TransportOptions.builder()
                .memoryPool(pool)
                .handlerExecutor(this::completeStages)
                .build(),
            NioOptions.builder().eventLoops(2).waitStrategy(strategy).build(),
            channel -> noting(SocketIo.of(channel)));
    opened = made;
    return made;
  }

  private void completeStages(Runnable task) {
    stages.incrementAndGet();
    threads.execute(task);
  }

  /** Notes which threads move bytes. */
  private SocketIo noting(SocketIo io) {
    return new StagedIo(io) {
      @Override
      public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        moving.add(Thread.currentThread());
        return io.read(targets, offset, length);
      }

      @Override
      public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        moving.add(Thread.currentThread());
        return io.write(sources, offset, length);
      }
    };
  }

  /** What somebody does with a connection. */
  @FunctionalInterface
  private interface Caller {
    /**
     * Does it.
     *
     * @param out the connection, whose far end sends back what comes
     * @param echo the thread that does so
     */
    void call(Connection out, Thread echo) throws Exception;
  }

  private void besideAnEcho(Supplier<WaitStrategy> strategy, Caller caller) throws Exception {
    SelectorTransport transport = transport(strategy);
    try (Listener listener = transport.listen(anyPort());
        Connection out = transport.connect(listener.address());
        Connection in = listener.accept()) {
      CountDownLatch over = new CountDownLatch(1);
      caller.call(out, echo(in, over));
      out.send(new int[0]);
      assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Thread echo(Connection in, CountDownLatch over) {
    Thread echo =
        new Thread(() -> {
          try {
            for (int[] array = in.receive().ints(); array.length > 0; array = in.receive().ints()) {
              in.send(array);
            }
            over.countDown();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    echo.start();
    return echo;
  }

  @Test
  void aWaitingCallerMovesTheBytes() throws Exception {
    // So long that a caller never gives up, whatever else the machine does.
    besideAnEcho(
        () -> WaitStrategy.adaptive(LONG),
        (out, echo) -> {
          await()
              .atMost(LONG)
              .until(() -> {
                out.send(new int[] {1});
                out.receive();
                return moving.contains(Thread.currentThread()) && moving.contains(echo);
              });
        });
  }

  /**
   * To wake a thread costs more than a small array, and takes a processor from the thread that
   * answers it.
   */
  @Test
  void aCallerThatIsAnsweredInTimeWakesNobody() throws Exception {
    besideAnEcho(
        () -> WaitStrategy.adaptive(LONG),
        (out, unused) -> {
          exchange(out, 10_000);
          long waitsBefore = waitsOfLoops();
          long start = System.nanoTime();
          exchange(out, 20_000);
          long passed = System.nanoTime() - start;
          long waits = waitsOfLoops() - waitsBefore;
          // Two threads, each of which rests for 200 microseconds or more unless somebody wakes it.
          long rests = 2 * TimeUnit.NANOSECONDS.toMicros(passed) / 200;
          assertThat(waits).as("waits in %d ns", passed).isLessThan(rests + 1000);
        });
  }

  /**
   * What a caller looks at by itself is not to cost its peer the selector's share of each packet.
   */
  @Test
  void whatACallerLooksAtTheSelectorDoesNotWatch() throws Exception {
    besideAnEcho(
        () -> WaitStrategy.adaptive(LONG),
        (out, unused) -> {
          for (int i = 0; i < 3; i++) {
            await()
                .atMost(LONG)
                .until(() -> {
                  exchange(out, 100);
                  return interests().contains(0);
                });
            // Nobody calls any more but the echo, and that has given up soon.
            await()
                .atMost(LONG)
                .untilAsserted(() ->
                    assertThat(interests())
                        .containsExactly(SelectionKey.OP_READ, SelectionKey.OP_READ));
          }
        });
  }

  /** What the selectors watch each end of each connection for. */
  private List<Integer> interests() {
    SelectorTransport transport = Objects.requireNonNull(opened);
    return Stream.of(transport.anyLoop(), transport.anyLoop())
        .flatMap(loop -> loop.selector().keys().stream())
        .filter(key -> key.attachment() instanceof NioLink)
        .map(SelectionKey::interestOps)
        .toList();
  }

  /** Which of both completes a stage depends on which is first, so there must be one such array. */
  @Test
  void aCallerThatWaitsForAStageMovesTheBytesAndNeedsNoOther() throws Exception {
    besideAnEcho(
        () -> WaitStrategy.adaptive(LONG),
        (out, unused) -> {
          await()
              .atMost(LONG)
              .until(() -> {
                int before = stages.get();
                out.sendAsync(ArraySlice.of(new int[] {1}), SendOptions.processed())
                    .toCompletableFuture()
                    .join();
                boolean alone = stages.get() == before;
                out.receive();
                return alone && moving.contains(Thread.currentThread());
              });
        });
  }

  private static void exchange(Connection out, int arrays) throws Exception {
    int[] target = new int[1];
    for (int i = 0; i < arrays; i++) {
      out.send(new int[] {i});
      out.receiveInto(ArraySlice.of(target));
      assertThat(target[0]).isEqualTo(i);
    }
  }

  /** How often threads of event loops have waited. */
  private static long waitsOfLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().contains("arraywire-nio-"))
        .mapToLong(ThreadFigures::waits)
        .sum();
  }

  @Test
  void nobodyButTheLoopMovesThemWhereCallersSleepAtOnce() throws Exception {
    besideAnEcho(
        () -> WaitStrategy.sleeping(),
        (out, unused) -> {
          for (int i = 0; i < 200; i++) {
            out.send(new int[] {i});
            assertThat(out.receive().ints()).containsExactly(i);
          }
        });
    assertThat(moving).isNotEmpty().allMatch(thread -> thread.getName().contains("arraywire-nio-"));
  }

  /** The thread of the loop goes on with what a caller leaves, also for others. */
  @Test
  void whatACallerLeavesTheLoopGoesOnWith() throws Exception {
    SelectorTransport transport = transport(() -> WaitStrategy.adaptive(Duration.ofNanos(50_000)));
    try (Listener listener = transport.listen(anyPort());
        Connection out = transport.connect(listener.address());
        Connection in = listener.accept()) {
      for (int i = 0; i < 300; i++) {
        int number = i;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread receiver =
            new Thread(() -> {
              try {
                assertThat(in.receive().ints()).containsExactly(number);
              } catch (Exception | AssertionError e) {
                failure.set(e);
              }
            });
        receiver.start();
        if (i % 3 == 0) {
          // The receiver has given up helping by then.
          TimeUnit.MILLISECONDS.sleep(1);
        }
        out.send(new int[] {i});
        receiver.join(LONG.toMillis());
        assertThat(receiver.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
      }
    }
  }

  /** One loop: what goes over one connection must not keep a caller of the other at it. */
  @Test
  void aCallerKeepsItsTimeoutWhateverElseMoves() throws Exception {
    SelectorTransport transport =
        new SelectorTransport(
            TransportOptions.builder()
                .memoryPool(pool)
                .inboxBytes(4 << 10)
                .connectionInboxBytes(4 << 10)
                .sendTimeout(Duration.ofMillis(300))
                .build(),
            NioOptions.builder()
                .eventLoops(1)
                .waitStrategy(() -> WaitStrategy.adaptive(LONG))
                .build(),
            SocketIo::of);
    opened = transport;
    AtomicLong taken = new AtomicLong();
    CountDownLatch ended = new CountDownLatch(1);
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) {
            taken.incrementAndGet();
          }

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            ended.countDown();
          }
        };
    try (Listener listener = transport.listen(anyPort());
        Connection out = transport.connect(listener.address());
        Connection idle = listener.accept();
        Listener other = transport.listen(anyPort(), handler);
        Connection streaming = transport.connect(other.address())) {
      AtomicBoolean over = new AtomicBoolean();
      // By calls that wait for nothing, so that the other connection's caller has the loop.
      Thread sender =
          new Thread(() -> {
            try {
              ArraySlice array = ArraySlice.of(new int[500]);
              while (!over.get()) {
                if (streaming.offer(array, SendOptions.handedOff()) != OfferStatus.ACCEPTED) {
                  Thread.onSpinWait();
                }
              }
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      sender.start();
      await().atMost(LONG).until(() -> taken.get() > 0);
      // Offered, so that it stays: a stage would fail as the send below does.
      assertThat(out.offer(ArraySlice.of(new int[100_000]))).isEqualTo(OfferStatus.ACCEPTED);
      // Nobody takes the first, so the second cannot begin.
      assertThatThrownBy(() -> out.send(new int[10]))
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.SEND_TIMEOUT::isOf);
      over.set(true);
      sender.join(LONG.toMillis());
      assertThat(sender.isAlive()).isFalse();
      assertThat(idle.receive().ints()).hasSize(100_000);
      // What still waits there is much, and nobody wants it.
      streaming.closeNow();
      // Or the listener would close while a connection of its breaks, which it complains of.
      assertThat(ended.await(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }
  }

  @Test
  void closingEndsALoopThatACallerRuns() throws Exception {
    SelectorTransport transport = transport(() -> WaitStrategy.adaptive(LONG));
    Listener listener = transport.listen(anyPort());
    Connection out = transport.connect(listener.address());
    Connection in = listener.accept();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread receiver =
        new Thread(() -> {
          try {
            while (true) {
              in.receive();
            }
          } catch (Exception e) {
            failure.set(e);
          }
        });
    receiver.start();
    await()
        .atMost(LONG)
        .until(() -> {
          out.send(new int[] {1});
          return moving.contains(receiver);
        });
    transport.close();
    receiver.join(LONG.toMillis());
    assertThat(receiver.isAlive()).isFalse();
    // Both ends are of this transport: one may see the other's end before it is closed itself.
    assertThat(failure.get())
        .matches(each ->
            ErrorCode.CONNECTION_CLOSED.isOf(each) || ErrorCode.CONNECTION_RESET.isOf(each));
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
