package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.spi.HeapMemoryPool;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventLoopTest {
  static Stream<WaitStrategy> strategies() {
    return Stream.of(
        WaitStrategy.sleeping(),
        WaitStrategy.adaptive(Duration.ofMillis(1)),
        WaitStrategy.busy(),
        (loop, expecting) -> {});
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void whatIsReadyHasItsTurnHoweverLongOthersGoOn(WaitStrategy strategy) throws Exception {
    EventLoop loop = new EventLoop("junit-loop", strategy, HeapMemoryPool.create());
    Pipe pipe = Pipe.open();
    CompletableFuture<Void> seen = new CompletableFuture<>();
    LoopWork goesOn =
        new LoopWork() {
          @Override
          void work(int what) {
            loop.ask(this, what);
          }
        };
    loop.start();
    try {
      loop.ask(goesOn, 1);
      pipe.source().configureBlocking(false);
      pipe.sink().write(ByteBuffer.allocate(1));
      loop.execute(() -> {
        try {
          pipe.source()
              .register(
                  loop.selector(),
                  SelectionKey.OP_READ,
                  new ReadyHandler() {
                    @Override
                    public void ready() {
                      seen.complete(null);
                    }

                    @Override
                    public void loopEnds() {}
                  });
        } catch (Exception e) {
          seen.completeExceptionally(e);
        }
      });
      assertThat(seen).succeedsWithin(60, TimeUnit.SECONDS);
    } finally {
      loop.stop();
      assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
      pipe.sink().close();
      pipe.source().close();
    }
  }

  /**
   * While callers run the loop, its thread leaves it to them; then nobody may be woken for work.
   */
  @ParameterizedTest
  @MethodSource("strategies")
  void whatIsInNoHurryIsDoneWhenCallersNoLongerCome(WaitStrategy strategy) throws Exception {
    EventLoop loop = new EventLoop("junit-loop", strategy, HeapMemoryPool.create());
    loop.start();
    try {
      for (int i = 0; i < 1000; i++) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (loop.driver().beginHelp()) {
          loop.driver().endHelp(CompletableFuture.completedFuture(null));
        }
        loop.askSoon(completing(done), 1);
        if (i % 2 == 1) {
          // In a hurry, and merged with what is not, or before it.
          CompletableFuture<Void> urgent = new CompletableFuture<>();
          LoopWork work = completing(urgent);
          loop.askSoon(work, 1);
          loop.ask(work, 1);
          urgent.get(60, TimeUnit.SECONDS);
        }
        done.get(60, TimeUnit.SECONDS);
      }
    } finally {
      loop.stop();
      assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    }
  }

  private static LoopWork completing(CompletableFuture<Void> done) {
    return new LoopWork() {
      @Override
      void work(int what) {
        done.complete(null);
      }
    };
  }
}
