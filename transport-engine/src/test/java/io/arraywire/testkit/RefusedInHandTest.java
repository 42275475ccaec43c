package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An executor takes tasks and says that it refuses them, and one of them has an array in hand. */
class RefusedInHandTest {
  private final AtomicReference<EngineBench> at = new AtomicReference<>();
  private final List<String> calls = new ArrayList<>();

  /** While the array is written, its connection ends because of the executor. */
  private final class Sink implements ArraySink {
    @Override
    public ElementType type() {
      return ElementType.FLOAT;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      return new ElementWriter() {
        @Override
        public void write(long index, int some, ByteBuffer source) {
          source.position(source.limit());
          calls.add("write");
          EngineBench bench = at.get();
          bench.holdTasks = true;
          bench.clock.advance(Duration.ofMillis(1));
          bench.pump();
          bench.end();
          calls.add("ended=" + bench.isEnded());
        }

        @Override
        public void finish() {
          calls.add("finish");
        }

        @Override
        public void close() {}
      };
    }
  }

  @Test
  void theArrayInHandIsNotDropped() {
    Sink sink = new Sink();
    EngineBench.Recorder handler =
        new EngineBench.Recorder() {
          @Override
          Handlers handlers() {
            return super.handlers().withTargets((connection, header) -> sink);
          }

          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            calls.add("onArray");
          }
        };
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED), handler).open();
    at.set(bench);
    bench.holdTasks = true;
    bench.onTask =
        task -> {
          bench.tasks.add(task);
          throw new RejectedExecutionException("for the test");
        };
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[] {1, 2})));
    assertThat(bench.tasks).isNotEmpty();
    bench.tasks.remove().run();
    assertThat(calls).containsExactly("write", "ended=true", "finish", "onArray");
  }
}
