package io.arraywire.testkit;

import static io.arraywire.testkit.BlockFrames.array;
import static io.arraywire.testkit.BlockFrames.assertRefused;
import static io.arraywire.testkit.BlockFrames.block;
import static io.arraywire.testkit.BlockFrames.options;
import static io.arraywire.testkit.BlockFrames.peer;
import static io.arraywire.testkit.BlockFrames.receiver;
import static io.arraywire.testkit.BlockFrames.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.testkit.BlockFrames.Fault;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the engine refuses of arrays in blocks. */
class EngineRefusedBlocksTest {
  static Stream<Fault> faults() {
    byte[] one = run(600, 1);
    byte[] longer = Arrays.copyOf(one, one.length + 1);
    longer[0]++;
    return Stream.of(
        new Fault("no elements", array(600, block(2, false, 0, one)), ErrorCode.BAD_LENGTH),
        new Fault("more elements than the array", array(599, one), ErrorCode.BAD_LENGTH),
        new Fault(
            "more elements than a block may have",
            array(70_000, run(65_537, 1)),
            ErrorCode.BAD_LENGTH),
        new Fault(
            "more elements than 31 bits",
            array(600, block(2, false, -1, one)),
            ErrorCode.BAD_LENGTH),
        new Fault("no bytes", array(600, block(0, false, 600, one)), ErrorCode.BAD_LENGTH),
        new Fault("no raw bytes", array(600, block(0, true, 600, one)), ErrorCode.BAD_LENGTH),
        new Fault(
            "more bytes than the frame",
            array(600, block(500, false, 600, one)),
            ErrorCode.BAD_LENGTH),
        new Fault(
            "bytes beyond all bounds",
            array(600, block(Integer.MAX_VALUE, false, 600, one)),
            ErrorCode.BAD_LENGTH),
        new Fault(
            "no smaller than raw",
            array(4, block(4, false, 4, new byte[] {1, 7, 1, 7})),
            ErrorCode.COUNT_MISMATCH),
        new Fault(
            "raw, and of another length",
            array(4, block(3, true, 4, new byte[] {1, 2, 3})),
            ErrorCode.COUNT_MISMATCH),
        new Fault("a head alone", array(600, block(2, false, 600)), ErrorCode.BAD_LENGTH),
        new Fault("half a head behind a block", array(900, one, new byte[4]), ErrorCode.BAD_LENGTH),
        new Fault("a block behind the last", array(600, one, one), ErrorCode.BAD_LENGTH),
        new Fault("an empty array with a block", array(0, one), ErrorCode.BAD_LENGTH),
        new Fault(
            "fewer elements than said",
            array(600, block(2, false, 600, new byte[] {9, 1})),
            ErrorCode.MALFORMED_PAYLOAD),
        new Fault(
            "more elements than said",
            array(100, block(2, false, 100, new byte[] {(byte) 255, 1})),
            ErrorCode.MALFORMED_PAYLOAD),
        new Fault("bytes behind the elements", array(600, longer), ErrorCode.MALFORMED_PAYLOAD),
        new Fault(
            "array bytes that are not those of its elements",
            array(600, one).with(header -> header.arrayBytes = one.length),
            ErrorCode.COUNT_MISMATCH),
        new Fault(
            "more bytes than blocks of one element have",
            array(2, new byte[19]),
            ErrorCode.BAD_LENGTH));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whatIsWrongEndsTheConnection(Fault fault) {
    assertRefused(fault, Taking.HANDLER);
  }

  /** A few bytes that stand for many elements cost what the elements do. */
  @Test
  void elementsThatWereNotAllowedAreNotTaken() {
    EngineBench bench =
        EngineBench.acceptor(
                options().inboxBytes(8 << 10).connectionInboxBytes(8 << 10),
                new EngineBench.Recorder())
            .open(peer());
    bench.holdTasks = true;
    bench.feed(array(1 << 20, run(4096, 1)).with(header -> header.arrayBytes = 1 << 20));
    assertThat(bench.connection.isOpen()).isTrue();
    EngineBench other =
        EngineBench.acceptor(
                options().inboxBytes(8 << 10).connectionInboxBytes(8 << 10),
                new EngineBench.Recorder())
            .open(peer());
    other.holdTasks = true;
    RawFrame first = array(60_000, run(3000, 1)).with(header -> header.arrayBytes = 60_000);
    other.feed(first);
    RawFrame next = array(60_000, run(60_000, 1)).with(header -> header.sequence = 2);
    RawFrame rest = RawFrame.chunk(first, 3000, run(57_000, 1));
    other.feed(rest, next);
    assertThat(other.error(ErrorCode.CREDIT_EXCEEDED)).contains("allowed");
  }

  @Test
  void smallBlocksWithoutEndAreAFlood() {
    EngineBench bench = receiver();
    byte[][] blocks = new byte[2000][];
    Arrays.fill(blocks, run(4, 1));
    blocks[1999] = run(4, 2);
    bench.feed(array(8000, blocks));
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).isNotEmpty();
  }

  @Test
  void whatWasDamagedOnItsWayIsNotDecoded() {
    for (boolean first : new boolean[] {true, false}) {
      EngineBench bench =
          EngineBench.acceptor(options().checksums(Checksums.WANTED))
              .open(peer(peer().flow(), true));
      RawFrame right = array(600, run(600, 1)).checksummed();
      bench.feed(right);
      assertThat(bench.handler.arrays).hasSize(1);
      RawFrame wrong =
          (first ? array(600, run(600, 2)) : array(1200, run(600, 2), run(600, 3)))
              .with(header -> header.sequence = 2)
              .checksummed();
      // How many elements the last run has.
      wrong.payload()[wrong.payload().length - 2]++;
      bench.feed(wrong);
      assertThat(bench.error(ErrorCode.PAYLOAD_CHECKSUM)).contains("damaged");
      assertThat(bench.handler.arrays).hasSize(1);
    }
  }

  @Test
  void aStreamThatEndsInsideABlockIsTruncated() {
    byte[] whole = array(4000, run(4000, 1)).bytes();
    for (int cut = FrameLayout.HEADER_BYTES + 1; cut < whole.length; cut += 3) {
      EngineBench bench = receiver();
      bench.feed(Arrays.copyOf(whole, cut)).end();
      assertThat(bench.handler.arrays).isEmpty();
      bench.assertFailed(ErrorCode.TRUNCATED);
    }
  }

  @Test
  void whatACodecDoesWrongIsSaid() {
    SimpleCodec beyond =
        SimpleCodec.of(RunsCodec.ENCODING)
            .named("beyond")
            .encodingWith((type, array, index, count, target) -> target.limit(target.capacity()));
    EngineBench bench =
        EngineBench.connector(EngineBench.options().codecs(EngineBench.RAW_LE, beyond))
            .open(peer());
    CompletableFuture<Receipt> sent =
        bench
            .connection
            .sendAsync(ArraySlice.of(new int[10]), SendOptions.handedOff().codec("beyond"))
            .toCompletableFuture();
    bench.pump();
    assertThat(sent).isCompletedExceptionally();
    assertThatThrownBy(sent::join).hasStackTraceContaining("changed the limit of a buffer");
  }
}
