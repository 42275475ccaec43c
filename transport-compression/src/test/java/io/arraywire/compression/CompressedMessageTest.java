package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import io.arraywire.message.MessageView;
import io.arraywire.spi.Codec;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Array messages in blocks. The service loader finds the codecs. */
class CompressedMessageTest {
  private static final Limits LIMITS = Limits.ofBytes(1 << 20);
  private static final int HEADER_BYTES = 64;
  private static final int PAYLOAD_BYTES_AT = 48;
  private static final int COUNT_AT = 32;
  private static final int ARRAY_BYTES_AT = 40;

  private static MessageOptions options(Encoding encoding) {
    return MessageOptions.defaults().encoding(encoding);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyTypeComesBack(ElementType type) throws Exception {
    for (Codec codec : Compression.list()) {
      if (!codec.encoding().supports(type)) {
        Message message = Message.of(ArraySlice.ofArray(type.newArray(3)).as(type));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ArrayMessage.encode(message, options(codec.encoding())))
            .withMessageContainingAll("encoding=" + codec.name(), "type=" + type.typeName());
        continue;
      }
      for (Samples.Kind kind : Samples.Kind.values()) {
        for (int count : new int[] {0, 1, 3, 16_384, 40_000}) {
          boolean lossless = codec.encoding().loss() == null;
          Object array = Samples.array(type, count + 2, kind);
          ArraySlice slice = ArraySlice.ofArray(array, 1, count).as(type);
          Message message = Message.of(slice, count, 1).tag(5).attribute("unit", "K");
          for (boolean checksum : new boolean[] {true, false}) {
            MessageOptions options = options(codec.encoding()).checksum(checksum);
            byte[] bytes = ArrayMessage.encode(message, options);
            if (kind == Samples.Kind.SAME && count == 40_000) {
              assertThat(bytes.length).isLessThan(count * type.bytes() * 6 / 10);
            }
            assertThat((long) bytes.length)
                .isLessThanOrEqualTo(ArrayMessage.encodedSize(message, options));
            Message back = ArrayMessage.decode(bytes, LIMITS);
            assertThat(back).hasToString(message.toString());
            assertThat(back.tag()).isEqualTo(5);
            if (lossless) {
              ArraySlice got = back.parts().get(0).slices().get(0);
              assertThat(Samples.bytes(type, got.array(), 0, count))
                  .isEqualTo(Samples.bytes(type, array, 1, count));
            }
            assertBufferIsTheSame(message, options, bytes);
          }
        }
      }
    }
  }

  /** Into and out of a direct buffer, whose order is kept, with another message behind it. */
  private static void assertBufferIsTheSame(Message message, MessageOptions options, byte[] bytes)
      throws ArraywireException {
    int room = (int) ArrayMessage.encodedSize(message, options);
    ByteBuffer buffer = ByteBuffer.allocateDirect(room + 200).position(3);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    ArrayMessage.encode(message, buffer, options);
    int end = buffer.position();
    assertThat(buffer.limit()).isEqualTo(buffer.capacity());
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    // What a block becomes may depend on those before, but not what it says.
    byte[] there = new byte[end - 3];
    buffer.get(3, there);
    assertThat(elements(there)).isEqualTo(elements(bytes));
    ArrayMessage.encode(Message.of(new byte[] {7}), buffer);
    ByteBuffer source = buffer.flip().position(3).asReadOnlyBuffer();
    assertThat(ArrayMessage.decode(source, LIMITS)).hasToString(message.toString());
    assertThat(ArrayMessage.decode(source, LIMITS).bytes()).containsExactly(7);
    assertThat(source.hasRemaining()).isFalse();
  }

  private static byte[] elements(byte[] message) throws ArraywireException {
    ArraySlice slice = ArrayMessage.decode(message, LIMITS).parts().get(0).slices().get(0);
    return Samples.bytes(slice.type(), slice.array(), slice.offset(), (int) slice.count());
  }

