package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.ReceivedArray;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.Portions;
import io.arraywire.testkit.EngineBench.TargetingRecorder;
import io.arraywire.testkit.Takers.Taker;
import io.arraywire.wire.AttributesBody;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that end anywhere, and streams that come in any portions. */
@Tag("newest")
class EngineStreamsTest {

  /** A stream of a connecting peer, and what is in it up to where. */
  private static final class Script {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final List<Object> arrays = new ArrayList<>();
    final List<ArrayAttributes> attributes = new ArrayList<>();

    /** Where something ends, with the number of arrays that are whole there. */
    final TreeMap<Integer, Integer> boundaries = new TreeMap<>();

    final boolean checksums;
    int handshakeEnds;
    int goodbyeEnds = Integer.MAX_VALUE;
    private long sequence;

    Script(boolean checksums) {
      this.checksums = checksums;
      bytes.writeBytes(EngineBench.hello());
      handshakeEnds = bytes.size();
      boundary();
    }

    private void boundary() {
      boundaries.put(bytes.size(), arrays.size());
    }

    private void append(RawFrame frame) {
      bytes.writeBytes((checksums ? frame.checksummed() : frame).bytes());
    }

    void control(FrameType type) {
      bytes.writeBytes(RawFrame.control(type, 0).bytes());
      boundary();
      if (type == FrameType.GOODBYE) {
        goodbyeEnds = bytes.size();
      }
    }

    private List<RawFrame> frames(
        Encoding encoding, Object array, ArrayAttributes attached, int elementsPerFrame) {
      ElementType type = ElementType.of(array);
      byte[] payload = RawFrame.payload(encoding, ArraySlice.ofArray(array));
      sequence++;
      List<RawFrame> frames = new ArrayList<>();
      int width = type.bytes();
      int prefix = encoding.prefixBytes(type, Array.getLength(array));
      int at = (int) Math.min(payload.length, prefix + (long) elementsPerFrame * width);
      RawFrame first =
          RawFrame.array(encoding.code(), type.code(), sequence, Array.getLength(array), payload)
              .withPayload(Arrays.copyOf(payload, at))
              .withAttributes(AttributesBody.write(attached))
              .with(h -> h.tag = attached.tag());
      frames.add(first);
      while (at < payload.length) {
        int to = (int) Math.min(payload.length, at + (long) elementsPerFrame * width);
        frames.add(
            RawFrame.chunk(first, (at - prefix) / width, Arrays.copyOfRange(payload, at, to)));
        at = to;
      }
      return frames;
    }

    void array(Encoding encoding, Object array, ArrayAttributes attached, int elementsPerFrame) {
      frames(encoding, array, attached, elementsPerFrame).forEach(this::append);
      arrays.add(array);
      attributes.add(attached);
      boundary();
    }

    void array(Encoding encoding, Object array, int elementsPerFrame) {
      array(encoding, array, ArrayAttributes.NONE, elementsPerFrame);
    }

    void abortedArray(Encoding encoding, Object array, int elementsPerFrame) {
      append(frames(encoding, array, ArrayAttributes.NONE, elementsPerFrame).get(0));
      bytes.writeBytes(RawFrame.control(FrameType.ABORT, sequence).bytes());
      boundary();
    }

    /** How many arrays are whole in a prefix. */
    int wholeAt(int length) {
      Map.Entry<Integer, Integer> last = boundaries.floorEntry(length);
      return last == null ? 0 : last.getValue();
    }

