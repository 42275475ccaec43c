package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.engine.Output;
import io.arraywire.frame.FrameType;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Whether the writer may rest after an answer to an array, which takes no lock to find out. */
class EngineAnswerTest {
  private static EngineBench owing() {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED))
            .open(EngineBench.offer(1 << 20, false));
    bench.writable = 0;
    return bench.feed(array(1));
  }

  private static RawFrame array(long sequence) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new float[16]));
  }

  /** Writes some of the output; returns whether the writer need not ask again. */
  private static boolean write(EngineBench bench, Output output, int count) {
    for (int left = count, i = output.first(); left > 0; i++) {
      int portion = Math.min(left, output.buffers()[i].remaining());
      output.buffers()[i].position(output.buffers()[i].position() + portion);
      left -= portion;
    }
    return bench.wire.wrote(count);
  }

  @Test
  void anAnswerThatIsWrittenWholeLeavesNothing() {
    EngineBench bench = owing();
    Output answer = bench.wire.output();

    assertThat(write(bench, answer, (int) answer.remaining())).isTrue();
    assertThat(bench.wire.output()).isNull();
  }

  /** The peer can be faster than the thread that wrote, which has yet to report what it wrote. */
  @Test
  void anAcknowledgementCompletesASendWhoseWriteIsReportedLater() {
    EngineBench bench = EngineBench.connector(EngineBench.options()).open();
    bench.writable = 0;
    CompletionStage<Receipt> sent =
        bench.connection.sendAsync(ArraySlice.of(new float[16]), SendOptions.processed());
    Output output = bench.wire.output();
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    assertThat(sent).as("before the write is reported").isNotCompleted();

    assertThat(write(bench, output, (int) output.remaining())).isTrue();
    bench.pump();
    assertThat(sent).isCompleted();
  }

  /** The second array woke the writer, which wrote on with the first answer. */
  @Test
  void whatComesWhileAnAnswerIsWrittenInPartIsNotForgotten() {
    EngineBench bench = owing();
    Output answer = bench.wire.output();
    assertThat(write(bench, answer, 5)).isFalse();
    bench.feed(array(2));

    Output rest = bench.wire.output();
    assertThat(rest).isSameAs(answer);
    assertThat(write(bench, rest, (int) rest.remaining())).isFalse();
    assertThat(bench.wire.output()).as("the second answer").isNotNull();
  }

  @Test
  void anAnswerWhoseRestIsTheLastThingLeavesNothing() {
    EngineBench bench = owing();
    Output answer = bench.wire.output();
    assertThat(write(bench, answer, 5)).isFalse();

    Output rest = bench.wire.output();
    assertThat(write(bench, rest, (int) rest.remaining())).isTrue();
    assertThat(bench.wire.output()).isNull();
  }
}
