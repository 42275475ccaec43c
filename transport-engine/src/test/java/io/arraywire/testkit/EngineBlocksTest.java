package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays in blocks: what is sent, what is taken, and what is refused. */
class EngineBlocksTest {
  private static final int HEAD = 8;
  private static final byte[] GOODBYE = RawFrame.control(FrameType.GOODBYE, 0).bytes();
  private static final int FRAME = 64 << 10;
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final SendOptions RUNS = SendOptions.handedOff().codec("runs");

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .codecs(EngineBench.RAW_LE, RunsCodec.CODEC)
        .checksums(Checksums.UNWANTED);
  }

  private static Offer peer(FlowOffer flow, boolean checksums) {
    Offer all = EngineBench.offer();
    return new Offer(
        Map.of(1, "raw-le", RunsCodec.ENCODING.code(), RunsCodec.ENCODING.name()),
        all.elementTypes(),
        ByteOrder.LITTLE_ENDIAN,
        all.maxArrayBytes(),
        all.maxFrameBytes(),
        checksums,
        new byte[0],
        "a test",
        flow);
  }

  private static Offer peer() {
    return peer(new FlowOffer(1, EngineBench.PLENTY, EngineBench.PLENTY, 0, 4), false);
  }

  private static EngineBench sender() {
    return EngineBench.connector(options()).open(peer());
  }

  private static byte[] hello(boolean checksums) {
    return EngineBench.preambled(
        HandshakeMessage.hello(
            peer(new FlowOffer(1, EngineBench.PLENTY, EngineBench.PLENTY, 0, 4), checksums)));
  }

  private static EngineBench receiver() {
    return EngineBench.acceptor(options()).open(peer());
  }

  /** Elements of which long runs are equal, or none. */
  private static Object elements(ElementType type, int count, boolean runs) {
    Object array = type.newArray(count);
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      long bits = runs ? i / 300 : random.nextLong();
      NaiveElements.setBits(type, array, i, type == ElementType.BOOLEAN ? bits & 1 : bits);
    }
    return array;
  }

  /** The blocks in a payload, each with its head. */
  private static List<byte[]> blocks(byte[] payload) {
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0; at < payload.length; ) {
      int word = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
      int end = at + HEAD + (word & Integer.MAX_VALUE);
      blocks.add(Arrays.copyOfRange(payload, at, end));
      at = end;
    }
    return blocks;
  }

  private static int count(byte[] block) {
    return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  private static boolean isRaw(byte[] block) {
    return block[3] < 0;
  }

  private static byte[] block(int bytes, boolean raw, int elements, byte... content) {
    return ByteBuffer.allocate(HEAD + content.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(raw ? bytes | 1 << 31 : bytes)
        .putInt(elements)
        .put(content)
        .array();
  }

  /** A block of so many equal bytes. */
  private static byte[] run(int elements, int value) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int left = elements; left > 0; left -= 256) {
      content.write(Math.min(left, 256) - 1);
      content.write(value);
    }
    return block(content.size(), false, elements, content.toByteArray());
  }

  private static byte[] together(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  /** An array of bytes in one frame. */
  private static RawFrame array(int count, byte[]... blocks) {
    return RawFrame.array(
            RunsCodec.ENCODING.code(), ElementType.BYTE.code(), 1, count, together(blocks))
        .with(header -> header.arrayBytes = count);
  }

  // What is sent.

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
  void theyArriveWhoeverTakesThemInWhateverPortions(Taking taking) {
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
    EngineBench bench =
        EngineBench.connector(options().chunkBytes(1024))
            .open(peer(new FlowOffer(1, credit, 2 * credit, 0, 0), false));
    CompletableFuture<Receipt> sent =
        bench.connection.sendAsync(ArraySlice.of(new byte[3 * credit]), RUNS).toCompletableFuture();
    bench.pump();
    assertThat(elementsIn(bench.frames())).isBetween(credit / 2, credit - FrameLayout.ARRAY_COST);
    assertThat(sent).isNotDone();
    bench.feed(
        RawFrame.control(FrameType.CREDIT, 0)
            .with(header -> {
              header.tag = 8 * credit;
              header.count = 8 * credit;
            }));
    assertThat(sent).isCompleted();
    assertThat(sent.join().wireBytes()).isLessThan(credit);
  }

  private static int elementsIn(List<RawFrame> frames) {
    return frames.stream()
        .flatMap(frame -> blocks(frame.payload()).stream())
        .mapToInt(EngineBlocksTest::count)
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
          bench.connection.sendAsync(failing(good), RUNS).toCompletableFuture();
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

  private static ArraySource failing(int good) {
    return new ArraySource() {
      @Override
      public ElementType type() {
        return ElementType.INT;
      }

      @Override
      public long count() {
        return 40_000;
      }

      @Override
      public ElementReader open() {
        return (first, count, target) -> {
          if (first + count > good) {
            throw new IOException("the disk is gone");
          }
          for (int i = 0; i < count; i++) {
            target.putInt(7);
          }
        };
      }
    };
  }

  // What is taken.

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

  // What is refused.

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

  record Fault(String name, RawFrame frame, ErrorCode code) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whatIsWrongEndsTheConnection(Fault fault) {
    EngineBench bench = receiver();
    bench.feed(fault.frame());
    assertThat(bench.handler.arrays).isEmpty();
    String text = bench.error(fault.code());
    bench.end();
    bench.assertFailed(fault.code());
    assertThat(text).contains(String.valueOf(bench.handler.cause.getMessage()));
    assertThat(text.length()).isLessThanOrEqualTo(300);
    // A byte at a time it is the same.
    BareConnection slow = new BareConnection(Role.ACCEPTOR, options(), Taking.HANDLER, there -> 1);
    slow.feed(hello(false), fault.frame().bytes());
    ArraywireException cause = slow.end();
    assertThat(cause).matches(fault.code()::isOf);
    assertThat(slow.taken).isEmpty();
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
    bench.connection.sendAsync(zeros(1L << 32), SendOptions.handedOff());
    bench.connection.sendAsync(zeros(100), SendOptions.handedOff());
    bench.pump();
    RawFrame first = bench.frame(FrameType.ARRAY);
    assertThat(first.header().count).isEqualTo(1L << 32);
    assertThat(first.header().encoding).isEqualTo(Encoding.RAW_LITTLE_ENDIAN.code());
  }

  private static ArraySource zeros(long elements) {
    return new ArraySource() {
      @Override
      public ElementType type() {
        return ElementType.BYTE;
      }

      @Override
      public long count() {
        return elements;
      }

      @Override
      public ElementReader open() {
        return (first, count, target) -> target.put(new byte[count]);
      }
    };
  }

  // What comes slowly.

  private static EngineBench receiver(TransportOptions.Builder options) {
    return EngineBench.acceptor(options)
        .open(peer(new FlowOffer(1, 1 << 20, 1 << 20, 5000, 4), false));
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
