package io.arraywire.testkit;

import static io.arraywire.testkit.BlockFrames.FRAME;
import static io.arraywire.testkit.BlockFrames.GOODBYE;
import static io.arraywire.testkit.BlockFrames.HEAD;
import static io.arraywire.testkit.BlockFrames.RUNS;
import static io.arraywire.testkit.BlockFrames.block;
import static io.arraywire.testkit.BlockFrames.blocks;
import static io.arraywire.testkit.BlockFrames.count;
import static io.arraywire.testkit.BlockFrames.elements;
import static io.arraywire.testkit.BlockFrames.hello;
import static io.arraywire.testkit.BlockFrames.options;
import static io.arraywire.testkit.BlockFrames.peer;
import static io.arraywire.testkit.BlockFrames.sender;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.LagPolicy;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the engine sends arrays in blocks. */
class EngineBlocksTest {
  @Test
  void aBlockThatGetsSmallerTravelsSo() {
    EngineBench bench = sender();
    float[] floats = new float[1000];
    Arrays.fill(floats, 500, 1000, 1.5f);
    bench.connection.sendAsync(ArraySlice.of(floats), RUNS);
    bench.pump();
    RawFrame frame = bench.frame(FrameType.ARRAY);
    assertThat(frame.header().encoding).isEqualTo(RunsCodec.ENCODING.code());
    assertThat(frame.header().count).isEqualTo(1000);
    assertThat(frame.header().arrayBytes).isEqualTo(4000);
    assertThat(frame.payload())
        .isEqualTo(
            block(
                20,
                false,
                1000,
                (byte) 255,
                (byte) 0,
                (byte) 0,
                (byte) 0,
                (byte) 0,
                (byte) 243,
                (byte) 0,
                (byte) 0,
                (byte) 0,
                (byte) 0,
                (byte) 255,
                (byte) 0,
                (byte) 0,
                (byte) 0xc0,
                (byte) 0x3f,
                (byte) 243,
                (byte) 0,
                (byte) 0,
                (byte) 0xc0,
                (byte) 0x3f));
  }