    TransportOptions.Builder options() {
      return EngineBench.options().checksums(Checksums.of(checksums));
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  /** One of everything. */
  private static Script small(boolean checksums) {
    Script script = new Script(checksums);
    script.array(
        Encoding.RAW_LITTLE_ENDIAN,
        GoldenArrays.array(ElementType.FLOAT, 5),
        ArrayAttributes.of(-7, new long[] {1, 5}, Map.of("abc", "d")),
        5);
    script.control(FrameType.PING);
    script.array(Encoding.JAVA_OBJECT, GoldenArrays.array(ElementType.INT, 5), 2);
    script.array(Encoding.PROTOBUF, GoldenArrays.array(ElementType.DOUBLE, 5), 3);
    script.array(Encoding.RAW_BIG_ENDIAN, new boolean[0], 1);
    script.array(Encoding.JAVA_OBJECT, new long[0], 1);
    script.array(Encoding.RAW_BIG_ENDIAN, GoldenArrays.array(ElementType.SHORT, 5), 1);
    script.abortedArray(Encoding.RAW_LITTLE_ENDIAN, GoldenArrays.array(ElementType.CHAR, 5), 2);
    script.array(Encoding.RAW_LITTLE_ENDIAN, GoldenArrays.array(ElementType.BYTE, 5), 4);
    script.control(FrameType.GOODBYE);
    return script;
  }

  private static void assertDelivered(Script script, int count, List<ReceivedArray> actual) {
    assertThat(actual).hasSize(count);
    for (int i = 0; i < count; i++) {
      ReceivedArray array = actual.get(i);
      assertSame(script.arrays.get(i), array.slice());
      assertThat(array.header().attributes()).isEqualTo(script.attributes.get(i));
    }
  }

  private static void assertSame(Object expected, ArraySlice actual) {
    ElementType type = ElementType.of(expected);
    assertThat(actual.type()).isEqualTo(type);
    assertThat(actual.length()).isEqualTo(Array.getLength(expected));
    for (int i = 0; i < actual.length(); i++) {
      if (!NaiveElements.same(type, expected, i, actual.array(), actual.offset() + i)) {
        throw new AssertionError("elements differ (type=" + type + ", at=" + i + ")");
      }
    }
  }

  // Row 11: every prefix.

  @ParameterizedTest
  @CsvSource({"false, false", "true, true"})
  void everyPrefix(boolean checksums, boolean targeting) {
    assertEveryPrefix(checksums, targeting);
  }

  /** A change passes both values of each with {@link #everyPrefix}. */
  @Tag("variant")
  @ParameterizedTest
  @CsvSource({"false, true", "true, false"})
  void everyPrefixWithOneOfBoth(boolean checksums, boolean targeting) {
    assertEveryPrefix(checksums, targeting);
  }

  private static void assertEveryPrefix(boolean checksums, boolean targeting) {
    Script script = small(checksums);
    byte[] all = script.bytes();
    for (int length = 0; length <= all.length; length++) {
      for (Portions portions : List.of(Portions.everything(), Portions.oneByte())) {
        EngineBench bench =
            targeting
                ? EngineBench.acceptor(script.options(), new TargetingRecorder())
                : EngineBench.acceptor(script.options());
        bench.portions(portions, Portions.everything());
        bench.feed(Arrays.copyOf(all, length)).end();
        ErrorCode cause = null;
        if (length < script.goodbyeEnds) {
          boolean whole = length >= script.handshakeEnds && script.boundaries.containsKey(length);
          cause = whole ? ErrorCode.CONNECTION_RESET : ErrorCode.TRUNCATED;
        }
        if (cause == null) {
          bench.assertEnded(null);
        } else {
          bench.assertFailed(cause);
        }
        if (cause == ErrorCode.TRUNCATED) {
          assertThat(bench.handler.cause)
              .hasMessageContaining("received=")
              .hasMessageContaining("expected=");
        }
        assertDelivered(script, script.wholeAt(length), bench.handler.arrays);
      }
    }
  }

  @Test
  void theTruncatedArrayIsNamedInBytes() {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    byte[] frame =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[100])).bytes();
    bench.feed(Arrays.copyOf(frame, 64 + 123)).end();
    bench.assertFailed(ErrorCode.TRUNCATED);
    assertThat(bench.handler.cause)
        .hasMessageContaining("received=123")
        .hasMessageContaining("expected=400")
        .hasMessageContaining("sequence=1");
  }

