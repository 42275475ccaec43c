package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks as wholes and with values, by another program: read as they are, refused when broken. */
class BrokenLayoutsTest {
  private static final int COUNT = 300;
  private static final int OTHER = 1 << 30;
  private static final int RAW = 1 << 31;

  /** Where the words of a block of two floats and their indices are. */
  private static final int FIRST_PLANE = 4;

  private static final int INDICES = 20;
  private static final int WORDS = 24;

  static List<Codec> codecs() {
    return List.of(Compression.shuffleZstd(), Compression.shuffleLz4());
  }

  private static byte[] golden(Codec codec, int block) throws Exception {
    return GoldenBlocks.of("array-" + codec.name() + "-layouts", codec, COUNT).get(block);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void theBytesAreThoseOfThePage(Codec codec) throws Exception {
    float[] decoded = new float[COUNT];
    float[] expected = new float[COUNT];
    Arrays.fill(expected, 1.5f);
    codec.decode(ElementType.FLOAT, ByteBuffer.wrap(golden(codec, 0)), decoded, 0, COUNT);
    assertThat(decoded).isEqualTo(expected);
    Arrays.fill(expected, 200, COUNT, 0.1f);
    codec.decode(ElementType.FLOAT, ByteBuffer.wrap(golden(codec, 1)), decoded, 0, COUNT);
    assertThat(decoded).isEqualTo(expected);
  }

  private static void refused(
      Codec codec, ElementType type, int count, byte[] block, String words) {
    Object target = type.newArray(count);
    byte[] before = Samples.bytes(type, target, 0, count);
    assertThatThrownBy(() -> codec.decode(type, ByteBuffer.wrap(block), target, 0, count))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.MALFORMED_PAYLOAD::isOf)
        .hasMessageContaining(words);
    assertThat(Samples.bytes(type, target, 0, count)).isEqualTo(before);
  }

  private static void refused(Codec codec, byte[] block, String words) {
    refused(codec, ElementType.FLOAT, COUNT, block, words);
  }

  private static byte[] changed(byte[] block, int at, int word) {
    byte[] changed = block.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, word);
    return changed;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void brokenWholesAreRefused(Codec codec) throws Exception {
    byte[] block = golden(codec, 0);
    refused(codec, Arrays.copyOf(block, 4), "too short");
    for (int length = 5; length < block.length; length++) {
      refused(codec, Arrays.copyOf(block, length), "malformed");
    }
    refused(codec, Arrays.copyOf(block, block.length + 1), "malformed");
    refused(codec, ElementType.FLOAT, COUNT - 1, block, "malformed");
    refused(codec, ElementType.FLOAT, COUNT + 1, block, "malformed");
    refused(codec, ElementType.DOUBLE, COUNT, block, "malformed");
    refused(codec, changed(block, 0, OTHER | RAW), "another length");
  }

