package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Codec} of an encoding {@linkplain Encoding#isInBlocks in blocks} must do, as
 * {@link CodecContract} says it of others. Extend it to check one of your own:
 *
 * <pre>{@code
 * class MyCodecTest extends BlockCodecContract {
 *   @Override
 *   protected Codec codec() {
 *     return new MyCodec();
 *   }
 * }
 * }</pre>
 *
 * <p>A codec that loses bits overrides {@link #acceptable}.
 *
 * <p>Arrays are made from a seed that a failure names; {@code -Darraywire.seed=...} repeats it.
 * Needs some seconds of one processor and, in one test, four threads.
 */
public abstract class BlockCodecContract {
  private static final int[] COUNTS = {1, 2, 3, 7, 8, 9, 31, 64, 127, 255, 256, 257, 1000, 4096};

  private static final int THREADS = 4;

  /** Two, so that no element that is not written looks right by chance. */
  private static final long[] FILLERS = {0x5a5b5c5d5e5f5051L, 0x2122232425262700L};

  /** For JUnit. */
  protected BlockCodecContract() {}

  /**
   * The codec to check.
   *
   * @return the codec; may be a new one or the same at each call
   */
  protected abstract Codec codec();

  /**
   * Whether an element that came back with other bits than it had is still good: for codecs that
   * lose bits.
   *
   * @param type the element type
   * @param sent the element that was encoded, boxed, for example a {@code Float}
   * @param received what was decoded, boxed likewise
   * @return true if the difference is what the codec's documentation allows; by default false
   */
  protected boolean acceptable(ElementType type, Object sent, Object received) {
    return false;
  }

  /** The encoding is in blocks, and the traits do not ask for a way past the codec. */
  @Test
  public final void describesItself() {
    Codec codec = codec();
    assertThat(codec.name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*").hasSizeLessThanOrEqualTo(64);
    assertThat(codec.encoding().isInBlocks()).as("encoding in blocks").isTrue();
    assertThat(types(codec)).as("types that the encoding supports").isNotEmpty();
    assertThat(codec.traits().verbatim()).as("verbatim").isFalse();
    assertThat(codec.traits().elementwise()).as("elementwise").isFalse();
  }

  /**
   * Gives back what it was given, wherever array and buffers lie, in fewer bytes than the elements
   * have; or leaves the position where it was. It touches nothing else.
   */
  @Test
  public final void givesBackWhatItWasGiven() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      for (ElementType type : types(codec)) {
        for (int count : counts(type)) {
          for (Object elements : List.of(type.newArray(count), arrays.array(type, count))) {
            BufferPlacement place = anyPlace(arrays);
            byte[] block = encode(codec, type, elements, count, place);
            if (block.length > 0) {
              checkSame(type, elements, decode(codec, type, block, count, anyPlace(arrays)));
            }
          }
        }
      }
    });
  }

  /** Makes at least a block of zeros smaller: a codec that makes nothing smaller is of no use. */
  @Test
  public final void makesZerosSmaller() {
    Codec codec = codec();
    for (ElementType type : types(codec)) {
      assertThat(zeros(codec, type, 4096)).as("block of zeros (type=" + type + ")").isNotEmpty();
    }
  }

  /**
   * A block that is cut off anywhere is refused. A block with bytes behind its end is refused, or
   * those bytes are left alone.
   */
  @Test
  public final void refusesBlocksOfAnotherLength() {
    Codec codec = codec();
    for (ElementType type : types(codec)) {
      byte[] block = zeros(codec, type, 4096);
      for (int cut = 1; cut < block.length; cut += 1 + block.length / 100) {
        checkRefused(codec, type, Arrays.copyOf(block, cut), 4096);
      }
      checkRefused(codec, type, Arrays.copyOf(block, block.length + 1), 4096);
    }
  }

  /** A block of more or fewer elements than it must have is refused. */
  @Test
  public final void refusesBlocksOfAnotherCount() {
    Codec codec = codec();
    for (ElementType type : types(codec)) {
      byte[] block = zeros(codec, type, 4096);
      checkRefused(codec, type, block, 4095);
      checkRefused(codec, type, block, 4097);
      checkRefused(codec, type, block, 8192);
    }
  }

  /** Any bytes are decoded, to all elements and no others, or refused with the right exception. */
  @Test
  public final void decodesOrRefusesAnyBytes() {
    SeededArrays.check(arrays -> {
      Codec codec = codec();
      for (ElementType type : types(codec)) {
        byte[] valid = zeros(codec, type, 4096);
        for (int round = 0; round < 200; round++) {
          byte[] bytes = arrays.bytes(arrays.between(1, 100));
          if (round % 2 == 0 && valid.length > 0) {
            bytes = valid.clone();
            bytes[arrays.between(0, bytes.length - 1)] ^= (byte) arrays.between(1, 255);
          }
          try {
            Object unused = decodeAny(codec, type, bytes, 4096, anyPlace(arrays));
          } catch (ProtocolException e) {
            // As it must.
          }
        }
      }
    });
  }

  /**
   * Serves four threads at once, each with elements of its own.
   *
   * @throws Exception to fail
   */
  @Test
  public final void servesManyThreads() throws Exception {
    Codec codec = codec();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int seed = t;
        results.add(executor.submit(() -> serve(codec, seed)));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void serve(Codec codec, int seed) {
    for (int round = 0; round < 100; round++) {
      for (ElementType type : types(codec)) {
        int count = Encoding.MAX_BLOCK_BYTES / type.bytes() / 4 - seed;
        Object elements = type.newArray(count);
        for (int i = 0; i < count; i++) {
          NaiveElements.setBits(type, elements, i, i / 500 + seed);
        }
        byte[] block = encode(codec, type, elements, count, BufferPlacement.PLAIN);
        if (block.length > 0) {
          checkSame(type, elements, decode(codec, type, block, count, BufferPlacement.PLAIN));
        }
      }
    }
  }

  private static List<ElementType> types(Codec codec) {
    return Arrays.stream(ElementType.values()).filter(codec.encoding()::supports).toList();
  }

  private static int[] counts(ElementType type) {
    int[] counts = Arrays.copyOf(COUNTS, COUNTS.length + 1);
    counts[COUNTS.length] = Encoding.MAX_BLOCK_BYTES / type.bytes();
    return counts;
  }

  private static BufferPlacement anyPlace(SeededArrays arrays) {
    return BufferPlacement.ALL.get(arrays.between(0, BufferPlacement.ALL.size() - 1));
  }

  private static byte[] zeros(Codec codec, ElementType type, int count) {
    return encode(codec, type, type.newArray(count), count, BufferPlacement.PLAIN);
  }

  /** Encodes a block; returns no bytes if it does not get smaller. */
  private static byte[] encode(
      Codec codec, ElementType type, Object elements, int count, BufferPlacement place) {
    int room = count * type.bytes() - 1;
    if (room == 0) {
      // The engine does not ask.
      return new byte[0];
    }
    String call = describe("encode", type, count, place);
    Object array = type.newArray(place.offset() + count + place.spare());
    NaiveElements.fill(type, array, FILLERS[0]);
    System.arraycopy(elements, 0, array, place.offset(), count);
    Object before = CodecProbe.copy(type, array);
    byte fill = (byte) 0xa5;
    ByteBuffer target = place.buffer(room, fill);
    int from = place.offset();
    target.limit(from + room);
    try {
      codec.encode(type, array, place.offset(), count, target);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(call + " threw " + e, e);
    }
    assertThat(target.limit()).as("limit after " + call).isEqualTo(from + room);
    assertThat(target.position()).as("position after " + call).isBetween(from, from + room);
    int length = target.position() - from;
    target.clear();
    for (int i = 0; i < target.capacity(); i++) {
      if ((i < from || i >= from + room) && target.get(i) != fill) {
        throw new AssertionError(call + " wrote outside its room, at byte " + i);
      }
    }
    int changed = NaiveElements.firstDifference(type, before, 0, array, 0, Array.getLength(array));
    assertThat(changed).as("element that was changed by " + call).isEqualTo(-1);
    byte[] block = new byte[length];
    target.get(from, block);
    return block;
  }

  private static Object decode(
      Codec codec, ElementType type, byte[] block, int count, BufferPlacement place) {
    try {
      return decodeAny(codec, type, block, count, place);
    } catch (ProtocolException e) {
      throw new AssertionError(
          describe("decode", type, count, place) + " refused its own block: " + e.getMessage(), e);
    }
  }

  /**
   * Decodes a block twice, to arrays of other contents; refuses a rest of it, as the engine does.
   */
  private static Object decodeAny(
      Codec codec, ElementType type, byte[] block, int count, BufferPlacement place)
      throws ProtocolException {
    String call = describe("decode", type, count, place);
    Object first = type.newArray(count);
    for (long filler : FILLERS) {
      ByteBuffer source = place.buffer(block.length, (byte) 0x5a);
      source.put(place.offset(), block).limit(place.offset() + block.length);
      int index = place.offset();
      Object array = type.newArray(index + count + 9);
      NaiveElements.fill(type, array, filler);
      Object before = CodecProbe.copy(type, array);
      try {
        codec.decode(type, source, array, index, count);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(call + " threw " + e, e);
      } finally {
        int changed = NaiveElements.firstDifference(type, before, 0, array, 0, index);
        int behind = index + count;
        int beyond = NaiveElements.firstDifference(type, before, behind, array, behind, 9);
        assertThat(Math.max(changed, beyond)).as("elements outside of " + call).isEqualTo(-1);
      }
      if (source.hasRemaining()) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD, "a block goes on", "left", source.remaining());
      }
      Object decoded = type.newArray(count);
      System.arraycopy(array, index, decoded, 0, count);
      if (filler != FILLERS[0]) {
        int at = NaiveElements.firstDifference(type, first, 0, decoded, 0, count);
        assertThat(at).as("element that was not written by " + call).isEqualTo(-1);
      }
      first = decoded;
    }
    return first;
  }

  private static void checkRefused(Codec codec, ElementType type, byte[] block, int count) {
    try {
      Object unused = decodeAny(codec, type, block, count, BufferPlacement.PLAIN);
    } catch (ProtocolException e) {
      return;
    }
    throw new AssertionError(
        describe("decode", type, count, BufferPlacement.PLAIN)
            + " took a block that is none (bytes="
            + block.length
            + ")");
  }

  private void checkSame(ElementType type, Object expected, Object actual) {
    int count = Array.getLength(expected);
    for (int at = 0; at < count; at++) {
      int more = NaiveElements.firstDifference(type, expected, at, actual, at, count - at);
      if (more < 0) {
        return;
      }
      at += more;
      Object sent = Array.get(expected, at);
      Object received = Array.get(actual, at);
      if (!acceptable(type, sent, received)) {
        throw new AssertionError(
            "element "
                + at
                + " came back as another (type="
                + type
                + ", count="
                + count
                + ", sent="
                + sent
                + ", received="
                + received
                + ")");
      }
    }
  }

  private static String describe(
      String verb, ElementType type, int count, BufferPlacement placement) {
    return verb + " (type=" + type.typeName() + ", count=" + count + ", " + placement + ")";
  }
}
