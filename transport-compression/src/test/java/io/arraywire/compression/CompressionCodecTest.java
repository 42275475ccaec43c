package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.sun.management.ThreadMXBean;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Blocks of every codec: what comes back, what is refused, and what the libraries themselves say.
 */
class CompressionCodecTest {
  private static final int[] COUNTS = {1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 8191, 8192};

  static List<Codec> codecs() {
    return Compression.list();
  }

  static List<Codec> lossless() {
    return List.of(Compression.shuffleZstd(), Compression.shuffleLz4());
  }

  private static List<ElementType> types(Codec codec) {
    return Arrays.stream(ElementType.values()).filter(codec.encoding()::supports).toList();
  }

  private static int most(ElementType type) {
    return Encoding.MAX_BLOCK_BYTES / type.bytes();
  }

  /** A block; empty if it does not get smaller. */
  private static byte[] encode(Codec codec, ElementType type, Object array, int index, int count) {
    ByteBuffer target = ByteBuffer.allocate(Math.max(0, count * type.bytes() - 1));
    codec.encode(type, array, index, count, target);
    assertThat(target.limit()).isEqualTo(target.capacity());
    return Arrays.copyOf(target.array(), target.position());
  }

  @Test
  void theyAreFoundByThemselves() {
    assertThat(Codecs.installed()).containsAll(Compression.list());
    assertThat(Compression.list())
        .extracting(Codec::name)
        .containsExactly("shuffle-zstd", "shuffle-lz4", "bf16", "fp16");
    assertThat(Compression.list())
        .extracting(codec -> codec.encoding().code())
        .doesNotHaveDuplicates();
    assertThat(Compression.list()).allMatch(codec -> codec.encoding().isInBlocks());
    assertThat(lossless()).allMatch(codec -> codec.encoding().loss() == null);
    assertThat(Compression.bf16().encoding().loss()).contains("2^-8");
    assertThat(Compression.fp16().encoding().loss()).contains("2^-11");
  }

  @ParameterizedTest
  @MethodSource("lossless")
  void everyBitComesBack(Codec codec) throws Exception {
    for (ElementType type : types(codec)) {
      for (Samples.Kind kind : Samples.Kind.values()) {
        for (int count : COUNTS) {
          check(codec, type, kind, count);
        }
        check(codec, type, kind, most(type) - 1);
        check(codec, type, kind, most(type));
      }
    }
  }

  private static void check(Codec codec, ElementType type, Samples.Kind kind, int count)
      throws ProtocolException {
    Object array = Samples.array(type, count + 3, kind);
    byte[] block = encode(codec, type, array, 2, count);
    if (kind == Samples.Kind.NOISE && type != ElementType.BOOLEAN) {
      assertThat(block).as("noise of %s", type).isEmpty();
    }
    if (count >= 1000 && kind != Samples.Kind.NOISE) {
      assertThat(block).as("%s of %s", kind, type).hasSizeBetween(1, count * type.bytes() * 9 / 10);
    }
    if (block.length == 0) {
      return;
    }
    byte[] expected = Samples.bytes(type, array, 2, count);
    for (ByteBuffer source :
        List.of(
            ByteBuffer.wrap(block),
            ByteBuffer.wrap(block).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN),
            ByteBuffer.allocateDirect(block.length + 9).position(9).put(block).position(9),
            ByteBuffer.wrap(Arrays.copyOf(block, block.length + 5), 0, block.length))) {
      Object decoded = Samples.array(type, count + 5, Samples.Kind.NOISE);
      byte[] before = Samples.bytes(type, decoded, 0, 4);
      codec.decode(type, source, decoded, 4, count);
      assertThat(source.hasRemaining()).isFalse();
      assertThat(Samples.bytes(type, decoded, 4, count)).isEqualTo(expected);
      assertThat(Samples.bytes(type, decoded, 0, 4)).isEqualTo(before);
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(7 + count * type.bytes());
    codec.encode(type, array, 2, count, direct.position(7).limit(6 + count * type.bytes()));
    // The block may have another layout: what comes back is the same.
    Object again = type.newArray(count);
    codec.decode(type, direct.flip().position(7), again, 0, count);
    assertThat(Samples.bytes(type, again, 0, count)).isEqualTo(expected);
  }

