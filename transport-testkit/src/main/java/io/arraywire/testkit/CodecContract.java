package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Codec} must do. Extend it to check one of your own:
 *
 * <pre>{@code
 * class MyCodecTest extends CodecContract {
 *   @Override
 *   protected Codec codec() {
 *     return new MyCodec();
 *   }
 * }
 * }</pre>
 *
 * <p>A codec of a standard encoding is compared with a naive encoder and decoder of the contract's
 * own and with golden files. It must keep every bit. Of a {@linkplain Encoding#custom custom}
 * encoding the contract knows only what the encoding says itself. Its codec must give back what it
 * was given, bit by bit unless {@link #acceptable} says otherwise. It must make the same bytes
 * anywhere, and in any number of pieces.
 *
 * <p>Arrays are made from a seed that a failure names; {@code -Darraywire.seed=...} repeats it.
 * Needs some seconds of one processor and, in one test, four threads.
 */
public abstract class CodecContract {
  /**
   * Around the powers of two, and the sizes of the buffers inside the JDK and inside codecs. (1 KiB
   * in object streams; windows of some KiB.) There loops over windows go wrong.
   */
  private static final int[] COUNTS = {
    1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511,
    512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 16383, 16384,
    16385
  };

  /**
   * A codec whose elements are moved one by one has no windows; those of the JDK's streams below it
   * have 8 KiB.
   */
  private static final int MOST_ELEMENTWISE_BYTES = 17 << 10;

  private static final int MANY = 1 << 16;

  /** A window and a stream or two are fine; anything that grows with the array is not. */
  private static final long ALLOCATION_LIMIT = 64 << 10;

  private static final int THREADS = 4;

  /** For JUnit. */
  protected CodecContract() {}

  /**
   * The codec to check.
   *
   * @return the codec; may be a new one or the same at each call
   */
  protected abstract Codec codec();

  /**
   * Whether an element that came back with other bits than it had is still good: for lossy codecs
   * of custom encodings. Not asked for standard encodings, which must keep every bit.
   *
   * @param type the element type
   * @param sent the element that was encoded, boxed, for example a {@code Float}
   * @param received what was decoded, boxed likewise
   * @return true if the difference is what the codec's documentation allows; by default false
   */
  protected boolean acceptable(ElementType type, Object sent, Object received) {
    return false;
  }

  /** Name, encoding and traits are well-formed and stay as they are. */
  @Test
  public final void describesItself() {
    Codec codec = codec();
    assertThat(codec.name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*").hasSizeLessThanOrEqualTo(64);
    assertThat(types(codec)).as("types that the encoding supports").isNotEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(codec().name()).as("name at every call").isEqualTo(codec.name());
      assertThat(codec().encoding()).as("encoding at every call").isEqualTo(codec.encoding());
      assertThat(codec().traits()).as("traits at every call").isNotNull().isEqualTo(codec.traits());
    }
  }

  /** Encodes right, wherever the array's slice and the buffer lie, and touches nothing else. */
  @Test
  public final void encodesTheSameEverywhere() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      CodecProbe probe = new CodecProbe(codec);
      for (ElementType type : types(codec)) {
        for (int count : counts(codec, type)) {
          Object elements = arrays.array(type, count);
          byte[] expected = reference(codec, type, elements);
          for (BufferPlacement place : BufferPlacement.ALL) {
            Object array = framed(type, elements, count, place);
            byte[] actual = probe.encode(type, array, place.offset(), count, place);
            int at = Arrays.mismatch(expected, actual);
            if (at >= 0) {
              throw new AssertionError(
                  String.format(
                      "encoded bytes differ (type=%s, count=%d, %s, at=%d, expected=0x%02x,"
                          + " actual=0x%02x)",
                      type.typeName(), count, place, at, expected[at], actual[at]));
            }
          }
        }
      }
    });
  }

  /** Decodes right, wherever the buffer and the array's slice lie, and touches nothing else. */
  @Test
  public final void decodesTheSameEverywhere() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      CodecProbe probe = new CodecProbe(codec);
      for (ElementType type : types(codec)) {
        for (int count : counts(codec, type)) {
          Object elements = arrays.array(type, count);
          byte[] bytes = reference(codec, type, elements);
          Object first = probe.decode(type, bytes, count, BufferPlacement.PLAIN, false);
          checkReceived(codec, type, elements, first, "decode");
          for (BufferPlacement place : BufferPlacement.ALL) {
            Object decoded = probe.decode(type, bytes, count, place, false);
            checkSame(type, first, decoded, "decoded at " + place);
          }
        }
      }
    });
  }

  /** Decodes from buffers that cannot be written to, which have no accessible array. */
  @Test
  public final void decodesReadOnlyMemory() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      CodecProbe probe = new CodecProbe(codec);
      for (ElementType type : types(codec)) {
        int count = arrays.between(1, 100);
        Object elements = arrays.array(type, count);
        byte[] bytes = reference(codec, type, elements);
        for (BufferPlacement place : BufferPlacement.ALL) {
          Object decoded = probe.decode(type, bytes, count, place, true);
          checkReceived(codec, type, elements, decoded, "decode of read-only memory");
        }
      }
    });
  }

  /** Keeps NaN payloads, negative zeros, denormals, infinities and extremes. */
  @Test
  public final void keepsSpecialValues() {
    Codec codec = codec();
    CodecProbe probe = new CodecProbe(codec);
    for (ElementType type : types(codec)) {
      Object specials = SeededArrays.specials(type);
      int count = Array.getLength(specials);
      for (BufferPlacement.Memory memory : BufferPlacement.Memory.values()) {
        for (boolean tight : new boolean[] {true, false}) {
          BufferPlacement place = new BufferPlacement(memory, 0, ByteOrder.BIG_ENDIAN, tight);
          byte[] bytes = probe.encode(type, framed(type, specials, count, place), 0, count, place);
          Object received = probe.decode(type, bytes, count, place, false);
          checkReceived(codec, type, specials, received, "special values at " + place);
        }
      }
    }
  }

  /**
   * Encoding in any pieces gives the same bytes as in one piece, and decoding the same elements.
   */
  @Test
  public final void isTheSameInAnyPieces() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      CodecProbe probe = new CodecProbe(codec);
      for (ElementType type : types(codec)) {
        for (int count : new int[] {2, 3, 17, 1025, 16385}) {
          Object elements = arrays.array(type, count);
          byte[] whole = probe.encode(type, elements, 0, count, BufferPlacement.PLAIN);
          Object decoded = probe.decode(type, whole, count, BufferPlacement.PLAIN, false);
          for (List<Integer> pieces : splits(arrays, count)) {
            checkPieces(codec, type, elements, whole, decoded, pieces);
          }
        }
      }
    });
  }

  /** What it does depends on nothing that it did before. */
  @Test
  public final void remembersNothing() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      CodecProbe probe = new CodecProbe(codec);
      List<ElementType> types = types(codec);
      for (ElementType type : types) {
        Object elements = arrays.array(type, 33);
        byte[] first = probe.encode(type, elements, 0, 33, BufferPlacement.PLAIN);
        Object decoded = probe.decode(type, first, 33, BufferPlacement.PLAIN, false);
        for (int round = 0; round < 12; round++) {
          // One, two or three, so that no fault hides that comes at every second or third call.
          for (int others = round % 3; others >= 0; others--) {
            ElementType other = types.get(arrays.between(0, types.size() - 1));
            int count = arrays.between(1, 99);
            byte[] bytes =
                probe.encode(other, arrays.array(other, count), 0, count, BufferPlacement.PLAIN);
            probe.decode(other, bytes, count, BufferPlacement.PLAIN, false);
          }
          String when = "after other elements (type=" + type.typeName() + ")";
          assertThat(probe.encode(type, elements, 0, 33, BufferPlacement.PLAIN))
              .as("encoded " + when)
              .isEqualTo(first);
          checkSame(
              type,
              decoded,
              probe.decode(type, first, 33, BufferPlacement.PLAIN, false),
              "decoded " + when);
        }
      }
    });
  }

  /**
   * Decodes arbitrary bytes, or refuses them with {@link ProtocolException} ({@link
   * ErrorCode#MALFORMED_PAYLOAD}).
   */
  @Test
  public final void decodesOrRefusesAnyBytes() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      for (ElementType type : types(codec)) {
        int size = codec.encoding().elementBytes(type);
        for (int value = 0; value < 256; value++) {
          byte[] bytes = new byte[5 * size];
          Arrays.fill(bytes, (byte) value);
          checkAnyBytes(codec, type, bytes, 5, arrays);
        }
        for (int round = 0; round < 300; round++) {
          int count = arrays.between(1, 200);
          checkAnyBytes(codec, type, arrays.bytes(count * size), count, arrays);
        }
      }
    });
  }

  /**
   * Allocates no more for many elements than for few.
   *
   * @throws Exception to fail
   */
  @Test
  public final void allocatesNothingPerElement() throws Exception {
    assumeTrue(AllocationMeter.isSupported(), "this JVM cannot count what a thread allocates");
    Codec codec = codec();
    for (ElementType type : types(codec)) {
      Object array = SeededArrays.withSeed(1).array(type, MANY);
      int bytes = MANY * codec.encoding().elementBytes(type);
      for (ByteBuffer buffer :
          new ByteBuffer[] {ByteBuffer.allocate(bytes), ByteBuffer.allocateDirect(bytes)}) {
        long encode =
            AllocationMeter.bytesPerRun(() -> codec.encode(type, array, 0, MANY, buffer.clear()));
        long decode =
            AllocationMeter.bytesPerRun(() -> codec.decode(type, buffer.clear(), array, 0, MANY));
        String what = " (type=" + type + ", elements=" + MANY + ", buffer=" + buffer + ")";
        assertThat(encode).as("bytes allocated by encode" + what).isLessThan(ALLOCATION_LIMIT);
        assertThat(decode).as("bytes allocated by decode" + what).isLessThan(ALLOCATION_LIMIT);
      }
    }
  }

  /**
   * Serves four threads at once, each with elements of its own.
   *
   * @throws Exception to fail
   */
  @Test
  public final void servesManyThreads() throws Exception {
    Codec codec = codec();
    List<ElementType> types = types(codec);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        Callable<Object> work =
            () -> {
              SeededArrays.check(arrays -> serveOneThread(codec, types, thread, start, arrays));
              return thread;
            };
        results.add(executor.submit(work));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * Writes and reads the golden files, if the encoding is a standard one.
   *
   * @throws Exception to fail
   */
  @Test
  public final void matchesTheGoldenFiles() throws Exception {
    Codec codec = codec();
    Encoding encoding = codec.encoding();
    assumeTrue(encoding.hasPlainElements(), "there are no golden files for custom encodings");
    for (ElementType type : types(codec)) {
      for (int count : GoldenArrays.COUNTS) {
        String what = encoding + " " + type.typeName() + "[" + count + "]";
        Object array = GoldenArrays.array(type, count);
        byte[] golden = GoldenArrays.bytes(encoding, type, count);
        assertThat(encoding.encodedBytes(type, count)).as(what).isEqualTo(golden.length);

        ByteBuffer target = ByteBuffer.allocate(golden.length);
        encoding.putPrefix(type, count, target);
        if (count > 0) {
          codec.encode(type, array, 0, count, target);
        }
        assertThat(target.array()).as("encoded " + what).isEqualTo(golden);

        ByteBuffer source = ByteBuffer.wrap(golden);
        encoding.checkPrefix(type, count, source);
        Object decoded = type.newArray(count);
        if (count > 0) {
          codec.decode(type, source, decoded, 0, count);
        }
        assertThat(source.remaining()).as("bytes left of " + what).isZero();
        checkSame(type, array, decoded, "decoded " + what);
      }
    }
  }

  private void serveOneThread(
      Codec codec, List<ElementType> types, int thread, CyclicBarrier start, SeededArrays arrays)
      throws Exception {
    CodecProbe probe = new CodecProbe(codec);
    ElementType[] own = new ElementType[types.size()];
    Object[] elements = new Object[own.length];
    byte[][] bytes = new byte[own.length][];
    int count = 3000 + thread;
    for (int i = 0; i < own.length; i++) {
      own[i] = types.get((i + thread) % own.length);
      elements[i] = arrays.array(own[i], count);
      // Alone for now, or the reference would be as wrong as the rest.
      synchronized (start) {
        bytes[i] = reference(codec, own[i], elements[i]);
      }
    }
    // With a time limit: a thread that failed before it got here would keep the others for ever.
    start.await(60, TimeUnit.SECONDS);
    for (int round = 0; round < 25 * own.length; round++) {
      int i = round % own.length;
      byte[] encoded = probe.encode(own[i], elements[i], 0, count, BufferPlacement.PLAIN);
      assertThat(Arrays.mismatch(bytes[i], encoded))
          .as("first encoded byte that another thread spoiled (type=" + own[i] + ")")
          .isEqualTo(-1);
      Object decoded = probe.decode(own[i], bytes[i], count, BufferPlacement.PLAIN, false);
      checkReceived(codec, own[i], elements[i], decoded, "decode beside other threads");
    }
  }

  private static List<ElementType> types(Codec codec) {
    return Arrays.stream(ElementType.values()).filter(codec.encoding()::supports).toList();
  }

  private static int[] counts(Codec codec, ElementType type) {
    int most = codec.traits().elementwise() ? MOST_ELEMENTWISE_BYTES / type.bytes() : MANY;
    return Arrays.stream(COUNTS).filter(count -> count <= most).toArray();
  }

  /** The right bytes: of the naive encoder, or of the codec itself where only it knows. */
  private static byte[] reference(Codec codec, ElementType type, Object elements) {
    int count = Array.getLength(elements);
    return codec.encoding().hasPlainElements()
        ? NaiveElements.encode(type, elements, 0, count, codec.encoding().order())
        : new CodecProbe(codec).encode(type, elements, 0, count, BufferPlacement.PLAIN);
  }

  /** Elements inside a larger array, with others before and after that must not be encoded. */
  private static Object framed(
      ElementType type, Object elements, int count, BufferPlacement place) {
    Object array = type.newArray(place.offset() + count + place.spare());
    NaiveElements.fill(type, array, 0x5152535455565758L);
    System.arraycopy(elements, 0, array, place.offset(), count);
    return array;
  }

  private static List<List<Integer>> splits(SeededArrays arrays, int count) {
    List<List<Integer>> splits = new ArrayList<>();
    splits.add(List.of(1, count - 1));
    splits.add(List.of(count - 1, 1));
    splits.add(List.of(count / 2, count - count / 2));
    List<Integer> ones = new ArrayList<>();
    for (int i = 0; i < Math.min(count, 1025); i++) {
      ones.add(1);
    }
    if (count > ones.size()) {
      ones.add(count - ones.size());
    }
    splits.add(ones);
    for (int i = 0; i < 5; i++) {
      List<Integer> pieces = new ArrayList<>();
      for (int left = count; left > 0; ) {
        int piece = arrays.between(1, Math.max(1, Math.min(left, 1 + count / 4)));
        pieces.add(piece);
        left -= piece;
      }
      splits.add(pieces);
    }
    return splits;
  }

  private static void checkPieces(
      Codec codec,
      ElementType type,
      Object elements,
      byte[] whole,
      Object decodedWhole,
      List<Integer> pieces)
      throws ProtocolException {
    ByteBuffer target = ByteBuffer.allocate(whole.length);
    ByteBuffer source = ByteBuffer.wrap(whole);
    Object decoded = type.newArray(Array.getLength(elements));
    int index = 0;
    for (int piece : pieces) {
      codec.encode(type, elements, index, piece, target);
      codec.decode(type, source, decoded, index, piece);
      index += piece;
    }
    String what = " in pieces (type=" + type + ", pieces=" + pieces + ")";
    assertThat(Arrays.mismatch(whole, target.array()))
        .as("first byte that is another when encoded" + what)
        .isEqualTo(-1);
    checkSame(type, decodedWhole, decoded, "decoded" + what);
  }

  private static void checkAnyBytes(
      Codec codec, ElementType type, byte[] bytes, int count, SeededArrays arrays) {
    CodecProbe probe = new CodecProbe(codec);
    BufferPlacement place =
        BufferPlacement.ALL.get(arrays.between(0, BufferPlacement.ALL.size() - 1));
    Object decoded;
    try {
      decoded = probe.decodeAny(type, bytes, count, place, false);
    } catch (ProtocolException e) {
      if (codec.encoding().hasPlainElements()) {
        throw new AssertionError("refused elements of a standard encoding: all are valid", e);
      }
      return;
    }
    if (codec.encoding().hasPlainElements()) {
      Object expected = NaiveElements.decode(type, bytes, count, codec.encoding().order());
      checkSame(type, expected, decoded, "decoded arbitrary bytes");
    }
  }

  private void checkReceived(
      Codec codec, ElementType type, Object sent, Object received, String what) {
    boolean exact = codec.encoding().hasPlainElements();
    int count = Array.getLength(sent);
    for (int i = 0; i < count; i++) {
      if (!NaiveElements.same(type, sent, i, received, i)
          && (exact || !acceptable(type, Array.get(sent, i), Array.get(received, i)))) {
        throw different(type, sent, received, i, what);
      }
    }
  }

  private static void checkSame(ElementType type, Object expected, Object actual, String what) {
    int count = Array.getLength(expected);
    int at = NaiveElements.firstDifference(type, expected, 0, actual, 0, count);
    if (at >= 0) {
      throw different(type, expected, actual, at, what);
    }
  }

  private static AssertionError different(
      ElementType type, Object expected, Object actual, int i, String what) {
    return new AssertionError(
        String.format(
            "element is another, %s (type=%s, count=%d, at=%d, expected=%s, actual=%s,"
                + " expectedBits=0x%x, actualBits=0x%x)",
            what,
            type.typeName(),
            Array.getLength(expected),
            i,
            Array.get(expected, i),
            Array.get(actual, i),
            NaiveElements.bits(type, expected, i),
            NaiveElements.bits(type, actual, i)));
  }
}