  @Test
  void floatsLoseWhatTheEncodingSays() throws Exception {
    float[] floats = {1, -2.5f, 0.1f};
    assertThat(ArrayMessage.decode(bytes(floats, Encoding.FLOAT_BF16), LIMITS).floats())
        .containsExactly(1, -2.5f, 0.10009765625f);
    assertThat(ArrayMessage.decode(bytes(floats, Encoding.FLOAT_FP16), LIMITS).floats())
        .containsExactly(1, -2.5f, 0.0999755859375f);
  }

  private static byte[] bytes(float[] floats, Encoding encoding) {
    return ArrayMessage.encode(Message.of(floats), options(encoding));
  }

  /** Rows that are shorter than a block share one. */
  @Test
  void rowsAreGatheredIntoBlocks() throws Exception {
    float[][] rows = new float[1_000][37];
    for (int i = 0; i < rows.length; i++) {
      Arrays.fill(rows[i], i);
    }
    Message message = Message.rows(Message.UNNAMED, rows);
    byte[] bytes = ArrayMessage.encode(message, options(Encoding.SHUFFLE_LZ4));
    assertThat(bytes.length).isLessThan(37_000);
    float[] back = ArrayMessage.decode(bytes, LIMITS).floats();
    for (int i = 0; i < back.length; i++) {
      assertThat(back[i]).isEqualTo(i / 37);
    }
    assertThat(ArrayMessage.decode(bytes, LIMITS).parts().get(0).shape())
        .containsExactly(1_000, 37);
  }

  /** As on a connection: what has a table of parts is not in blocks. */
  @Test
  void partsOfATableStayRaw() throws Exception {
    Message parts = Message.of("a", new float[100]).with("b", new int[] {1});
    byte[] bytes = ArrayMessage.encode(parts, options(Encoding.SHUFFLE_ZSTD));
    assertThat(bytes).isEqualTo(ArrayMessage.encode(parts));
    MessageView view = MessageView.within(LIMITS);
    view.read(ByteBuffer.wrap(bytes));
    assertThat(view.encoding("a")).isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
  }

