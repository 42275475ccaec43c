package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Array handlers, and what depends on stages, that the event loop's own thread runs while they are
 * short. {@link LoopHandlersTest} has more for request handlers, which take the same way.
 */
@Tag("alone")
class LoopArraysTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);
  private static final int ARRAYS = 300;

  private final CountDownLatch over = new CountDownLatch(1);
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Whether the next call on a loop's thread is to wait until the end. */
  private final AtomicBoolean blocks = new AtomicBoolean();

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final AtomicInteger onLoop = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  @AfterEach
  void end() throws Exception {
    over.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** The user's code, wherever it is called. */
  private void called() {
    calls.incrementAndGet();
    if (Thread.currentThread().getName().matches("arraywire-nio-\\d+-\\d+")) {
      onLoop.incrementAndGet();
      if (blocks.compareAndSet(true, false)) {
        blocked.countDown();
        try {
          assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    open.push(closeable);
    return closeable;
  }

  private Transport transport() {
    return opened(
        NioTransport.create(
            TransportOptions.defaults(),
            NioOptions.builder()
                .eventLoops(1)
                .waitStrategy(() -> WaitStrategy.adaptive(Duration.ofMillis(1)))
                .build()));
  }

  private Listener listener(ArrayHandler handler) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return opened(transport().listen(anyPort, Handlers.ofArrays(handler)));
  }

  private Connection connected(Listener listener) throws Exception {
    return opened(transport().connect(listener.address()));
  }

  private static CompletableFuture<Receipt> send(Connection connection) {
    return connection
        .sendAsync(ArraySlice.of(new int[4]), SendOptions.processed())
        .toCompletableFuture();
  }

  private static void sendAll(Connection connection) throws Exception {
    for (int i = 0; i < ARRAYS; i++) {
      send(connection).get(60, TimeUnit.SECONDS);
    }
  }

  /** An array after the other, each with something that depends on its stage. */
  private void sendUntil(Connection connection, AtomicInteger counter, int count)
      throws InterruptedException, ExecutionException {
    long start = System.nanoTime();
    while (counter.get() < count && blocked.getCount() > 0) {
      CompletableFuture<Void> dependent = send(connection).thenAccept(receipt -> called());
      while (!dependent.isDone() && blocked.getCount() > 0) {
        assertThat(System.nanoTime() - start).isLessThan(LONG);
        Thread.onSpinWait();
      }
    }
  }

  private void ignores(Connection from, ReceivedArray array) {}

  private void calls(Connection from, ReceivedArray array) {
    called();
  }

  @Test
  void theLoopsThreadHandsOutArrays() throws Exception {
    Connection connection = connected(listener(this::calls));
    long start = System.nanoTime();
    while (onLoop.get() < ARRAYS) {
      assertThat(System.nanoTime() - start).isLessThan(LONG);
      send(connection).get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aHandlerThatBlocksHoldsUpNobodyElse() throws Exception {
    Listener listener = listener(this::calls);
    Connection connection = connected(listener);
    Connection other = connected(listener);
    blocks.set(true);
    CompletableFuture<Receipt> last = send(connection);
    long start = System.nanoTime();
    while (blocked.getCount() > 0) {
      assertThat(System.nanoTime() - start).isLessThan(LONG);
      last = last.isDone() ? send(connection) : last;
    }
    sendAll(other);
    sendAll(connected(listener));
    assertThat(last).isNotDone();
    over.countDown();
    last.get(60, TimeUnit.SECONDS);
    sendAll(connection);
  }

  @Test
  void theLoopsThreadRunsWhatDependsOnStages() throws Exception {
    sendUntil(connected(listener(this::ignores)), onLoop, ARRAYS);
    assertThat(onLoop.get()).isGreaterThanOrEqualTo(ARRAYS);
  }

  @Test
  void aDependentThatBlocksHoldsUpNobodyElse() throws Exception {
    Listener listener = listener(this::ignores);
    Transport asking = transport();
    Connection connection = opened(asking.connect(listener.address()));
    Connection other = opened(asking.connect(listener.address()));
    blocks.set(true);
    sendUntil(connection, onLoop, 1);
    assertThat(blocked.getCount()).isZero();
    // Of the same loop, whose thread another one is now.
    sendAll(other);
    sendAll(connection);
    int before = calls.get();
    sendUntil(other, calls, before + ARRAYS);
    CompletableFuture<Void> dependent = send(other).thenAccept(receipt -> called());
    dependent.get(60, TimeUnit.SECONDS);
  }
}
