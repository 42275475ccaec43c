package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which layout a block gets, and what that makes of elements that repeat and of those that do not.
 */
class LayoutsTest {
  private static final int BLOCK = Encoding.MAX_BLOCK_BYTES / Float.BYTES;
  private static final int BLOCKS = 48;

  /** Of a block of 64 KiB. */
  private static final int FEW_BYTES = 100;

  /** A codec of its own, so that no other test has left it a choice, and its compression alone. */
  enum Made {
    ZSTD(Encoding.SHUFFLE_ZSTD, ZstdCompressor::new),
    LZ4(Encoding.SHUFFLE_LZ4, Lz4Compressor::new);

    private final Encoding encoding;
    private final Supplier<BlockCompressor> compressors;

    Made(Encoding encoding, Supplier<BlockCompressor> compressors) {
      this.encoding = encoding;
      this.compressors = compressors;
    }

    Codec codec() {
      return new ShuffleCodec(encoding, compressors);
    }
  }

  private enum Kind {
    RAW,
    PLANES,
    WHOLE,
    VALUES
  }

  private static byte[] block(Codec codec, ElementType type, Object array, int index, int count) {
    ByteBuffer block = ByteBuffer.allocate(count * type.bytes() - 1);
    codec.encode(type, array, index, count, block);
    return Arrays.copyOf(block.array(), block.position());
  }