  @Test
  void aBlockThatDoesNotGetSmallerTravelsRaw() {
    EngineBench bench = sender();
    bench.connection.sendAsync(ArraySlice.of(new int[] {1, 2, 3}), RUNS);
    bench.connection.sendAsync(ArraySlice.of(new byte[] {7}), RUNS);
    bench.connection.sendAsync(ArraySlice.of(new byte[0]), RUNS);
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames.get(0).payload())
        .isEqualTo(
            block(
                12, true, 3, (byte) 1, (byte) 0, (byte) 0, (byte) 0, (byte) 2, (byte) 0, (byte) 0,
                (byte) 0, (byte) 3, (byte) 0, (byte) 0, (byte) 0));
    assertThat(frames.get(1).payload()).isEqualTo(block(1, true, 1, (byte) 7));
    assertThat(frames.get(2).payload()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void blocksHaveWhatTheyMayHaveAndArriveAsTheyWere(ElementType type) {
    int most = (FRAME - HEAD) / type.bytes();
    for (int count : new int[] {0, 1, most - 1, most, most + 1, 2 * most + 7}) {
      for (boolean runs : new boolean[] {true, false}) {
        Object array = elements(type, count, runs);
        EngineBench bench = sender();
        bench.connection.sendAsync(ArraySlice.ofArray(array).as(type), RUNS);
        bench.pump();
        byte[] stream = bench.outBytes();
        int elements = 0;
        for (RawFrame frame : bench.frames()) {
          assertThat(frame.payload().length).isLessThanOrEqualTo(FRAME);
          for (byte[] block : blocks(frame.payload())) {
            elements += count(block);
            assertThat(count(block)).isBetween(1, most);
          }
        }
        assertThat(elements).isEqualTo(count);
        for (Taking taking : List.of(Taking.HANDLER, Taking.LEASED)) {
          assertTaken(taking, type, array, stream, runs ? 1000 : Integer.MAX_VALUE);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theyArriveForEachReceiverInAllPortions(Taking taking) {
    double[] some = (double[]) elements(ElementType.DOUBLE, 3000, true);
    byte[] noise = (byte[]) elements(ElementType.BYTE, 3000, false);
    // Behind each other in one array: a block that is raw, and others that are not.
    System.arraycopy(elements(ElementType.DOUBLE, 100, false), 0, some, 1000, 100);
    EngineBench bench = EngineBench.connector(options().chunkBytes(1024)).open(peer());
    for (int i = 0; i < 3; i++) {
      bench.connection.sendAsync(ArraySlice.of(some), RUNS);
      bench.connection.sendAsync(ArraySlice.of(noise), RUNS);
    }
    bench.pump();
    byte[] stream = bench.outBytes();
    for (int portion : new int[] {1, 7, 500, Integer.MAX_VALUE}) {
      BareConnection receiver =
          new BareConnection(Role.ACCEPTOR, options(), taking, there -> Math.min(there, portion));
      receiver.feed(hello(false), stream, GOODBYE);
      assertThat(receiver.end()).isNull();
      assertThat(receiver.taken).hasSize(6);
      for (int i = 0; i < 6; i++) {
        assertThat(receiver.taken.get(i).elements()).isEqualTo(i % 2 == 0 ? some : noise);
      }
    }
  }

  private static void assertTaken(
      Taking taking, ElementType type, Object array, byte[] stream, int portion) {
    BareConnection receiver =
        new BareConnection(Role.ACCEPTOR, options(), taking, there -> Math.min(there, portion));
    receiver.feed(hello(false), stream, GOODBYE);
    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken).hasSize(1);
    Taken taken = receiver.taken.get(0);
    assertThat(taken.header().type()).isEqualTo(type);
    assertThat(taken.elements()).isEqualTo(array);
  }

  @Test
  void creditCountsElementsWhateverTheyShrinkTo() {
    int credit = 8 << 10;
    EngineBench bench = sender(credit);
    CompletableFuture<Receipt> sent =
        bench.connection.sendAsync(ArraySlice.of(new byte[3 * credit]), RUNS).toCompletableFuture();
    bench.pump();
    assertThat(elementsIn(bench.frames())).isBetween(credit / 2, credit - FrameLayout.ARRAY_COST);
    assertThat(sent).isNotDone();
    bench.feed(BlockFrames.credit(8 * credit));
    assertThat(sent).isCompleted();
    assertThat(sent.join().wireBytes()).isLessThan(credit);
  }

  private static int elementsIn(List<RawFrame> frames) {
    return frames.stream()
        .flatMap(frame -> blocks(frame.payload()).stream())
        .mapToInt(BlockFrames::count)
        .sum();
  }

  @Test
  void whatIsCopiedOrReadFromElsewhereIsPutIntoBlocks() throws Exception {
    int[] ints = (int[]) elements(ElementType.INT, 40_000, true);
    int[] noise = (int[]) elements(ElementType.INT, 3000, false);
    byte[] stream;
    EngineBench bench = sender();
    assertThat(bench.connection.offer(ArraySlice.of(ints), RUNS)).isEqualTo(OfferStatus.ACCEPTED);
    assertThat(bench.connection.offer(ArraySlice.of(noise), RUNS)).isEqualTo(OfferStatus.ACCEPTED);
    assertThat(bench.connection.offer(ArraySlice.of(noise, 0, 100), RUNS))
        .isEqualTo(OfferStatus.ACCEPTED);
    for (int[] array : List.of(ints, noise)) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        ByteBuffer direct = ByteBuffer.allocateDirect(array.length * 4).order(order);
        direct.asIntBuffer().put(array);
        bench.connection.sendAsync(ArraySource.of(direct.asIntBuffer()), RUNS);
      }
    }
    bench.pump();
    stream = bench.outBytes();
    assertThat(stream.length).isLessThan(3 * 13_000 + 10_000);
    BareConnection receiver =
        new BareConnection(Role.ACCEPTOR, options(), Taking.FRESH, there -> there);
    receiver.feed(hello(false), stream, GOODBYE);
    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken)
        .extracting(Taken::elements)
        .containsExactly(ints, noise, Arrays.copyOf(noise, 100), ints, ints, noise, noise);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void whatIsPublishedIsPutIntoBlocks() throws Exception {
    Codec runs = RunsCodec.CODEC;
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().codecs(runs).checksums(Checksums.UNWANTED))
            .open(peer());
    bench.feed(RawFrame.subscribe(0, "prices", LagPolicy.BLOCK, 1 << 20));
    bench.frames();
    int[] ints = (int[]) elements(ElementType.INT, 40_000, true);
    bench.subjects.publish("prices", ArraySlice.of(ints), io.arraywire.ArrayAttributes.NONE);
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(elementsIn(frames)).isEqualTo(ints.length);
    assertThat(frames.stream().mapToInt(frame -> frame.payload().length).sum()).isLessThan(2000);
  }

  @Test
  void aSourceThatFailsWithdrawsItsArray() {
    for (int good : new int[] {0, 20_000}) {
      EngineBench bench = sender();
      CompletableFuture<Receipt> sent =
          bench
              .connection
              .sendAsync(new ZeroSource(ElementType.INT, 40_000, good), RUNS)
              .toCompletableFuture();
      bench.connection.sendAsync(ArraySlice.of(new int[5]), RUNS);
      bench.pump();
      assertThat(sent).isCompletedExceptionally();
      byte[] stream = bench.outBytes();
      assertThat(bench.frames()).anyMatch(frame -> frame.type() == FrameType.ABORT);
      BareConnection receiver =
          new BareConnection(Role.ACCEPTOR, options(), Taking.FRESH, there -> there);
      receiver.feed(hello(false), stream, GOODBYE);
      assertThat(receiver.end()).isNull();
      assertThat(receiver.taken).extracting(Taken::elements).containsExactly(new int[5]);
    }
  }

  /** What lies in memory is no block. */
  @Test
  void aCodecInBlocksIsNeitherVerbatimNorElementwise() {
    for (CodecTraits traits :
        List.of(CodecTraits.VERBATIM, new CodecTraits(MemoryKind.HEAP, true, 1, 1))) {
      Codec wrong = SimpleCodec.of(RunsCodec.ENCODING).asking(() -> traits);
      assertThatThrownBy(() -> TransportOptions.builder().codecs(wrong).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("codec=simple")
          .hasMessageContaining("elementwise=" + traits.elementwise());
    }
  }

  /** Raw is always allowed. */
  @Test
  void aBlockThatTheCodecFailsOnTravelsRaw() {
    for (boolean memory : new boolean[] {false, true}) {
      SimpleCodec failing =
          SimpleCodec.of(RunsCodec.ENCODING)
              .named("failing")
              .encodingWith((type, array, index, count, target) -> {
                target.put((byte) 1).limit(1 + target.position());
                if (memory) {
                  throw new OutOfMemoryError("no memory for tables");
                }
                throw new IllegalStateException("broken");
              });
      EngineBench bench =
          EngineBench.connector(
                  EngineBench.options()
                      .codecs(EngineBench.RAW_LE, failing)
                      .checksums(Checksums.UNWANTED))
              .open(peer());
      SendOptions options = SendOptions.handedOff().codec("failing");
      bench.connection.sendAsync(ArraySlice.of(new byte[] {3, 4}), options);
      bench.connection.sendAsync(ArraySource.of(ByteBuffer.wrap(new byte[] {5, 6})), options);
      bench.pump();
      List<RawFrame> frames = bench.frames();
      assertThat(bench.connection.isOpen()).isTrue();
      assertThat(frames.get(0).payload()).isEqualTo(block(2, true, 2, (byte) 3, (byte) 4));
      assertThat(frames.get(1).payload()).isEqualTo(block(2, true, 2, (byte) 5, (byte) 6));
    }
  }

  /** Blocks are made of what an array can hold. */
  @Test
  void moreElementsThanAnArrayHoldsTravelPlain() {
    Offer all = peer(new FlowOffer(1, 8 << 10, 16 << 10, 0, 0), false);
    Offer large =
        new Offer(
            all.encodings(),
            all.elementTypes(),
            all.nativeOrder(),
            1L << 40,
            all.maxFrameBytes(),
            false,
            new byte[0],
            "a test",
            all.flow());
    EngineBench bench =
        EngineBench.connector(
                EngineBench.options()
                    .codecs(RunsCodec.CODEC, EngineBench.RAW_LE)
                    .maxArrayBytes(1L << 40)
                    .checksums(Checksums.UNWANTED))
            .open(large);
    bench.connection.sendAsync(
        new ZeroSource(ElementType.BYTE, 1L << 32, 1L << 32), SendOptions.handedOff());
    bench.connection.sendAsync(new ZeroSource(ElementType.BYTE, 100, 100), SendOptions.handedOff());
    bench.pump();
    RawFrame first = bench.frame(FrameType.ARRAY);
    assertThat(first.header().count).isEqualTo(1L << 32);
    assertThat(first.header().encoding).isEqualTo(Encoding.RAW_LITTLE_ENDIAN.code());
  }

  /** Another program wrote them, by the page. */
  @Test
  void theBytesAreThoseOfThePage() {
    float[] same = new float[300];
    Arrays.fill(same, 1.5f);
    float[] all = new float[303];
    System.arraycopy(new float[] {1f, -2.5f, 0.1f}, 0, all, 0, 3);
    System.arraycopy(same, 0, all, 3, 300);
    TransportOptions.Builder checked = options().checksums(Checksums.WANTED);
    EngineBench bench = EngineBench.connector(checked).open(peer(peer().flow(), true));
    bench.connection.sendAsync(ArraySlice.of(same), RUNS);
    bench.pump();
    assertThat(bench.outBytes()).isEqualTo(GoldenWire.bytes("array-block"));
    for (String name : List.of("array-block", "array-blocks")) {
      for (int portion : new int[] {1, 7, Integer.MAX_VALUE}) {
        BareConnection receiver =
            new BareConnection(
                Role.ACCEPTOR, checked, Taking.INTO, there -> Math.min(there, portion));
        receiver.feed(hello(true), GoldenWire.bytes(name), GOODBYE);
        assertThat(receiver.end()).isNull();
        assertThat(receiver.taken)
            .extracting(Taken::elements)
            .containsExactly(name.endsWith("s") ? all : same);
      }
    }
  }

  @Test
  void anEncodingInBlocksSaysSo() {
    Encoding encoding = RunsCodec.ENCODING;
    assertThat(encoding.isInBlocks()).isTrue();
    assertThat(encoding.hasPlainElements()).isFalse();
    assertThat(encoding.elementBytes(ElementType.DOUBLE)).isEqualTo(8);
    assertThat(encoding.encodedBytes(ElementType.INT, 7)).isEqualTo(28);
    assertThat(Encoding.RAW_LITTLE_ENDIAN.isInBlocks()).isFalse();
    assertThatThrownBy(
            () -> Encoding.customInBlocks(127, "x", ByteOrder.LITTLE_ENDIAN, type -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("code=127");
    assertThatThrownBy(
            () -> Encoding.customInBlocks(128, "raw-le", ByteOrder.LITTLE_ENDIAN, type -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("raw-le");
  }
}
