package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The task that calls a handler fails itself, outside of the handler: the connection ends, the
 * handler is told why, and what the task had in hand does not count as processed.
 */
class EngineHandlerTaskTest {
  /** A transport that cannot wake its thread, once. */
  private static void failOnce(EngineBench bench, AtomicInteger times) {
    bench.onWake =
        () -> {
          if (times.incrementAndGet() == 1) {
            throw new IllegalStateException("cannot wake");
          }
        };
  }

  private static void assertLost(EngineBench bench, AtomicInteger times) {
    bench.clock.advance(Duration.ofSeconds(1));
    bench.pump();
    bench.end();
    assertThat(times).hasPositiveValue();
    assertThat(bench.handler.closed).isOne();
    assertThat(bench.handler.cause)
        .isInstanceOf(ArraywireException.class)
        .hasMessageStartingWith("the task that calls the handler failed (channel=0, cause=")
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(bench.isEnded()).isTrue();
    bench.assertNothingLeaks();
  }

  @Test
  void afterTheHandlerHasReturned() {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().plain(ElementType.INT).inboxBytes(4096));
    bench.holdTasks = true;
    ByteBuffer array = ByteBuffer.allocate(4 + 2000).putInt(500);
    for (int i = 0; i < 4; i++) {
      bench.feed(array.array());
    }
    assertThat(bench.isPaused()).isTrue();
    AtomicInteger times = new AtomicInteger();
    failOnce(bench, times);
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.handler.arrays).hasSize(1);
    assertLost(bench, times);
  }

  /**
   * Where reading waits for the handler's answer, the task resumes it before the handler is called.
   */
  @Test
  void beforeTheHandlerIsCalled() {
    EngineBench.TargetingRecorder handler = new EngineBench.TargetingRecorder();
    EngineBench bench = EngineBench.acceptor(EngineBench.options().plain(ElementType.INT), handler);
    bench.holdTasks = true;
    bench.feed(ByteBuffer.allocate(4 + 2000).putInt(500).array());
    AtomicInteger times = new AtomicInteger();
    failOnce(bench, times);
    bench.holdTasks = false;
    bench.pump();
    assertThat(handler.arrays).isEmpty();
    assertLost(bench, times);
  }
}
