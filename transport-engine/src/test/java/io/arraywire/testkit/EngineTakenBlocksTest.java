package io.arraywire.testkit;

import static io.arraywire.testkit.BlockFrames.HEAD;
import static io.arraywire.testkit.BlockFrames.LOOK;
import static io.arraywire.testkit.BlockFrames.array;
import static io.arraywire.testkit.BlockFrames.block;
import static io.arraywire.testkit.BlockFrames.options;
import static io.arraywire.testkit.BlockFrames.receiver;
import static io.arraywire.testkit.BlockFrames.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** How the engine takes arrays that come in blocks. */
class EngineTakenBlocksTest {
  @Test
  void aFrameMayHoldSeveralBlocks() {
    EngineBench bench = receiver();
    bench.feed(array(800, run(300, 1), block(2, true, 2, (byte) 5, (byte) 6), run(498, 2)));
    assertThat(bench.handler.arrays).hasSize(1);
    byte[] taken = bench.handler.arrays.get(0).bytes();
    assertThat(Arrays.copyOfRange(taken, 298, 304)).containsExactly(1, 1, 5, 6, 2, 2);
    assertThat(taken).hasSize(800);
    assertThat(bench.handler.arrays.get(0).receipt().wireBytes())
        .isEqualTo(FrameLayout.HEADER_BYTES + 3 * HEAD + 4 + 2 + 4);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @Test
  void chunksSayHowManyElementsCameBeforeThem() {
    EngineBench bench = receiver();
    RawFrame first = array(1200, run(700, 1)).with(header -> header.arrayBytes = 1200);
    bench.feed(first, RawFrame.chunk(first, 700, run(500, 2)));
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).bytes()[700]).isEqualTo((byte) 2);
    EngineBench other = receiver();
    RawFrame again = array(1200, run(700, 1)).with(header -> header.arrayBytes = 1200);
    other.feed(again, RawFrame.chunk(again, 12, run(500, 2)));
    assertThat(other.error(ErrorCode.SEQUENCE_GAP)).contains("expectedElement=700");
  }

  @Test
  void anArrayThatIsWithdrawnLeavesNothing() {
    EngineBench bench = receiver();
    bench.feed(
        array(1200, run(700, 1)).with(header -> header.arrayBytes = 1200),
        RawFrame.control(FrameType.ABORT, 1),
        array(600, run(600, 3)).with(header -> header.sequence = 2));
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).bytes()[0]).isEqualTo((byte) 3);
  }

  /** One that is dropped is not decoded, and not even looked at. */
  @Test
  void whatNobodyWantsIsNotDecoded() {
    EngineBench bench = receiver();
    bench.core.beginClose();
    bench.pump();
    bench.feed(array(4000, run(4000, 1)));
    assertThat(bench.frames()).isNotEmpty();
  }

  /** Feeds some bytes at each look, and a heartbeat where that may stand. */
  private static void feedSlowly(EngineBench bench, byte[] frame, int portion) {
    for (int at = 0; at < frame.length && bench.connection.isOpen(); at += portion) {
      bench.feed(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + portion)));
      bench.clock.advance(LOOK);
      bench.pump();
    }
  }

  /** 400 bytes a second: 64 KiB of them take longer than stallTimeout. */
  @Test
  void aBlockThatComesSlowlyIsProgress() {
    EngineBench bench = receiver(options());
    // 31 KiB of encoded bytes in one block.
    ByteArrayOutputStream runs = new ByteArrayOutputStream();
    for (int i = 0; i < 16_000; i++) {
      runs.write(3);
      runs.write(i);
    }
    byte[] block = block(runs.size(), false, 64_000, runs.toByteArray());
    RawFrame first = array(64_000, block);
    feedSlowly(bench, first.bytes(), 100);
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    assertThat(bench.handler.arrays).hasSize(1);
  }

  @Test
  void aBlockOfWhichAByteComesAtATimeIsTraffic() {
    EngineBench bench = receiver(options().idleTimeout(Duration.ofSeconds(2)));
    byte[] whole = array(4000, run(4000, 1)).bytes();
    bench.feed(Arrays.copyOf(whole, FrameLayout.HEADER_BYTES + HEAD));
    // 32 bytes are 8 seconds, and a frame may take 10.
    feedSlowly(bench, Arrays.copyOfRange(whole, FrameLayout.HEADER_BYTES + HEAD, whole.length), 1);
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    assertThat(bench.handler.arrays).hasSize(1);
  }

  /** What a few bytes claim to be has not come. */
  @Test
  void smallBlocksThatStandForMuchAreNoProgress() {
    EngineBench bench = receiver(options());
    RawFrame first = array(1 << 20, run(4096, 1)).with(header -> header.arrayBytes = 1 << 20);
    bench.feed(first);
    for (int i = 1; i < 40 && bench.connection.isOpen(); i++) {
      feedSlowly(bench, RawFrame.chunk(first, 4096L * i, run(4096, 1)).bytes(), 1 << 10);
      bench.clock.advance(Duration.ofMillis(750));
      bench.pump();
    }
    assertThat(bench.error(ErrorCode.STALLED_ARRAY)).contains("least=1280");
  }
}