  /** They have planes only. */
  @ParameterizedTest
  @MethodSource("codecs")
  void elementsOfOneByteHaveNoOtherLayout(Codec codec) throws Exception {
    for (ElementType type : List.of(ElementType.BYTE, ElementType.UINT8, ElementType.BOOLEAN)) {
      refused(codec, type, 4 * COUNT, golden(codec, 0), "another length");
      refused(codec, type, COUNT, golden(codec, 1), "another length");
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void brokenValuesAreRefused(Codec codec) throws Exception {
    byte[] block = golden(codec, 1);
    for (int length = 0; length < block.length; length++) {
      refused(codec, Arrays.copyOf(block, length), "");
    }
    refused(codec, Arrays.copyOf(block, WORDS), "too short");
    refused(codec, Arrays.copyOf(block, block.length + 1), "has bytes behind its last plane");
    for (int many : new int[] {4097, 1 << 16, 1 << 29, OTHER - 1}) {
      refused(codec, changed(block, 0, OTHER | many), "more values");
    }
    refused(codec, changed(block, 0, OTHER), "malformed");
    refused(codec, changed(block, 0, OTHER | 1), "another length");
    refused(codec, changed(block, 0, OTHER | 3), "another length");
    refused(codec, changed(block, 0, OTHER | 257), "another length");
    refused(codec, changed(block, 0, OTHER | 4096), "another length");
    refused(codec, changed(block, 0, OTHER | RAW | 2), "another length");
    for (int word : new int[] {0, 2, RAW | 1, RAW | 3, RAW, -1, OTHER | 2}) {
      refused(codec, changed(block, FIRST_PLANE, word), "another length");
    }
    for (int word : new int[] {0, COUNT, RAW | COUNT, RAW | COUNT - 1, 1 << 20}) {
      refused(codec, changed(block, INDICES, word), "another length");
    }
    refused(codec, ElementType.FLOAT, COUNT - 1, block, "malformed");
    refused(codec, ElementType.FLOAT, COUNT + 1, block, "malformed");
  }

  /** From 257 values on an index is two bytes, in two planes. */
  @ParameterizedTest
  @MethodSource("codecs")
  void indicesOfTwoBytes(Codec codec) throws Exception {
    int values = 300;
    int count = 1000;
    ByteBuffer words =
        ByteBuffer.allocate(28 + 4 * values + 2 * count).order(ByteOrder.LITTLE_ENDIAN);
    words.putInt(OTHER | values);
    for (int k = 0; k < 4; k++) {
      words.putInt(RAW | values);
    }
    words.putInt(RAW | count).putInt(RAW | count);
    // Value i is 0x010000ii, or 0x010001ii from 256 on.
    int[] expected = new int[count];
    for (int i = 0; i < values; i++) {
      words.put(28 + i, (byte) i).put(28 + values + i, (byte) (i >> 8));
      words.put(28 + 3 * values + i, (byte) 1);
    }
    int at = 28 + 4 * values;
    for (int i = 0; i < count; i++) {
      int index = i * 7 % values;
      words.put(at + i, (byte) index).put(at + count + i, (byte) (index >> 8));
      expected[i] = 0x01000000 | index;
    }
    int[] decoded = new int[count];
    codec.decode(ElementType.INT, ByteBuffer.wrap(words.array()), decoded, 0, count);
    assertThat(decoded).isEqualTo(expected);
    for (int index : new int[] {300, 301, 511, 512, 4096, 65_535}) {
      byte[] block = words.array().clone();
      block[at + 500] = (byte) index;
      block[at + count + 500] = (byte) (index >> 8);
      refused(codec, ElementType.INT, count, block, "an index beyond the list");
    }
    refused(
        codec,
        ElementType.INT,
        count,
        Arrays.copyOf(words.array(), words.capacity() - count),
        "another length");
  }

  static Stream<Integer> indices() {
    return Stream.of(2, 3, 127, 128, 255);
  }

  /** An index of a value that is not there, wherever it stands, does not read old memory. */
  @ParameterizedTest
  @MethodSource("indices")
  void anIndexBeyondTheValuesIsRefused(int index) {
    for (Codec codec : codecs()) {
      for (int at : new int[] {0, 150, COUNT - 1}) {
        byte[] block = new byte[WORDS + 8 + COUNT];
        ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        words.putInt(OTHER | 2).putInt(RAW | 2).putInt(RAW | 2).putInt(RAW | 2).putInt(RAW | 2);
        words.putInt(RAW | COUNT).position(WORDS + 8 + at).put((byte) index);
        refused(codec, block, "an index beyond the list");
        block[WORDS + 8 + at] = 1;
        float[] decoded = new float[COUNT];
        try {
          codec.decode(ElementType.FLOAT, ByteBuffer.wrap(block), decoded, 0, COUNT);
        } catch (ProtocolException e) {
          throw new AssertionError("raw indices are right", e);
        }
      }
    }
  }
}
