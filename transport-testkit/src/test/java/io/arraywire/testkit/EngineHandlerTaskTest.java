package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.FrameType;
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
        .hasMessageStartingWith("what calls the handler failed (channel=0, cause=")
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

  /** The credit for what the handler wants has to be written before the handler is called. */
  @Test
  void beforeTheHandlerIsCalled() {
    EngineBench bench =
        EngineBench.acceptor(
                EngineBench.options().checksums(Checksums.UNWANTED).inboxBytes(8 << 10))
            .open(EngineBench.offer(new FlowOffer(1, 8 << 10, 8 << 10, 0)));
    bench.holdTasks = true;
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[6000])),
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 2, ArraySlice.of(new byte[10])));
    assertThat(bench.handler.arrays).isEmpty();
    AtomicInteger times = new AtomicInteger();
    failOnce(bench, times);
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.handler.arrays).isEmpty();
    assertThat(bench.frames()).extracting(RawFrame::type).doesNotContain(FrameType.ACK);
    assertLost(bench, times);
  }
}
