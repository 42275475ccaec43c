package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine does with frames that are wrong, one field at a time. */
class EngineFramesTest {
  private static final long MAX_ARRAY_BYTES = 1 << 20;
  private static final int MAX_FRAME_BYTES = 1 << 16;
  private static final long ALLOCATION_LIMIT = 64 << 10;
  private static final float[] FLOATS = {1, 2, 3, 4, 5};
  private static final byte[] BYTES =
      RawFrame.payload(Encoding.RAW_LITTLE_ENDIAN, ArraySlice.of(FLOATS));

  private static EngineBench bench() {
    return bench(false);
  }

  private static EngineBench bench(boolean checksums) {
    return EngineBench.acceptor(
            EngineBench.options()
                .checksums(Checksums.of(checksums))
                .maxArrayBytes(MAX_ARRAY_BYTES)
                .maxFrameBytes(MAX_FRAME_BYTES))
        .open();
  }

  private static RawFrame array(long sequence) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(FLOATS));
  }

  private static RawFrame array() {
    return array(1);
  }

  /** The first frame of an array of two. */
  private static RawFrame first() {
    return array().withPayload(Arrays.copyOf(BYTES, 8));
  }

  private static RawFrame second() {
    return RawFrame.chunk(first(), 2, Arrays.copyOfRange(BYTES, 8, BYTES.length));
  }

  /** A frame must be refused, both sides told why in the same words, and nothing delivered. */
  private static String refused(RawFrame frame, ErrorCode code) {
    return refused(bench(), frame.bytes(), code);
  }

  private static String refused(EngineBench bench, byte[] frame, ErrorCode code) {
    bench.frames();
    bench.handler.arrays.clear();
    bench.feed(frame);
    assertThat(bench.handler.arrays).as("delivered").isEmpty();
    String text = bench.error(code);
    assertThat(bench.outputShut).as("output ends after the error frame").isTrue();
    bench.end();
    bench.assertFailed(code);
    ArraywireException cause = bench.handler.cause;
    assertThat(cause).isInstanceOf(ProtocolException.class);
    assertThat(text).contains(String.valueOf(cause.getMessage()));
    return text;
  }

  @Test
  void takesWhatIsRight() {
    EngineBench bench = bench();
    bench.feed(array(1)).feed(array(2));
    assertThat(bench.handler.arrays).hasSize(2);
    assertThat(bench.handler.arrays.get(1).floats()).isEqualTo(FLOATS);
    bench.feed(first().with(h -> h.sequence = 3)).feed(second().with(h -> h.sequence = 3));
    assertThat(bench.handler.arrays).hasSize(3);
    assertThat(bench.handler.arrays.get(2).floats()).isEqualTo(FLOATS);
    List<RawFrame> answers = bench.frames();
    assertThat(answers).allMatch(frame -> frame.type() == FrameType.ACK);
    assertThat(answers.get(answers.size() - 1).header().sequence).isEqualTo(3);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  // Row 1: wrong first bytes.

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "????"})
  void strangersAreRefusedAfterFourBytes(String greeting) {
    byte[] bytes = greeting.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    for (Role role : Role.values()) {
      EngineBench bench =
          role == Role.ACCEPTOR
              ? EngineBench.acceptor(EngineBench.options())
              : EngineBench.connector(EngineBench.options());
      bench.out.reset();
      long before = bench.memory.acquiredEver();
      for (int i = 0; i < 3; i++) {
        bench.feed(new byte[] {bytes[i]});
        assertThat(bench.linkClosed).as("closed after %d bytes", i + 1).isFalse();
      }
      bench.feed(new byte[] {bytes[3]});
      assertThat(bench.outBytes()).as("what a stranger is told").isEmpty();
      assertThat(bench.memory.acquiredEver() - before).as("taken").isZero();
      bench.assertFailed(ErrorCode.BAD_MAGIC);
      assertThat(bench.handler.cause)
          .hasMessageContaining("bytes=0x")
          .hasMessageContaining("expected=0x");
    }
  }

  /** Besides the exception that says who it was. */
  @Test
  void aStrangerTakesNoHeap() throws Exception {
    byte[] greeting = "GET / HTTP/1.1".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    long own =
        AllocationMeter.bytesPerRun(
            () -> EngineBench.acceptor(EngineBench.options()).feed(new byte[0]));
    long all =
        AllocationMeter.bytesPerRun(
            () -> EngineBench.acceptor(EngineBench.options()).feed(greeting));
    assertThat(all - own).as("bytes allocated for a stranger").isLessThan(ALLOCATION_LIMIT / 4);
  }

  @Test
  void aStrangerIsGuessed() {
    assertThat(strangerText("GET /x HTTP/1.1", ErrorCode.BAD_MAGIC))
        .contains("it looks like HTTP; is this the right port?");
    assertThat(strangerText("\0\0\0\5....", ErrorCode.BAD_MAGIC)).contains("plain mode");
    assertThat(strangerText("\u0016\u0003\u0001\u0002", ErrorCode.TLS_MISMATCH))
        .contains("TLS")
        .contains("bytes=0x16030102");
  }

  private static String strangerText(String greeting, ErrorCode code) {
    EngineBench bench = EngineBench.acceptor(EngineBench.options());
    bench.feed(greeting.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    assertThat(bench.handler.cause).isInstanceOf(ProtocolException.class).matches(code::isOf);
    return String.valueOf(bench.handler.cause.getMessage());
  }

  @Test
  void aFrameWithoutMagicIsRefusedAfterFourBytes() {
    byte[] frame = array().bytes();
    frame[0] ^= 1;
    EngineBench bench = bench();
    bench.feed(Arrays.copyOf(frame, 3));
    assertThat(bench.frames()).isEmpty();
    refused(bench, Arrays.copyOfRange(frame, 3, 4), ErrorCode.BAD_MAGIC);
  }

  @Test
  void theOtherByteOrderIsRefused() {
    byte[] frame = array().bytes();
    ByteBuffer.wrap(frame).putInt(FrameLayout.MAGIC);
    refused(bench(), frame, ErrorCode.BAD_MAGIC);
  }

  // Rows 2 and 3: lengths.

  @ParameterizedTest
  @ValueSource(
      longs = {MAX_ARRAY_BYTES + 1, Integer.MAX_VALUE, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE})
  void declaredArrayLengthsBeyondTheLimit(long declared) throws Exception {
    byte[] frame = array().with(h -> h.arrayBytes = declared).bytes();
    String text = refused(bench(), frame, ErrorCode.FRAME_TOO_LARGE);
    assertThat(text)
        .contains("declared=" + Long.toUnsignedString(declared))
        .contains("limit=" + MAX_ARRAY_BYTES);
    assertAllocatesLittle(frame);
  }

  @ParameterizedTest
  @ValueSource(longs = {MAX_FRAME_BYTES + 1, Integer.MAX_VALUE, 0x80000000L, 0xffffffffL})
  void declaredFrameLengthsBeyondTheLimit(long declared) throws Exception {
    byte[] frame = array().with(h -> h.payloadBytes = declared).bytes();
    String text = refused(bench(), frame, ErrorCode.FRAME_TOO_LARGE);
    assertThat(text).contains("declared=" + declared).contains("limit=" + MAX_FRAME_BYTES);
    assertAllocatesLittle(frame);
    EngineBench inArray = bench();
    inArray.feed(first());
    refused(
        inArray, second().with(h -> h.payloadBytes = declared).bytes(), ErrorCode.FRAME_TOO_LARGE);
  }

  private static void assertAllocatesLittle(byte[] frame) throws Exception {
    // What a bench without the frame allocates is the bench's own.
    long own = AllocationMeter.bytesPerRun(() -> bench().feed(new byte[0]));
    long all = AllocationMeter.bytesPerRun(() -> bench().feed(frame));
    assertThat(all - own).as("bytes allocated for a refused frame").isLessThan(ALLOCATION_LIMIT);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Integer.MIN_VALUE})
  void negativeCounts(long count) {
    String text = refused(array().with(h -> h.count = count), ErrorCode.BAD_LENGTH);
    assertThat(text).contains("count=" + Long.toUnsignedString(count));
  }

  @Test
  void negativeOffsets() {
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, second().with(h -> h.arrayBytes = -8).bytes(), ErrorCode.BAD_LENGTH);
  }

  // Rows 4 and 5: count and size.

  @ParameterizedTest
  @ValueSource(longs = {1L << 62, 1L << 61, (1L << 62) + 5, Long.MAX_VALUE, 1L << 32, 1L << 30, 6})
  void countTimesSizeIsComputedInFull(long count) {
    refused(array().with(h -> h.count = count), ErrorCode.COUNT_MISMATCH);
  }

  @Test
  void anOverflowingProductThatFitsIsSeen() {
    // 2^62 + 5 floats are 20 bytes, modulo 2^64; 2^30 + 5 are 20 bytes modulo 2^32.
    for (long count : new long[] {(1L << 62) + 5, (1L << 30) + 5}) {
      String text = refused(array().with(h -> h.count = count), ErrorCode.COUNT_MISMATCH);
      assertThat(text)
          .contains("count=" + count)
          .contains("elementBytes=4")
          .contains("arrayBytes=20");
    }
  }

  @Test
  void lengthsThatAreNotAMultiple() {
    for (int bytes : new int[] {1, 3, 17, 19, 21, 24}) {
      refused(
          RawFrame.array(1, ElementType.FLOAT.code(), 1, 5, new byte[bytes]),
          ErrorCode.COUNT_MISMATCH);
    }
    // A frame may not end inside an element, either.
    refused(array().withPayload(Arrays.copyOf(BYTES, 9)), ErrorCode.COUNT_MISMATCH);
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, second().withPayload(new byte[5]).bytes(), ErrorCode.COUNT_MISMATCH);
  }

  @Test
  void aFirstFrameHoldsSomethingAndNotTooMuch() {
    refused(array().withPayload(), ErrorCode.BAD_LENGTH);
    refused(array().withPayload(new byte[24]), ErrorCode.BAD_LENGTH);
  }

  @Test
  void aChunkHoldsSomethingAndNotTooMuch() {
    for (int bytes : new int[] {0, 16}) {
      EngineBench bench = bench();
      bench.feed(first());
      refused(bench, second().withPayload(new byte[bytes]).bytes(), ErrorCode.BAD_LENGTH);
    }
  }

  private static byte[] shape(long... dimensions) {
    return RawSections.shape(dimensions).toBytes();
  }

  @Test
  void aShapeThatDoesNotHold() {
    // shape: 2 x 3
    refused(array().withAttributes(shape(2, 3)), ErrorCode.COUNT_MISMATCH);
  }

  @Test
  void attributesThatAreNone() {
    refused(array().withAttributes(new byte[] {(byte) 0xff}), ErrorCode.BAD_LENGTH);
    // A negative dimension; 33 dimensions.
    refused(array().withAttributes(shape(-1)), ErrorCode.MALFORMED_PAYLOAD);
    long[] many = new long[33];
    Arrays.fill(many, 1);
    refused(array().withAttributes(shape(many)), ErrorCode.FRAME_TOO_LARGE);
    refused(
        array().withAttributes(new byte[FrameLayout.MAX_ATTRIBUTE_BYTES + 1]),
        ErrorCode.FRAME_TOO_LARGE);
  }

  // Row 6: nothing and one.

  @Test
  void emptyAndSingle() {
    for (ElementType type : ElementType.values()) {
      for (Encoding encoding :
          List.of(
              Encoding.RAW_LITTLE_ENDIAN,
              Encoding.RAW_BIG_ENDIAN,
              Encoding.JAVA_OBJECT,
              Encoding.PROTOBUF)) {
        if (!encoding.supports(type)) {
          continue;
        }
        for (boolean checksums : new boolean[] {false, true}) {
          EngineBench bench = bench(checksums);
          for (int count = 0; count < 2; count++) {
            Object elements = GoldenArrays.array(type, count);
            RawFrame frame =
                RawFrame.array(encoding, count + 1, ArraySlice.ofArray(elements).as(type));
            bench.feed(checksums ? frame.checksummed() : frame);
            assertThat(bench.handler.arrays).hasSize(count + 1);
            assertThat(bench.handler.arrays.get(count).slice().array()).isEqualTo(elements);
          }
          bench.connection.closeNow();
          bench.assertEnded(null);
        }
      }
    }
  }

  // Row 7: codes.

  @Test
  void everyVersion() {
    for (int version = 0; version < 256; version++) {
      if (version != FrameLayout.VERSION) {
        byte[] frame = array().bytes();
        frame[4] = (byte) version;
        String text = refused(bench(), RawFrame.sealed(frame), ErrorCode.UNSUPPORTED_VERSION);
        assertThat(text).contains("version=" + version).contains("agreed=2");
      }
    }
  }

  @Test
  void everyType() {
    for (int type = 0; type < 256; type++) {
      if (FrameType.fromCode(type) == null) {
        byte[] frame = array().bytes();
        frame[5] = (byte) type;
        String text = refused(bench(), RawFrame.sealed(frame), ErrorCode.UNKNOWN_CODE);
        assertThat(text).contains("type=" + type);
      }
    }
  }

  @Test
  void everyEncoding() {
    for (int encoding = 0; encoding < 256; encoding++) {
      int code = encoding;
      if (code == 0 || code > 4) {
        String text = refused(array().with(h -> h.encoding = code), ErrorCode.UNKNOWN_CODE);
        assertThat(text).contains("encoding=" + code).contains("agreed=[raw-le(1), raw-be(2)");
      }
      EngineBench bench = bench();
      bench.feed(first());
      if (code != 1) {
        refused(bench, second().with(h -> h.encoding = code).bytes(), ErrorCode.PROTOCOL_VIOLATION);
      }
    }
  }

  @Test
  void everyElementType() {
    for (int type = 0; type < 256; type++) {
      int code = type;
      if (ElementType.fromCode(type) == null) {
        String text = refused(array().with(h -> h.elementType = code), ErrorCode.UNKNOWN_CODE);
        assertThat(text).contains("elementType=" + code).contains("encoding=raw-le");
      }
      EngineBench bench = bench();
      bench.feed(first());
      if (code != ElementType.FLOAT.code()) {
        refused(
            bench, second().with(h -> h.elementType = code).bytes(), ErrorCode.PROTOCOL_VIOLATION);
      }
    }
    // Known, but not in this encoding.
    refused(
        RawFrame.array(Encoding.PROTOBUF.code(), ElementType.SHORT.code(), 1, 1, new byte[2]),
        ErrorCode.UNKNOWN_CODE);
  }

  @Test
  void everyFlag() {
    for (int bit = 0; bit < 16; bit++) {
      int flag = 1 << bit;
      for (RawFrame frame : List.of(array(), RawFrame.control(FrameType.PING, 0))) {
        if ((flag & FrameLayout.KNOWN_FLAGS) == 0) {
          String text = refused(frame.with(h -> h.flags = flag), ErrorCode.UNKNOWN_CODE);
          assertThat(text).contains("flags=0x" + Integer.toHexString(flag));
        }
      }
    }
  }

  @Test
  void otherChannels() {
    for (int channel : new int[] {1, -1}) {
      refused(array().with(h -> h.channel = channel), ErrorCode.UNKNOWN_CODE);
    }
  }

  @Test
  void aChecksumThatWasNotAgreedAndOneThatIsMissing() {
    refused(array().checksummed(), ErrorCode.PROTOCOL_VIOLATION);
    refused(bench(true), array().bytes(), ErrorCode.PROTOCOL_VIOLATION);
    EngineBench bench = bench(true);
    bench.feed(first().checksummed());
    refused(bench, second().bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  // Rows 9 and 10: flipped bits.

  @ParameterizedTest
  @EnumSource(FrameType.class)
  void everyBitOfAHeader(FrameType type) {
    for (int bit = 0; bit < 8 * FrameLayout.HEADER_BYTES; bit++) {
      EngineBench bench = bench();
      RawFrame frame = type == FrameType.ARRAY ? array() : RawFrame.control(type, 1);
      if (type == FrameType.CHUNK) {
        bench.feed(first());
        frame = second();
      }
      byte[] bytes = frame.bytes();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      if (bit < 32) {
        refused(bench, bytes, ErrorCode.BAD_MAGIC);
      } else {
        refused(bench, bytes, ErrorCode.HEADER_CHECKSUM);
      }
    }
  }

  @Test
  void everyBitOfAPayload() {
    for (int bit = 0; bit < 8 * BYTES.length; bit++) {
      byte[] bytes = array().checksummed().bytes();
      bytes[FrameLayout.HEADER_BYTES + bit / 8] ^= (byte) (1 << (bit % 8));
      String text = refused(bench(true), bytes, ErrorCode.PAYLOAD_CHECKSUM);
      assertThat(text).contains("sequence=1").contains("declared=0x").contains("computed=0x");
    }
  }

  @Test
  void everyBitOfAChunk() {
    byte[] right = second().checksummed().bytes();
    for (int bit = 8 * FrameLayout.HEADER_BYTES; bit < 8 * right.length; bit++) {
      EngineBench bench = bench(true);
      bench.feed(first().checksummed());
      byte[] bytes = right.clone();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      refused(bench, bytes, ErrorCode.PAYLOAD_CHECKSUM);
    }
  }

  @Test
  void everyBitOfAttributesAndPrefix() {
    // metadata "ab", in an encoding with a prefix
    byte[] right =
        RawFrame.array(Encoding.JAVA_OBJECT, 1, ArraySlice.of(FLOATS))
            .withAttributes(AttributesBody.write(ArrayAttributes.NONE.with("a", "b")))
            .checksummed()
            .bytes();
    EngineBench taken = bench(true);
    taken.feed(right);
    assertThat(taken.handler.arrays).hasSize(1);
    for (int bit = 8 * FrameLayout.HEADER_BYTES; bit < 8 * right.length; bit++) {
      EngineBench bench = bench(true);
      byte[] bytes = right.clone();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      bench.feed(bytes);
      assertThat(bench.handler.arrays).as("delivered in spite of bit %d", bit).isEmpty();
      bench.end();
      // Damage can be seen before the checksum is there to be compared.
      bench.assertEnded(null == bench.handler.cause ? null : bench.handler.cause.getClass());
      assertThat(bench.handler.cause)
          .matches(each ->
              ErrorCode.PAYLOAD_CHECKSUM.isOf(each)
                  || ErrorCode.MALFORMED_PAYLOAD.isOf(each)
                  || ErrorCode.BAD_LENGTH.isOf(each)
                  || ErrorCode.UNKNOWN_CODE.isOf(each)
                  || ErrorCode.FRAME_TOO_LARGE.isOf(each)
                  || ErrorCode.PROTOCOL_VIOLATION.isOf(each)
                  || ErrorCode.COUNT_MISMATCH.isOf(each));
    }
  }

  // Row 17 and other frames out of place.

  @ParameterizedTest
  @ValueSource(longs = {0, 2, 3, -1, Long.MIN_VALUE, (1L << 32) + 1})
  void arraysOutOfOrder(long sequence) {
    String text = refused(array(sequence), ErrorCode.SEQUENCE_GAP);
    assertThat(text).contains("sequence=" + Long.toUnsignedString(sequence)).contains("expected=1");
  }

  @Test
  void aRepeatedArray() {
    EngineBench bench = bench();
    bench.feed(array());
    refused(bench, array().bytes(), ErrorCode.SEQUENCE_GAP);
  }

  @Test
  void chunksOutOfOrder() {
    for (int element : new int[] {0, 1, 3, 5, 8}) {
      EngineBench bench = bench();
      bench.feed(first());
      String text =
          refused(
              bench, second().with(h -> h.arrayBytes = element).bytes(), ErrorCode.SEQUENCE_GAP);
      assertThat(text).contains("firstElement=" + element).contains("expectedElement=2");
    }
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, second().with(h -> h.sequence = 2).bytes(), ErrorCode.SEQUENCE_GAP);
  }

  @Test
  void aChunkOfAnotherCount() {
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, second().with(h -> h.count = 6).bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void aChunkWithAttributes() {
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, second().withAttributes(new byte[4]).bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void aChunkWithoutAnArray() {
    refused(second(), ErrorCode.PROTOCOL_VIOLATION);
    EngineBench bench = bench();
    bench.feed(array());
    refused(bench, second().bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void anArrayInsideAnArray() {
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, array(2).bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void aGoodbyeInsideAnArray() {
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, RawFrame.control(FrameType.GOODBYE, 0).bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void anArrayAfterAGoodbye() {
    // Something that keeps this side from saying its own at once.
    EngineBench bench = bench();
    bench.writable = 0;
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0));
    bench.feed(array());
    assertThat(bench.handler.arrays).isEmpty();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(bench.frames()).extracting(RawFrame::type).contains(FrameType.ERROR);
  }

  @Test
  void anAbortOfNothing() {
    refused(RawFrame.control(FrameType.ABORT, 1), ErrorCode.PROTOCOL_VIOLATION);
    EngineBench bench = bench();
    bench.feed(first());
    refused(bench, RawFrame.control(FrameType.ABORT, 2).bytes(), ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void anAbortedArrayIsNotDeliveredAndTheNextIs() {
    EngineBench bench = bench();
    bench.feed(first()).feed(RawFrame.control(FrameType.ABORT, 1)).feed(array(2));
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).header().sequence()).isEqualTo(2);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void anAcknowledgementOfNothing(long sequence) {
    String text = refused(RawFrame.control(FrameType.ACK, sequence), ErrorCode.PROTOCOL_VIOLATION);
    assertThat(text).contains("acknowledged=" + Long.toUnsignedString(sequence) + ",");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void aPiggybackedAcknowledgementOfNothing(int sequence) {
    String text =
        refused(
            array()
                .with(h -> {
                  h.flags = FrameLayout.FLAG_ACKNOWLEDGES;
                  h.acknowledged = sequence;
                }),
            ErrorCode.PROTOCOL_VIOLATION);
    assertThat(text).contains("acknowledged=" + Integer.toUnsignedString(sequence) + ",");
  }

  @Test
  void aRejectionOfNothing() {
    for (long sequence : new long[] {1, -1}) {
      String text =
          refused(
              RawFrame.control(
                  FrameType.REJECTED,
                  sequence,
                  FaultBody.write(new ArraywireException(ErrorCode.REJECTED, "no"))),
              ErrorCode.PROTOCOL_VIOLATION);
      assertThat(text).contains("refused=" + Long.toUnsignedString(sequence) + ",");
    }
  }

  @ParameterizedTest
  @EnumSource(FrameType.class)
  void aControlFrameThatIsTooLarge(FrameType type) {
    // Without credit frames of these types are not known at all; see EngineCreditTest,
    // EngineRequestTest, EngineSubscribeTest.
    if (!type.carriesElements()
        && type != FrameType.CREDIT
        && type.code() < FrameType.CANCEL.code()) {
      byte[] body = new byte[FrameLayout.MAX_CONTROL_BYTES + 1];
      String text = refused(RawFrame.control(type, 1, body), ErrorCode.FRAME_TOO_LARGE);
      assertThat(text).contains("declared=1025").contains("limit=1024");
      refused(RawFrame.control(type, 1).withAttributes(new byte[1]), ErrorCode.FRAME_TOO_LARGE);
    }
  }

  @Test
  void bodiesThatAreNone() {
    refused(
        RawFrame.control(FrameType.REJECTED, 0, new byte[] {-1, -1, -1}),
        ErrorCode.MALFORMED_PAYLOAD);
  }

  @Test
  void anErrorFrameThatCannotBeReadIsNotAnswered() {
    EngineBench bench = bench();
    bench.feed(RawFrame.control(FrameType.ERROR, 0, new byte[] {-1, -1, -1}));
    assertThat(bench.frames()).isEmpty();
    bench.assertEnded(RemoteErrorException.class);
    assertThat(bench.handler.cause).isNotNull();
    assertThat(bench.handler.cause.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(bench.handler.cause).hasMessageContaining("cannot be read");
  }

  @Test
  void aPingIsAnswered() {
    EngineBench bench = bench();
    bench.feed(RawFrame.control(FrameType.PING, 0).with(h -> h.tag = 0x123456789abcdef0L));
    assertThat(bench.frame(FrameType.PONG).header().tag).isEqualTo(0x123456789abcdef0L);
    bench.feed(RawFrame.control(FrameType.PONG, 0).with(h -> h.tag = 7));
    assertThat(bench.frames()).isEmpty();
    // Between the chunks of an array, too.
    bench.feed(first()).feed(RawFrame.control(FrameType.PING, 0)).feed(second());
    assertThat(bench.handler.arrays).hasSize(1);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @Test
  void anErrorFrameIsNotAnswered() {
    EngineBench bench = bench();
    byte[] body =
        FaultBody.write(
            new ProtocolException(ErrorCode.BAD_LENGTH, "\u001b[31mtoo long\n", "limit", 7));
    bench.feed(RawFrame.control(FrameType.ERROR, 0, body));
    assertThat(bench.frames()).isEmpty();
    bench.assertEnded(RemoteErrorException.class);
    assertThat(bench.handler.cause).isNotNull();
    assertThat(bench.handler.cause.code()).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(bench.handler.cause).hasMessageContaining("?[31mtoo long? (limit=7)");
  }

  @Test
  void anErrorOfAnUnknownKind() {
    EngineBench bench = bench();
    // code: 9999
    bench.feed(RawFrame.control(FrameType.ERROR, 0, new byte[] {8, (byte) 0x8f, 0x4e}));
    bench.assertEnded(RemoteErrorException.class);
    assertThat(bench.handler.cause).isNotNull();
    assertThat(bench.handler.cause.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(bench.handler.cause).hasMessageContaining("code=9999");
  }

  @Test
  void theCodeOfAnErrorIsUnsigned() {
    EngineBench bench = bench();
    // code: 2^32 - 1
    bench.feed(RawFrame.control(FrameType.ERROR, 0, new byte[] {8, -1, -1, -1, -1, 15}));
    bench.assertEnded(RemoteErrorException.class);
    assertThat(bench.handler.cause).hasMessageContaining("code=4294967295");
  }

  // Row 14 and 15: what a few bytes may cost.

  @Test
  void aPrefixThatDeclaresTwoBillionElementsAllocatesNothing() throws Exception {
    int count = Integer.MAX_VALUE - 8;
    byte[] prefix = new byte[27];
    Encoding.JAVA_OBJECT.putPrefix(ElementType.FLOAT, count, ByteBuffer.wrap(prefix));
    RawFrame frame =
        RawFrame.array(
                Encoding.JAVA_OBJECT.code(),
                ElementType.FLOAT.code(),
                1,
                count,
                Arrays.copyOf(prefix, 31))
            .with(h -> h.arrayBytes = 27 + 4L * count);
    // Within this side's limits, so that only what has come may be allocated for.
    AllocationMeter.Work work =
        () -> {
          EngineBench bench =
              EngineBench.acceptor(
                      EngineBench.options()
                          .checksums(Checksums.UNWANTED)
                          .maxArrayBytes(Long.MAX_VALUE))
                  .open();
          bench.feed(frame).end();
          bench.assertFailed(ErrorCode.TRUNCATED);
        };
    AllocationMeter.Work without =
        () -> {
          EngineBench bench =
              EngineBench.acceptor(
                      EngineBench.options()
                          .checksums(Checksums.UNWANTED)
                          .maxArrayBytes(Long.MAX_VALUE))
                  .open();
          bench.end();
        };
    long own = AllocationMeter.bytesPerRun(without);
    assertThat(AllocationMeter.bytesPerRun(work) - own).isLessThan(ALLOCATION_LIMIT);
    assertThat(refused(frame, ErrorCode.FRAME_TOO_LARGE))
        .contains("declared=" + (27 + 4L * count))
        .contains("limit=" + MAX_ARRAY_BYTES);
  }

  @Test
  void moreElementsThanAnArrayHolds() {
    long count = Integer.MAX_VALUE - 7L;
    EngineBench bench =
        EngineBench.acceptor(
                EngineBench.options().checksums(Checksums.UNWANTED).maxArrayBytes(Long.MAX_VALUE))
            .open();
    RawFrame frame =
        RawFrame.array(1, ElementType.BYTE.code(), 1, count, new byte[1])
            .with(h -> h.arrayBytes = count);
    assertThat(refused(bench, frame.bytes(), ErrorCode.FRAME_TOO_LARGE))
        .contains("declared=" + count);
  }

  @Test
  void receivingFailsAsTheConnectionDid() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(
                Role.ACCEPTOR, EngineBench.options().checksums(Checksums.UNWANTED))
            .open();
    bench.feed(array()).feed(RawFrame.control(FrameType.ABORT, 9)).end();
    assertThat(bench.isEnded()).isTrue();
    // What had come whole is still there.
    assertThat(receive(bench)).isEqualTo(FLOATS);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> receive(bench))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.PROTOCOL_VIOLATION::isOf);
      assertThatThrownBy(() -> bench.connection.send(ArraySlice.of(FLOATS)))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.PROTOCOL_VIOLATION::isOf);
    }
    bench.assertNothingLeaks();
  }

  private static float[] receive(EngineBench bench) throws Exception {
    return bench.connection.receive().floats();
  }
}
