package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.frame.FrameType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Memory of arrays that come while the handler that may name their targets is busy. */
class EngineTargetMemoryTest {
  private static final int FRAMES = 10;
  private static final int COUNT = 200_000;
  private static final byte[] ELEMENTS = new byte[FRAMES * COUNT];

  /** Names a target, or none. */
  private static final class Targets extends EngineBench.TargetingRecorder {
    private final boolean any;

    Targets(boolean any) {
      this.any = any;
    }

    @Override
    public @Nullable ArraySlice target(Connection connection, ArrayHeader header) throws Exception {
      return any ? super.target(connection, header) : null;
    }
  }

  private static EngineBench bench(Targets handler) {
    Arrays.fill(ELEMENTS, (byte) 7);
    EngineBench bench =
        EngineBench.acceptor(
                EngineBench.options()
                    .checksums(io.arraywire.Checksums.UNWANTED)
                    .arrivalBytes(1 << 20),
                handler)
            .open();
    bench.holdTasks = true;
    RawFrame first =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(ELEMENTS))
            .with(header -> header.payloadBytes = COUNT)
            .withPayload(Arrays.copyOf(ELEMENTS, COUNT));
    bench.feed(first);
    for (int i = 1; i < FRAMES; i++) {
      if (i == FRAMES - 1) {
        bench.holdTasks = false;
        bench.pump();
      }
      bench.feed(RawFrame.chunk(first, (long) i * COUNT, Arrays.copyOf(ELEMENTS, COUNT)));
    }
    return bench;
  }

  @Test
  void anArrayThatGetsATargetInTheEndIsNotRefusedBefore() throws Exception {
    Targets handler = new Targets(true);
    EngineBench bench = bench(handler);
    assertThat(handler.arrays).hasSize(1);
    assertThat(handler.arrays.get(0).slice().type()).isEqualTo(ElementType.BYTE);
    assertThat((byte[]) handler.arrays.get(0).slice().array()).isEqualTo(ELEMENTS);
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void oneThatGetsNoneIsRefusedThen() throws Exception {
    Targets handler = new Targets(false);
    EngineBench bench = bench(handler);
    assertThat(handler.arrays).isEmpty();
    assertThat(bench.frames()).anyMatch(frame -> frame.type() == FrameType.REJECTED);
    assertThat(bench.connection.isOpen()).isTrue();
  }
}
