package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.arraywire.spi.HeapMemoryPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What happens with every array makes no objects, neither on the loop nor in the thread that wakes
 * it.
 */
@Tag("alone")
class EventLoopGarbageTest {
  private static final int TIMES = 2_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The JDK looks a channel up by the number of its descriptor, an object if more than 127. */
  private static final int BOXED_NUMBER = 16;

  private @Nullable EventLoop opened;

  static Stream<WaitStrategy> strategies() {
    return Stream.of(
        WaitStrategy.sleeping(),
        WaitStrategy.adaptive(Duration.ofMillis(1)),
        WaitStrategy.busy(),
        (loop, expecting) -> {});
  }

  private EventLoop loop(WaitStrategy strategy) throws IOException {
    EventLoop loop = new EventLoop("junit-loop", strategy, HeapMemoryPool.create());
    opened = loop;
    loop.start();
    return loop;
  }

  @AfterEach
  void stop() throws InterruptedException {
    EventLoop loop = opened;
    if (loop != null) {
      loop.stop();
      assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    }
  }

  /** Asks once more by itself, as a link does that has more to write than its turn allows. */
  private static final class Echo extends LoopWork {
    final EventLoop loop;
    volatile int seen;
    int told;

    Echo(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    void work(int what) {
      if ((what & 1) != 0) {
        loop.ask(this, 2);
      } else {
        seen = told;
      }
    }

    void once(int number) {
      told = number;
      loop.ask(this, 1);
      while (seen != number) {
        Thread.yield();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void wakingItMakesNone(WaitStrategy strategy) throws Exception {
    EventLoop loop = loop(strategy);
    Echo[] works = {new Echo(loop), new Echo(loop)};
    assertMakesNone(loop, 1, () -> wake(works));
  }

  private static void wake(Echo[] works) {
    for (int i = 1; i <= TIMES; i++) {
      for (Echo work : works) {
        work.once(i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void readyChannelsMakeNone(WaitStrategy strategy) throws Exception {
    EventLoop loop = loop(strategy);
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink();
        Pipe.SourceChannel source = pipe.source()) {
      source.configureBlocking(false);
      Counting counting = new Counting(source);
      CompletableFuture<SelectionKey> registered = new CompletableFuture<>();
      loop.execute(() -> {
        try {
          registered.complete(source.register(loop.selector(), SelectionKey.OP_READ, counting));
        } catch (IOException e) {
          registered.completeExceptionally(e);
        }
      });
      registered.get(60, TimeUnit.SECONDS);
      ByteBuffer one = ByteBuffer.allocateDirect(1);
      assertMakesNone(loop, BOXED_NUMBER + 1, () -> write(sink, one, counting));
    }
  }

  private static final class Counting implements ReadyHandler {
    final Pipe.SourceChannel source;
    final ByteBuffer read = ByteBuffer.allocateDirect(8);
    volatile int seen;

    Counting(Pipe.SourceChannel source) {
      this.source = source;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The loop alone writes it.
    public void ready() {
      try {
        seen += source.read(read.clear());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void loopEnds() {}
  }

  private static void write(Pipe.SinkChannel sink, ByteBuffer one, Counting counting)
      throws IOException {
    for (int i = 0; i < TIMES; i++) {
      int before = counting.seen;
      sink.write(one.clear());
      while (counting.seen == before) {
        Thread.yield();
      }
    }
  }

  private interface Round {
    void run() throws Exception;
  }

  /**
   * There must be one round without garbage: what each wake-up makes, each round makes. A JVM that
   * is not warm yet, or gives up code that it has compiled, makes something now and then.
   */
  private static void assertMakesNone(EventLoop loop, int mostPerTime, Round round)
      throws Exception {
    long onLoop = 0;
    long here = 0;
    long start = System.nanoTime();
    for (int i = 0; i < 2 || System.nanoTime() - start < PATIENCE_NANOS; i++) {
      long loopBefore = allocatedBy(loop);
      long before = ThreadFigures.allocatedBytes();
      round.run();
      here = ThreadFigures.allocatedBytes() - before;
      onLoop = allocatedBy(loop) - loopBefore;
      if (i > 0 && here < TIMES && onLoop < (long) mostPerTime * TIMES) {
        return;
      }
    }
    fail("every round made objects (bytesOnLoop=%d, bytesHere=%d, times=%d)", onLoop, here, TIMES);
  }

  private static long allocatedBy(EventLoop loop) throws Exception {
    CompletableFuture<Long> bytes = new CompletableFuture<>();
    loop.execute(() -> bytes.complete(ThreadFigures.allocatedBytes()));
    return bytes.get(60, TimeUnit.SECONDS);
  }
}