  @Test
  void aViewReadsIntoTheCallersArray() throws Exception {
    float[] floats = new float[20_000];
    Arrays.fill(floats, 2);
    MessageView view = MessageView.within(LIMITS);
    view.read(ByteBuffer.wrap(bytes(floats, Encoding.SHUFFLE_ZSTD)));
    assertThat(view.encoding(Message.UNNAMED)).isEqualTo(Encoding.SHUFFLE_ZSTD);
    assertThat(view.count(Message.UNNAMED)).isEqualTo(20_000);
    float[] target = new float[20_010];
    assertThat(view.readInto(Message.UNNAMED, target, 5)).isEqualTo(20_000);
    assertThat(target[4]).isZero();
    assertThat(target[5]).isEqualTo(2);
    assertThat(target[20_004]).isEqualTo(2);
    assertThat(target[20_005]).isZero();
    assertThatThrownBy(() -> view.elements(Message.UNNAMED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("encoding=shuffle-zstd");
    // And an array of another message, as if nothing had been in blocks.
    view.read(ByteBuffer.wrap(ArrayMessage.encode(Message.of(floats))));
    assertThat(view.encoding(Message.UNNAMED)).isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
    assertThat(view.readInto(Message.UNNAMED, target)).isEqualTo(20_000);
  }

  @Test
  void aBufferHasRoomForTheMostThatBlocksTake() {
    Message message = Message.of(new float[] {1, 2});
    MessageOptions options = options(Encoding.SHUFFLE_ZSTD);
    assertThat(ArrayMessage.encodedSize(message, options)).isEqualTo(64 + 8 + 8);
    ByteBuffer buffer = ByteBuffer.allocate(79);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encode(message, buffer, options))
        .withMessageContainingAll("bytes=80", "room=79");
    assertThat(buffer.position()).isZero();
    assertThat(buffer.array()).containsOnly(0);
  }

  @Test
  void theGoldenFilesAreReadAndTheHalvesWritten() throws Exception {
    float[] three = {1, -2.5f, 0.1f};
    float[] same = new float[300];
    Arrays.fill(same, 1.5f);
    Message zstd = ArrayMessage.decode(golden("shuffle-zstd"), LIMITS);
    assertThat(zstd.floats()).isEqualTo(same);
    assertThat(zstd.tag()).isEqualTo(7);
    float[] both = Arrays.copyOf(three, 303);
    Arrays.fill(both, 3, 303, 1.5f);
    Message lz4 = ArrayMessage.decode(golden("shuffle-lz4"), LIMITS);
    assertThat(lz4.floats()).isEqualTo(both);
    assertThat(lz4.parts().get(0).shape()).containsExactly(303, 1);
    float[] layouts = new float[600];
    Arrays.fill(layouts, 0, 500, 1.5f);
    Arrays.fill(layouts, 500, 600, 0.1f);
    for (String name : List.of("shuffle-zstd-layouts", "shuffle-lz4-layouts")) {
      assertThat(ArrayMessage.decode(golden(name), LIMITS).floats()).isEqualTo(layouts);
    }
    assertThat(golden("bf16")).isEqualTo(bytes(three, Encoding.FLOAT_BF16));
    assertThat(golden("fp16"))
        .isEqualTo(
            ArrayMessage.encode(Message.of(three), options(Encoding.FLOAT_FP16).checksum(false)));
  }

  private static byte[] golden(String name) throws Exception {
    String file = "/io/arraywire/testkit/golden/message-v2/" + name + ".bin";
    try (InputStream in =
        Objects.requireNonNull(CompressedMessageTest.class.getResourceAsStream(file), file)) {
      return in.readAllBytes();
    }
  }

  // Hostile bytes.

  /** A message with right checksums again, after a test has changed it. */
  private static byte[] sealed(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    if ((bytes[8] & 1) != 0) {
      crc.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
      buffer.putInt(52, (int) crc.getValue());
    }
    crc.reset();
    crc.update(bytes, 0, 60);
    buffer.putInt(60, (int) crc.getValue());
    return bytes;
  }

  private static ErrorCode codeOf(byte[] bytes) {
    try {
      ArrayMessage.decode(bytes, LIMITS);
    } catch (ProtocolException e) {
      assertThat(e.getMessage()).hasSizeLessThan(300);
      return e.code();
    } catch (ArraywireException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("accepted: " + Arrays.toString(bytes));
  }

  private static byte[][] samples() {
    float[] walk = new float[20_000];
    for (int i = 0; i < walk.length; i++) {
      walk[i] = i / 100;
    }
    return Compression.list().stream()
        .map(codec -> bytes(walk, codec.encoding()))
        .toArray(byte[][]::new);
  }

  @Test
  void everyPrefixIsRefused() {
    for (byte[] whole : samples()) {
      for (int length = 0; length < whole.length; length += length < 200 ? 1 : 97) {
        assertThat(codeOf(Arrays.copyOf(whole, length))).isEqualTo(ErrorCode.TRUNCATED);
      }
      // The header agrees with the bytes that are there: the blocks do not add up.
      for (int length = 65; length < whole.length; length += length < 200 ? 1 : 97) {
        byte[] cut = Arrays.copyOf(whole, length);
        ByteBuffer.wrap(cut)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(PAYLOAD_BYTES_AT, length - HEADER_BYTES);
        assertThat(codeOf(sealed(cut))).isIn(ErrorCode.BAD_LENGTH, ErrorCode.COUNT_MISMATCH);
      }
    }
  }

  /**
   * Behind right checksums any bit may be another one: an array of that size, or typed failures.
   */
  @Test
  void flippedBitsBecomeArraysOrTypedFailures() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int refused = 0;
    int accepted = 0;
    for (byte[] whole : samples()) {
      for (int i = 0; i < 4_000; i++) {
        byte[] changed = whole.clone();
        int within = i % 4 == 0 ? HEADER_BYTES : Math.min(changed.length, 200);
        int at = i % 2 == 0 ? random.nextInt(within) : random.nextInt(changed.length);
        changed[at] ^= (byte) (1 << random.nextInt(8));
        try {
          Message message = ArrayMessage.decode(sealed(changed), LIMITS);
          assertThat(message.parts().get(0).count()).isLessThanOrEqualTo(1 << 20);
          accepted++;
        } catch (ProtocolException e) {
          assertThat(e.getMessage()).as("seed %d", seed).hasSizeLessThan(300);
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(1_000);
    assertThat(accepted).isGreaterThan(100);
  }

  private static byte[] changed(int at, long value, int bytes) {
    byte[] message = bytes(new float[] {1, 1, 1, 1, 1, 1, 1, 1}, Encoding.FLOAT_BF16);
    ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes == Integer.BYTES) {
      buffer.putInt(at, (int) value);
    } else {
      buffer.putLong(at, value);
    }
    return message;
  }

  @Test
  void headsOfBlocksAreChecked() {
    int word = HEADER_BYTES;
    int elements = HEADER_BYTES + 4;
    assertThat(codeOf(sealed(changed(word, 0, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(word, 17, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(word, 0x7fffffff, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(word, 15, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(word, 1 << 31 | 16, 4)))).isEqualTo(ErrorCode.COUNT_MISMATCH);
    assertThat(codeOf(sealed(changed(elements, 0, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(elements, 9, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(elements, -1, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(elements, 7, 4)))).isEqualTo(ErrorCode.COUNT_MISMATCH);
    assertThat(codeOf(sealed(changed(elements, 4, 4)))).isEqualTo(ErrorCode.COUNT_MISMATCH);
  }

  /** Few bytes that announce very many elements are refused before memory is taken. */
  @Test
  void giantSizesAreRefused() {
    assertThat(codeOf(sealed(changed(ARRAY_BYTES_AT, 1L << 40, 8))))
        .isEqualTo(ErrorCode.FRAME_TOO_LARGE);
    assertThat(codeOf(sealed(changed(COUNT_AT, 1L << 40, 8)))).isEqualTo(ErrorCode.COUNT_MISMATCH);
    assertThat(codeOf(sealed(changed(COUNT_AT, -1, 8)))).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOf(sealed(changed(PAYLOAD_BYTES_AT, -1, 4)))).isEqualTo(ErrorCode.BAD_LENGTH);
    // All lengths agree, and there is one block for 2^18 elements.
    byte[] large = changed(COUNT_AT, 1 << 18, 8);
    ByteBuffer.wrap(large).order(ByteOrder.LITTLE_ENDIAN).putLong(ARRAY_BYTES_AT, 1 << 20);
    assertThat(codeOf(sealed(large))).isEqualTo(ErrorCode.COUNT_MISMATCH);
    byte[] none = changed(COUNT_AT, 0, 8);
    ByteBuffer.wrap(none).order(ByteOrder.LITTLE_ENDIAN).putLong(ARRAY_BYTES_AT, 0);
    assertThat(codeOf(sealed(none))).isEqualTo(ErrorCode.BAD_LENGTH);
  }

  @Test
  void whatIsInABlockIsChecked() {
    byte[] message = bytes(new float[1_000], Encoding.SHUFFLE_LZ4);
    Arrays.fill(message, HEADER_BYTES + 24, message.length, (byte) 0xff);
    assertThat(codeOf(sealed(message))).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
    byte[] damaged = bytes(new float[1_000], Encoding.SHUFFLE_ZSTD);
    damaged[damaged.length - 1] ^= 1;
    assertThat(codeOf(damaged)).isEqualTo(ErrorCode.PAYLOAD_CHECKSUM);
  }

  /** A block of floats in an encoding that has no other type. */
  @Test
  void aTypeThatTheEncodingDoesNotHaveIsRefused() {
    byte[] message = changed(COUNT_AT, 8, 8);
    message[7] = (byte) ElementType.INT.code();
    assertThat(codeOf(sealed(message))).isEqualTo(ErrorCode.UNKNOWN_CODE);
    assertThatThrownBy(() -> ArrayMessage.decode(message, LIMITS))
        .hasMessageContaining("encoding=bf16");
  }
}
