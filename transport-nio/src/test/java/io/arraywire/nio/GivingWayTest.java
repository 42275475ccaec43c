package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.spi.HeapMemoryPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An event loop that always has something to do lets others have its processor all the same. */
class GivingWayTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable EventLoop loop;

  /** Never passes time by itself. */
  private static final class Eager implements WaitStrategy {
    final AtomicInteger gaveWay = new AtomicInteger();
    private final long helpNanos;

    Eager(long helpNanos) {
      this.helpNanos = helpNanos;
    }

    @Override
    public void await(Waitable loop, boolean expecting) throws IOException {
      boolean unused = loop.poll();
    }

    @Override
    public long helpNanos() {
      return helpNanos;
    }

    @Override
    public void gaveWay(long nanos) {
      gaveWay.incrementAndGet();
    }
  }

  /** A channel whose bytes nobody takes, so that it is ready in each turn. */
  private static final class AlwaysReady implements LoopChannel {
    final AtomicInteger turns = new AtomicInteger();
    private final EventLoop loop;

    AlwaysReady(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public void ready() {
      turns.incrementAndGet();
      loop.moved(this, 1, true);
    }

    @Override
    public void loopEnds() {}

    @Override
    public boolean awaitsRoom() {
      return false;
    }

    @Override
    public void readNow() {}

    @Override
    public void watched(boolean on) {}
  }

  @AfterEach
  void stop() throws Exception {
    EventLoop last = loop;
    if (last != null) {
      last.stop();
      assertThat(last.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    }
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Starts a loop with channels; returns them. */
  private List<AlwaysReady> start(WaitStrategy strategy, int channels) throws Exception {
    EventLoop made = new EventLoop("junit-loop", strategy, HeapMemoryPool.create());
    loop = made;
    List<AlwaysReady> all = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      Pipe pipe = Pipe.open();
      open.add(pipe.sink());
      open.add(pipe.source());
      pipe.source().configureBlocking(false);
      assertThat(pipe.sink().write(ByteBuffer.allocate(1))).isOne();
      AlwaysReady channel = new AlwaysReady(made);
      all.add(channel);
      SelectionKey unused = pipe.source().register(made.selector(), SelectionKey.OP_READ, channel);
    }
    made.start();
    return all;
  }

  private static void awaitTurns(List<AlwaysReady> channels, int count) {
    for (AlwaysReady each : channels) {
      int before = each.turns.get();
      await().atMost(LONG).until(() -> each.turns.get() > before + count);
    }
  }

  /** Callers that poll for replies would otherwise wait until its time slice is over. */
  @Test
  void whereSeveralChannelsMoveArraysItGivesWayNowAndThen() throws Exception {
    Eager strategy = new Eager(1);
    List<AlwaysReady> channels = start(strategy, 2);
    await().atMost(LONG).until(() -> strategy.gaveWay.get() > 10);
    // But seldom.
    int gave = strategy.gaveWay.get();
    long start = System.nanoTime();
    awaitTurns(channels, 1_000);
    long most = (System.nanoTime() - start) / LoopDriver.KEPT;
    assertThat(strategy.gaveWay.get() - gave).isLessThanOrEqualTo((int) most + 2);
  }

  /** Its own peer waits for nothing else. */
  @Test
  void whereOneChannelMovesArraysItDoesNot() throws Exception {
    Eager strategy = new Eager(1);
    awaitTurns(start(strategy, 1), 10_000);
    assertThat(strategy.gaveWay).hasValue(0);
  }

  /** What gives way waits behind all threads that do not. */
  @Test
  void whereNobodyPollsItDoesNot() throws Exception {
    Eager strategy = new Eager(0);
    awaitTurns(start(strategy, 2), 10_000);
    assertThat(strategy.gaveWay).hasValue(0);
  }
}