  @Test
  void halvesAreWhatTheTypesOf16BitsAre() throws Exception {
    float[] floats = (float[]) Samples.array(ElementType.FLOAT, 5000, Samples.Kind.NOISE);
    for (Codec codec : List.of(Compression.bf16(), Compression.fp16())) {
      byte[] block = encode(codec, ElementType.FLOAT, floats, 3, 4000);
      assertThat(block).hasSize(8000);
      ByteBuffer halves = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
      float[] decoded = new float[4001];
      codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), decoded, 1, 4000);
      for (int i = 0; i < 4000; i++) {
        int bits = Float.floatToRawIntBits(floats[3 + i]);
        short half = codec == Compression.bf16() ? Halves.toBf16(bits) : Halves.toFp16(bits);
        assertThat(halves.getShort(2 * i)).isEqualTo(half);
        int back = codec == Compression.bf16() ? Halves.fromBf16(half) : Halves.fromFp16(half);
        assertThat(Float.floatToRawIntBits(decoded[1 + i])).isEqualTo(back);
      }
      assertThat(types(codec)).containsExactly(ElementType.FLOAT);
    }
  }

  /** The libraries' own decoders, and planes put together one byte at a time. */
  @ParameterizedTest
  @MethodSource("lossless")
  void theLibrariesReadThePlanesAlike(Codec codec) throws Exception {
    boolean zstd = codec == Compression.shuffleZstd();
    for (ElementType type : types(codec)) {
      int count = most(type) - 5;
      int width = type.bytes();
      // No element repeats another, so they are in planes.
      Object array = Samples.ofBits(type, count, i -> 0x3f800000L + 37L * i);
      byte[] block = encode(codec, type, array, 0, count);
      ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
      byte[] elements = new byte[count * width];
      int at = 4 * width;
      for (int k = 0; k < width; k++) {
        int word = words.getInt(4 * k);
        byte[] plane = Arrays.copyOfRange(block, at, at + (word & Integer.MAX_VALUE));
        at += plane.length;
        if (word >= 0) {
          plane =
              zstd
                  ? Zstd.decompress(plane, count)
                  : LZ4Factory.safeInstance().safeDecompressor().decompress(plane, count);
        }
        assertThat(plane).hasSize(count);
        for (int i = 0; i < count; i++) {
          elements[i * width + k] = plane[i];
        }
      }
      assertThat(at).isEqualTo(block.length);
      assertThat(elements).isEqualTo(Samples.bytes(type, array, 0, count));
    }
  }

  /** Another program made the blocks, by the page and by the formats' own specifications. */
  @Test
  void theBytesAreThoseOfThePage() throws Exception {
    float[] same = new float[300];
    Arrays.fill(same, 1.5f);
    for (Codec codec : lossless()) {
      float[] decoded = new float[300];
      byte[] block = golden("array-" + codec.name(), codec, 300);
      codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), decoded, 0, 300);
      assertThat(decoded).isEqualTo(same);
    }
    float[] values = {1f, -2.5f, 0.1f};
    for (Codec codec : List.of(Compression.bf16(), Compression.fp16())) {
      byte[] block = golden("array-float-" + codec.name(), codec, 3);
      assertThat(encode(codec, ElementType.FLOAT, values, 0, 3)).isEqualTo(block);
    }
  }

  /** The block of a frame that holds one. */
  private static byte[] golden(String name, Codec codec, int count) throws Exception {
    List<byte[]> blocks = GoldenBlocks.of(name, codec, count);
    assertThat(blocks).hasSize(1);
    return blocks.get(0);
  }

  // Hostile blocks.

  @ParameterizedTest
  @MethodSource("codecs")
  void whatIsCutOrLengthenedIsRefused(Codec codec) {
    Object array = Samples.array(ElementType.FLOAT, 2000, Samples.Kind.WALK);
    byte[] block = encode(codec, ElementType.FLOAT, array, 0, 2000);
    for (int length = 0; length <= block.length + 1; length += length > 100 ? 37 : 1) {
      if (length != block.length) {
        refused(codec, Arrays.copyOf(block, length), 2000);
      }
    }
    refused(codec, block, 1999);
    refused(codec, block, 2001);
  }

  private static void refused(Codec codec, byte[] block, int count) {
    float[] target = new float[count + 1];
    target[count] = 7;
    assertThatThrownBy(
            () -> codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), target, 0, count))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.MALFORMED_PAYLOAD::isOf);
    assertThat(target[count]).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void whatIsDamagedIsRefusedOrDecodedToSomething(Codec codec) {
    Random random = new Random(25);
    for (ElementType type : types(codec)) {
      int count = 500;
      byte[] right = encode(codec, type, Samples.array(type, count, Samples.Kind.WALK), 0, count);
      for (int round = 0; round < 300; round++) {
        byte[] block = right.clone();
        for (int k = random.nextInt(3); k >= 0; k--) {
          block[random.nextInt(block.length)] = (byte) random.nextInt();
        }
        Object target = type.newArray(count);
        try {
          codec.decode(type, ByteBuffer.wrap(block), target, 0, count);
        } catch (ProtocolException e) {
          assertThat(e).matches(ErrorCode.MALFORMED_PAYLOAD::isOf);
          assertThat(e.getMessage().length()).isLessThanOrEqualTo(300);
        }
      }
    }
  }

  /** A plane that becomes more than it may is not written beyond its place. */
  @ParameterizedTest
  @MethodSource("lossless")
  void aPlaneThatBecomesMoreThanItMayIsRefused(Codec codec) {
    byte[] many = new byte[60_000];
    byte[] plane =
        codec == Compression.shuffleZstd()
            ? Zstd.compress(many)
            : LZ4Factory.safeInstance().fastCompressor().compress(many);
    byte[] block =
        ByteBuffer.allocate(4 + plane.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(plane.length)
            .put(plane)
            .array();
    byte[] target = new byte[60_001];
    for (int count : new int[] {plane.length + 1, 59_999, 60_001}) {
      assertThatThrownBy(
              () -> codec.decode(ElementType.BYTE, ByteBuffer.wrap(block), target, 0, count))
          .isInstanceOf(ProtocolException.class);
    }
  }

  // Threads and garbage.

  private static float[] throughABlock(Codec codec, float[] floats) throws ProtocolException {
    byte[] block = encode(codec, ElementType.FLOAT, floats, 0, floats.length);
    float[] decoded = new float[floats.length];
    codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), decoded, 0, decoded.length);
    return decoded;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void servesManyThreads(Codec codec) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        float[] floats =
            (float[]) Samples.array(ElementType.FLOAT, 3000 + thread, Samples.Kind.WALK);
        float[] right = throughABlock(codec, floats);
        all.add(() -> {
          for (int i = 0; i < 200; i++) {
            float[] decoded = throughABlock(codec, floats);
            assertThat(decoded).isEqualTo(right);
            assertThat(throughABlock(codec, decoded)).isEqualTo(right);
          }
          return null;
        });
      }
      for (Future<Void> each : executor.invokeAll(all)) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void allocatesNothing(Codec codec) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (ElementType type : types(codec)) {
      Object array = Samples.array(type, 8000, Samples.Kind.WALK);
      ByteBuffer target = ByteBuffer.allocateDirect(8000 * type.bytes() - 1);
      Object decoded = type.newArray(8000);
      long least = Long.MAX_VALUE;
      // From JDK 22 on zstd-jni makes memory segments for each call: 224 bytes on JDK 25.
      boolean segments = codec == Compression.shuffleZstd() && Runtime.version().feature() >= 22;
      // A block is at most a plane for each byte, and two for indices.
      long most = segments ? 10L * 2 * (type.bytes() + 2) * 256 : 0;
      // Until the compiler has seen it, a call of a VarHandle may take some bytes, too.
      for (int round = 0; round < 200 && least > most; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10; i++) {
          codec.encode(type, array, 0, 8000, target.clear());
          codec.decode(type, target.flip(), decoded, 0, 8000);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least)
          .as("bytes for 10 blocks of %s of %s", codec, type)
          .isLessThanOrEqualTo(most);
    }
  }
}