  @Test
  void prefixesForReceiversThatWait() throws Exception {
    Script script = small(true);
    byte[] all = script.bytes();
    for (int length = script.handshakeEnds; length <= all.length; length += 1 + length % 4) {
      EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, script.options());
      bench.portions(Portions.random(length), Portions.everything());
      bench.feed(Arrays.copyOf(all, script.handshakeEnds));
      Takers takers = new Takers(bench.connection);
      List<Taker<?>> waiting = new ArrayList<>();
      for (int i = 0; i < script.arrays.size(); i++) {
        Object expected = script.arrays.get(i);
        waiting.add(
            switch (i % 3) {
              case 0 -> takers.begin(bench.connection::receiveLeased);
              case 1 -> takers.begin(bench.connection::receive);
              default -> {
                Object target = ElementType.of(expected).newArray(Array.getLength(expected) + 2);
                ArraySlice slice = ArraySlice.ofArray(target, 1, Array.getLength(expected));
                yield takers.begin(() -> bench.connection.receiveInto(slice));
              }
            });
      }
      bench.feed(Arrays.copyOfRange(all, script.handshakeEnds, length)).end();
      int whole = script.wholeAt(length);
      for (int i = 0; i < whole; i++) {
        Object taken = waiting.get(i).get();
        if (taken instanceof LeasedArray lease) {
          Object copy = lease.header().type().newArray(lease.header().count());
          lease.copyTo(ArraySlice.ofArray(copy));
          lease.close();
          assertSame(script.arrays.get(i), ArraySlice.ofArray(copy));
        } else {
          assertSame(script.arrays.get(i), ((ReceivedArray) taken).slice());
        }
      }
      for (int i = whole; i < waiting.size(); i++) {
        assertThat(waiting.get(i).failure())
            .matches(each ->
                ErrorCode.TRUNCATED.isOf(each)
                    || ErrorCode.CONNECTION_RESET.isOf(each)
                    || ErrorCode.CONNECTION_CLOSED.isOf(each));
      }
      bench.pump();
      assertThat(bench.isEnded()).isTrue();
      bench.assertNothingLeaks();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyPrefixInPlainMode(boolean targeting) {
    Object[] arrays = {
      GoldenArrays.array(ElementType.FLOAT, 5),
      new float[0],
      GoldenArrays.array(ElementType.FLOAT, 1)
    };
    Script script = new Script(false);
    script.bytes.reset();
    script.boundaries.clear();
    script.boundary();
    for (Object array : arrays) {
      script.bytes.writeBytes(ByteBuffer.allocate(4).putInt(Array.getLength(array)).array());
      script.bytes.writeBytes(RawFrame.payload(Encoding.RAW_BIG_ENDIAN, ArraySlice.ofArray(array)));
      script.arrays.add(array);
      script.attributes.add(ArrayAttributes.NONE);
      script.boundary();
    }
    byte[] all = script.bytes();
    for (int length = 0; length <= all.length; length++) {
      for (Portions portions : Portions.each(length)) {
        TransportOptions.Builder options = EngineBench.options().plain(ElementType.FLOAT);
        EngineBench bench =
            targeting
                ? EngineBench.acceptor(options, new TargetingRecorder())
                : EngineBench.acceptor(options);
        bench.portions(portions, Portions.everything());
        bench.feed(Arrays.copyOf(all, length)).end();
        if (script.boundaries.containsKey(length)) {
          bench.assertEnded(null);
        } else {
          bench.assertFailed(ErrorCode.TRUNCATED);
        }
        assertDelivered(script, script.wholeAt(length), bench.handler.arrays);
        assertThat(bench.outBytes()).isEmpty();
      }
    }
  }

  @Test
  void countsInPlainMode() {
    for (int count : new int[] {-1, Integer.MIN_VALUE}) {
      EngineBench bench = EngineBench.acceptor(EngineBench.options().plain(ElementType.FLOAT));
      bench.feed(ByteBuffer.allocate(4).putInt(count).array());
      bench.assertFailed(ErrorCode.BAD_LENGTH);
      assertThat(bench.handler.cause).hasMessageContaining("count=" + count);
      assertThat(bench.outBytes()).isEmpty();
    }
    for (int count : new int[] {26, Integer.MAX_VALUE, Integer.MAX_VALUE - 8}) {
      EngineBench bench =
          EngineBench.acceptor(EngineBench.options().plain(ElementType.FLOAT).maxArrayBytes(100));
      bench.feed(ByteBuffer.allocate(4).putInt(count).array());
      bench.assertFailed(ErrorCode.FRAME_TOO_LARGE);
      assertThat(bench.handler.cause)
          .hasMessageContaining("declared=" + 4L * count)
          .hasMessageContaining("limit=100");
    }
  }

  // Row 12: any split.

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everySplitInTwo(boolean checksums) {
    Script script = small(checksums);
    byte[] all = script.bytes();
    byte[] expectedAnswer = null;
    for (int at = 0; at <= all.length; at++) {
      EngineBench bench = EngineBench.acceptor(script.options());
      bench.feed(Arrays.copyOf(all, at)).feed(Arrays.copyOfRange(all, at, all.length)).end();
      bench.assertEnded(null);
      assertDelivered(script, script.arrays.size(), bench.handler.arrays);
      if (expectedAnswer == null) {
        expectedAnswer = bench.outBytes();
      }
      assertThat(bench.outBytes()).startsWith(Arrays.copyOf(expectedAnswer, 100));
    }
  }

  /** Arrays with many frames, some larger than any window. */
  private static Script large(boolean checksums) {
    Script script = new Script(checksums);
    SeededArrays arrays = SeededArrays.withSeed(12);
    Encoding[] encodings = {
      Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN, Encoding.JAVA_OBJECT, Encoding.PROTOBUF
    };
    int[] counts = {1, 0, 1000, 8191, 8192, 8193, 16385};
    int i = 0;
    for (ElementType type : ElementType.values()) {
      if (!type.isPrimitive()) {
        continue;
      }
      for (int k = 0; k < 3; k++, i++) {
        Encoding encoding = encodings[i % encodings.length];
        int count = counts[i % counts.length];
        script.array(
            encoding.supports(type) ? encoding : Encoding.JAVA_OBJECT,
            arrays.array(type, count),
            i % 2 == 0 ? 1000 : 1 << 17);
        if (i % 5 == 0) {
          script.control(FrameType.PING);
        }
      }
    }
    script.control(FrameType.GOODBYE);
    return script;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 0, -1})
  void everyPortion(int portion) throws Exception {
    Portions portions =
        portion > 0
            ? Portions.fixed(portion)
            : portion == 0 ? Portions.everything() : Portions.random(99);
    for (boolean checksums : new boolean[] {false, true}) {
      Script script = large(checksums);
      for (boolean targeting : new boolean[] {false, true}) {
        EngineBench bench =
            targeting
                ? EngineBench.acceptor(script.options(), new TargetingRecorder())
                : EngineBench.acceptor(script.options());
        bench.portions(portions, portions);
        bench.feed(script.bytes()).end();
        bench.assertEnded(null);
        assertDelivered(script, script.arrays.size(), bench.handler.arrays);
      }
      EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, script.options());
      bench.portions(portions, portions);
      bench.feed(Arrays.copyOf(script.bytes(), script.handshakeEnds));
      Takers takers = new Takers(bench.connection);
      List<Taker<LeasedArray>> leases = new ArrayList<>();
      for (int i = 0; i < script.arrays.size(); i++) {
        leases.add(takers.begin(bench.connection::receiveLeased));
      }
      bench.feed(Arrays.copyOfRange(script.bytes(), script.handshakeEnds, script.bytes().length));
      for (int i = 0; i < leases.size(); i++) {
        LeasedArray lease = leases.get(i).get();
        Object copy = lease.header().type().newArray(lease.header().count());
        lease.copyTo(ArraySlice.ofArray(copy));
        assertSame(script.arrays.get(i), ArraySlice.ofArray(copy));
        // Nothing was copied into the lease but what was read together with a header.
        if (lease.header().count() >= 8191 && portion > 64) {
          assertThat(lease.receipt().copiedBytes()).isLessThan(64L * 20);
        }
        lease.close();
      }
      bench.end();
      bench.assertNothingLeaks();
    }
  }

  @Test
  void theOtherByteOrder() {
    // Row 8: the encoding says how the bytes are to be read, whatever the host's order is.
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    int sequence = 0;
    for (ElementType type : ElementType.values()) {
      for (Encoding encoding : List.of(Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN)) {
        RawFrame frame =
            RawFrame.array(
                encoding.code(), type.code(), ++sequence, 5, GoldenArrays.bytes(encoding, type, 5));
        bench.feed(frame);
        ReceivedArray received = bench.handler.arrays.get(sequence - 1);
        assertThat(received.type()).isEqualTo(type);
        assertSame(GoldenArrays.array(type, 5), received.slice().as(type.carrier()));
      }
    }
  }
}