  /** The blocks of floats, each of which comes back. */
  private static List<byte[]> blocks(Codec codec, float[] floats) throws Exception {
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i + BLOCK <= floats.length; i += BLOCK) {
      byte[] block = block(codec, ElementType.FLOAT, floats, i, BLOCK);
      blocks.add(block);
      if (block.length > 0) {
        float[] decoded = new float[BLOCK];
        codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), decoded, 0, BLOCK);
        assertThat(Samples.bytes(ElementType.FLOAT, decoded, 0, BLOCK))
            .isEqualTo(Samples.bytes(ElementType.FLOAT, floats, i, BLOCK));
      }
    }
    return blocks;
  }

  private static Kind layout(byte[] block) {
    if (block.length == 0) {
      return Kind.RAW;
    }
    int first = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (first >>> 30 != 1) {
      return Kind.PLANES;
    }
    return first == 1 << 30 ? Kind.WHOLE : Kind.VALUES;
  }

  private static List<Kind> layouts(List<byte[]> blocks) {
    return blocks.stream().map(LayoutsTest::layout).toList();
  }

  private static long total(List<byte[]> blocks) {
    return blocks.stream().mapToInt(block -> block.length == 0 ? 4 * BLOCK : block.length).sum();
  }

  /** What the compression makes of the bytes of each block as they are. */
  private static long plain(Made made, float[] floats) {
    return compressed(made, floats, 1);
  }

  /** What it makes of the planes of each block, with a table of their lengths. */
  private static long planes(Made made, float[] floats) {
    return compressed(made, floats, Float.BYTES);
  }

  private static long compressed(Made made, float[] floats, int pieces) {
    long bytes = 0;
    byte[] planes = new byte[4 * BLOCK];
    try (BlockCompressor compressor = made.compressors.get()) {
      byte[] room = new byte[compressor.mostCompressed(4 * BLOCK)];
      int piece = 4 * BLOCK / pieces;
      for (int i = 0; i + BLOCK <= floats.length; i += BLOCK) {
        byte[] elements = Samples.bytes(ElementType.FLOAT, floats, i, BLOCK);
        Shuffle.split(elements, planes, BLOCK, Float.BYTES);
        long block = pieces == 1 ? 0 : 4 * pieces;
        for (int k = 0; k < pieces; k++) {
          byte[] from = pieces == 1 ? elements : planes;
          block += Math.min(piece, compressor.compress(from, k * piece, piece, room, 0));
        }
        bytes += Math.min(4 * BLOCK, block);
      }
    }
    return bytes;
  }

  // Data from seeds.

  /** Colours of a picture with grain, as floats from 0 to 1. */
  private static float[] pixels(int blocks) {
    Random random = new Random(1);
    float[] floats = new float[blocks * BLOCK];
    for (int i = 0; i < floats.length; i++) {
      double colour = 128 + 90 * Math.sin(i / 3000d) + 15 * random.nextGaussian();
      floats[i] = (float) Math.max(0, Math.min(255, Math.round(colour))) / 255;
    }
    return floats;
  }

  /** Readings that stand still for a while: each has a value of its own. */
  private static float[] standing(int blocks) {
    Random random = new Random(2);
    float[] floats = new float[blocks * BLOCK];
    for (int i = 0; i < floats.length; ) {
      float value = Float.intBitsToFloat(random.nextInt());
      for (int left = 10 + random.nextInt(30); left > 0 && i < floats.length; left--) {
        floats[i++] = value;
      }
    }
    return floats;
  }

  /** A record of many values, again and again. */
  private static float[] records(int blocks, int values) {
    Random random = new Random(3);
    float[] record = new float[values];
    for (int i = 0; i < values; i++) {
      record[i] = Float.intBitsToFloat(random.nextInt());
    }
    float[] floats = new float[blocks * BLOCK];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = record[i % values];
    }
    return floats;
  }

  /** Many values, in any order. */
  private static float[] many(int blocks) {
    float[] values = records(1, 2000);
    Random random = new Random(4);
    float[] floats = new float[blocks * BLOCK];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values[random.nextInt(2000)];
    }
    return floats;
  }

  private static float[] walk(int blocks, double scale, double round) {
    Random random = new Random(5);
    float[] floats = new float[blocks * BLOCK];
    double level = 20;
    for (int i = 0; i < floats.length; i++) {
      level += random.nextGaussian() * scale;
      floats[i] = (float) (round == 0 ? level : Math.round(level * round) / round);
    }
    return floats;
  }

  private static float[] weights(int blocks) {
    Random random = new Random(6);
    float[] floats = new float[blocks * BLOCK];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) random.nextGaussian() * 0.02f;
    }
    return floats;
  }

  // What is promised.

  @ParameterizedTest
  @EnumSource
  void whatRepeatsIsNoLargerThanTheCompressionAlone(Made made) throws Exception {
    for (float[] floats :
        List.of(
            pixels(BLOCKS),
            standing(BLOCKS),
            records(BLOCKS, 100),
            records(BLOCKS, 1000),
            records(BLOCKS, 5000),
            many(BLOCKS))) {
      assertThat(total(blocks(made.codec(), floats)))
          .isLessThanOrEqualTo(plain(made, floats) + BLOCKS * FEW_BYTES);
    }
  }

  /** A table of values makes far smaller what the compression alone finds hard. */
  @ParameterizedTest
  @EnumSource
  void pixelsAreMuchSmaller(Made made) throws Exception {
    float[] pixels = pixels(BLOCKS);
    List<byte[]> blocks = blocks(made.codec(), pixels);
    assertThat(layouts(blocks)).containsOnly(Kind.VALUES);
    assertThat(total(blocks) * 1.4).isLessThan(Math.min(plain(made, pixels), planes(made, pixels)));
    // Readings and prices of two decimals have more values, and indices of two bytes.
    for (float[] floats : List.of(walk(BLOCKS, 0.05, 100), walk(BLOCKS, 0.2, 100))) {
      blocks = blocks(made.codec(), floats);
      assertThat(layouts(blocks)).contains(Kind.VALUES);
      assertThat(total(blocks) * 1.2).isLessThan(planes(made, floats));
    }
  }

  /** Floats that do not repeat go in planes, byte for byte, and none is made in another way. */
  @ParameterizedTest
  @EnumSource
  void smoothFloatsKeepTheirRatio(Made made) throws Exception {
    for (float[] floats : List.of(walk(BLOCKS, 0.02, 0), weights(BLOCKS))) {
      List<byte[]> blocks = blocks(made.codec(), floats);
      assertThat(layouts(blocks)).containsOnly(Kind.PLANES);
      assertThat(total(blocks)).isEqualTo(planes(made, floats));
    }
  }

  /** Within some blocks, as the size of blocks tells of the change. */
  @ParameterizedTest
  @EnumSource
  void aChannelWhoseDataChangesGetsAnotherLayout(Made made) throws Exception {
    Codec codec = made.codec();
    float[] pixels = pixels(8);
    float[] records = records(8, 1500);
    float[] weights = weights(8);
    for (int round = 0; round < 3; round++) {
      assertThat(layouts(blocks(codec, pixels)).subList(1, 8)).containsOnly(Kind.VALUES);
      assertThat(layouts(blocks(codec, records)).subList(1, 8)).containsOnly(Kind.WHOLE);
      // What does not repeat needs no memory.
      assertThat(layouts(blocks(codec, weights))).containsOnly(Kind.PLANES);
    }
    // Another type is asked anew.
    Random random = new Random(8);
    int[] ints = new int[8000];
    Arrays.setAll(ints, i -> 300 * random.nextInt(100));
    assertThat(layout(block(codec, ElementType.INT, ints, 0, 8000))).isEqualTo(Kind.VALUES);
  }

  @ParameterizedTest
  @EnumSource
  void aTableHasSomeValuesOfAnyWidth(Made made) throws Exception {
    for (ElementType type : ElementType.values()) {
      if (!Encoding.SHUFFLE_ZSTD.supports(type)) {
        continue;
      }
      int count = Encoding.MAX_BLOCK_BYTES / type.bytes();
      int most = type.bytes() == 2 ? 256 : Math.min(4096, count / 4);
      for (int values : new int[] {2, 100, 255, 256, 257, 1000, most, most + 1}) {
        Codec codec = made.codec();
        Random random = new Random(values);
        long[] table = random.longs(values).map(bits -> bits & ~0x1fffL).toArray();
        for (int i = 0; i < values; i++) {
          table[i] += i;
        }
        Object array =
            Samples.ofBits(type, count, i -> table[i < values ? i : random.nextInt(values)]);
        byte[] block = block(codec, type, array, 0, count);
        if (type.bytes() == 1) {
          assertThat(layout(block)).isIn(Kind.PLANES, Kind.RAW);
        } else {
          assertThat(layout(block))
              .as("%d values of %s", values, type)
              .isIn(
                  values <= 256
                      ? EnumSet.of(Kind.VALUES)
                      : values <= most
                          ? EnumSet.allOf(Kind.class)
                          : EnumSet.complementOf(EnumSet.of(Kind.VALUES)));
        }
        if (block.length > 0) {
          Object decoded = type.newArray(count);
          codec.decode(type, ByteBuffer.wrap(block), decoded, 0, count);
          assertThat(Samples.bytes(type, decoded, 0, count))
              .isEqualTo(Samples.bytes(type, array, 0, count));
        }
      }
    }
  }

  /** Where one byte differs, its plane is as good as indices, and needs no table. */
  @ParameterizedTest
  @EnumSource
  void valuesThatDifferInOneByteGoInPlanes(Made made) {
    Random random = new Random(7);
    Object ints = Samples.ofBits(ElementType.INT, 9000, i -> 0x0700 + random.nextInt(200));
    assertThat(layout(block(made.codec(), ElementType.INT, ints, 0, 9000))).isEqualTo(Kind.PLANES);
    Object others = Samples.ofBits(ElementType.INT, 9000, i -> 300 * random.nextInt(200));
    assertThat(layout(block(made.codec(), ElementType.INT, others, 0, 9000)))
        .isEqualTo(Kind.VALUES);
  }

  @ParameterizedTest
  @EnumSource
  void everyLayoutAllocatesNothing(Made made) throws Exception {
    Codec codec = made.codec();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ByteBuffer target = ByteBuffer.allocateDirect(4 * BLOCK - 1);
    float[] decoded = new float[BLOCK];
    for (float[] floats :
        List.of(pixels(1), records(1, 1000), records(1, 100), walk(1, 0.2, 100))) {
      // From JDK 22 on zstd-jni makes memory segments for each call: 224 bytes on JDK 25.
      boolean segments = made == Made.ZSTD && Runtime.version().feature() >= 22;
      long most = segments ? 10L * 20 * 256 : 0;
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 200 && least > most; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10; i++) {
          codec.encode(ElementType.FLOAT, floats, 0, BLOCK, target.clear());
          codec.decode(ElementType.FLOAT, target.flip(), decoded, 0, BLOCK);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).isLessThanOrEqualTo(most);
    }
  }
}
