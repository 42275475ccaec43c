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
import io.arraywire.message.Part;
import io.arraywire.spi.Codec;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
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

  private static float[][] rows() {
    float[][] rows = new float[1_000][37];
    for (int i = 0; i < rows.length; i++) {
      Arrays.fill(rows[i], i);
    }
    return rows;
  }

  private static Message mixed() {
    byte[] flags = new byte[65_537];
    Arrays.fill(flags, (byte) 3);
    return Message.of("flags", flags)
        .with("scores", new float[] {1, -2.5f, 0.1f})
        .with("between", new short[] {1, 2, 3})
        .with("big", new int[] {0x01020304})
        .with("none", new double[0])
        .withRows("rows", rows())
        .with("last", new byte[] {9})
        .codec("flags", "shuffle-zstd")
        .codec("scores", "bf16")
        .codec("big", "raw-be")
        .codec("none", "shuffle-lz4")
        .codec("rows", "shuffle-lz4")
        .tag(5)
        .attribute("unit", "K");
  }

  private static void assertMixed(Message back) {
    Message message = mixed();
    assertThat(back).hasToString(message.toString());
    assertThat(back.tag()).isEqualTo(5);
    assertThat(back.bytes("flags")).isEqualTo(message.bytes("flags"));
    assertThat(back.floats("scores")).containsExactly(1, -2.5f, 0.10009765625f);
    assertThat(back.shorts("between")).containsExactly(1, 2, 3);
    assertThat(back.ints("big")).containsExactly(0x01020304);
    assertThat(back.floats("rows")).isEqualTo(message.floats("rows"));
    assertThat(back.bytes("last")).containsExactly(9);
    assertThat(back.part("flags").codec()).isNull();
  }

  @Test
  void partsHaveEncodingsOfTheirOwn() throws Exception {
    Message message = mixed();
    byte[] bytes = ArrayMessage.encode(message);
    assertThat(bytes.length).isLessThan(40_000);
    assertThat(bytes.length % Long.BYTES).isZero();
    assertMixed(ArrayMessage.decode(bytes, LIMITS));
    int room = (int) ArrayMessage.encodedSize(message);
    ByteBuffer buffer = ByteBuffer.allocateDirect(room + 3).position(3);
    ArrayMessage.encode(message, buffer, MessageOptions.defaults().checksum(false));
    assertMixed(ArrayMessage.decode(buffer.flip().position(3), LIMITS));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encode(message, ByteBuffer.allocate(room - 1)))
        .withMessageContainingAll("bytes=" + room, "room=" + (room - 1));
  }

  @Test
  void aViewReadsEachPartInItsEncoding() throws Exception {
    byte[] bytes = ArrayMessage.encode(mixed());
    MessageView view = MessageView.within(LIMITS);
    view.read(ByteBuffer.wrap(bytes));
    Map<String, Encoding> encodings = new LinkedHashMap<>();
    for (Part part : mixed().parts()) {
      encodings.put(part.name(), view.encoding(part.name()));
    }
    assertThat(encodings.values())
        .containsExactly(
            Encoding.SHUFFLE_ZSTD,
            Encoding.FLOAT_BF16,
            Encoding.RAW_LITTLE_ENDIAN,
            Encoding.RAW_BIG_ENDIAN,
            Encoding.SHUFFLE_LZ4,
            Encoding.SHUFFLE_LZ4,
            Encoding.RAW_LITTLE_ENDIAN);
    byte[] last = new byte[3];
    assertThat(view.readInto("last", last, 1)).isEqualTo(1);
    assertThat(last).containsExactly(0, 9, 0);
    assertThat(view.elements("big").getInt()).isEqualTo(0x01020304);
    float[] table = new float[37_000];
    assertThat(view.readInto("rows", table)).isEqualTo(37_000);
    assertThat(table[36_999]).isEqualTo(999);
    assertThatThrownBy(() -> view.elements("scores"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("encoding=bf16");
    // And another message, as if nothing had been in blocks.
    view.read(ByteBuffer.wrap(ArrayMessage.encode(Message.of("rows", new int[] {4}))));
    assertThat(view.elements("rows").order(ByteOrder.LITTLE_ENDIAN).getInt()).isEqualTo(4);
  }

  @Test
  void theEncodingOfTheOptionsIsForPartsThatNameNoCodec() throws Exception {
    Message message =
        Message.of("a", new float[100]).with("b", new int[100]).with("c", new float[] {0.1f});
    Message named = message.codec("a", "raw-be");
    assertThat(encodings(message, Encoding.SHUFFLE_ZSTD)).containsOnly(Encoding.SHUFFLE_ZSTD);
    assertThat(encodings(message, Encoding.FLOAT_FP16))
        .containsExactly(Encoding.FLOAT_FP16, Encoding.RAW_LITTLE_ENDIAN, Encoding.FLOAT_FP16);
    assertThat(encodings(named, Encoding.FLOAT_FP16))
        .containsExactly(Encoding.RAW_BIG_ENDIAN, Encoding.RAW_LITTLE_ENDIAN, Encoding.FLOAT_FP16);
    Message ints = Message.of("a", new int[2]).with("b", new long[2]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encode(ints, options(Encoding.FLOAT_FP16)))
        .withMessageContainingAll("encoding=fp16", "a=int[2]");
  }

  private static List<Encoding> encodings(Message message, Encoding encoding)
      throws ArraywireException {
    MessageView view = MessageView.within(LIMITS);
    view.read(ByteBuffer.wrap(ArrayMessage.encode(message, options(encoding))));
    return message.parts().stream().map(part -> view.encoding(part.name())).toList();
  }

  @Test
  void aPartNamesACodecThatIsThereAndHasItsType() {
    Message message = Message.of("a", new int[2]);
    for (String name : List.of("protobuf", "zip", "")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ArrayMessage.encode(message.codec("a", name)))
          .withMessageContainingAll("codec=" + name, "part=a", "shuffle-zstd");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encodedSize(message.codec("a", "bf16")))
        .withMessageContainingAll("codec=bf16", "part=a", "type=int");
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
    Message blocks =
        Message.of("scores", three)
            .with("ids", new int[] {7, 42, 5})
            .with("none", new float[0])
            .with("big", new short[] {1, -2})
            .codec("scores", "bf16")
            .codec("none", "fp16")
            .codec("big", "raw-be")
            .tag(9);
    assertThat(golden("parts-blocks")).isEqualTo(ArrayMessage.encode(blocks));
    Message compressed = ArrayMessage.decode(golden("parts-compressed"), LIMITS);
    assertThat(compressed.bytes("mask")).containsExactly(1, 0, 1);
    assertThat(compressed.floats("weights")).isEqualTo(both);
    assertThat(compressed.floats("same")).isEqualTo(same);
    assertThat(compressed.bytes("last")).containsExactly(7);
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
    Stream<byte[]> arrays = Compression.list().stream().map(codec -> bytes(walk, codec.encoding()));
    Stream<byte[]> messages =
        Stream.of("shuffle-zstd", "shuffle-lz4", "bf16")
            .map(name -> Message.of("walk", walk).with("b", new byte[] {1}).codec("walk", name))
            .map(ArrayMessage::encode);
    return Stream.concat(arrays, messages).toArray(byte[][]::new);
  }

  @Test
  void everyPrefixIsRefused() {
    for (byte[] whole : samples()) {
      for (int length = 0; length < whole.length; length += length < 200 ? 1 : 97) {
        assertThat(codeOf(Arrays.copyOf(whole, length))).isEqualTo(ErrorCode.TRUNCATED);
      }
      // The header agrees with the bytes that are there: the blocks do not add up.
      int least = HEADER_BYTES + ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
      for (int length = least + 1; length < whole.length; length += length < 200 ? 1 : 97) {
        byte[] cut = Arrays.copyOf(whole, length);
        ByteBuffer.wrap(cut)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(PAYLOAD_BYTES_AT, length - least);
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
          assertThat(message.parts().stream().mapToInt(Part::count).sum())
              .isLessThanOrEqualTo(1 << 20);
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

  // Parts in blocks. The golden message has 104 bytes of attributes; then come a block of 14 bytes
  // and two zeros, 12 bytes and four zeros, and 4 bytes and four zeros.

  private static final int PARTS_PAYLOAD = HEADER_BYTES + 104;

  private static ErrorCode codeOfParts(int at, long value, int bytes) throws Exception {
    byte[] message = golden("parts-blocks");
    for (int i = 0; i < bytes; i++) {
      message[at + i] = (byte) (value >> 8 * i);
    }
    return codeOf(sealed(message));
  }

  @Test
  void headsOfBlocksOfPartsAreChecked() throws Exception {
    int elements = PARTS_PAYLOAD + 4;
    assertThat(codeOfParts(elements, 0, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(elements, 4, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(elements, 2, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(elements, -1, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(PARTS_PAYLOAD, 0, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(PARTS_PAYLOAD, 33, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(PARTS_PAYLOAD, 12, 4)).isEqualTo(ErrorCode.COUNT_MISMATCH);
    assertThat(codeOfParts(PARTS_PAYLOAD, 1L << 31 | 6, 4)).isEqualTo(ErrorCode.COUNT_MISMATCH);
  }

  @Test
  void bytesBehindBlocksAndPartsAreZeros() throws Exception {
    for (int at : new int[] {14, 15, 28, 31, 36, 39}) {
      assertThat(codeOfParts(PARTS_PAYLOAD + at, 1, 1)).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
    }
  }

  @Test
  void partsUseThePayloadExactly() throws Exception {
    byte[] longer = Arrays.copyOf(golden("parts-blocks"), PARTS_PAYLOAD + 48);
    ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN).putInt(PAYLOAD_BYTES_AT, 48);
    assertThat(codeOf(sealed(longer))).isEqualTo(ErrorCode.BAD_LENGTH);
    for (int length = 0; length < 40; length++) {
      byte[] cut = Arrays.copyOf(golden("parts-blocks"), PARTS_PAYLOAD + length);
      ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putInt(PAYLOAD_BYTES_AT, length);
      assertThat(codeOf(sealed(cut))).isIn(ErrorCode.BAD_LENGTH, ErrorCode.COUNT_MISMATCH);
    }
  }

  /** 40 array bytes and 16 more for each of 8 elements. */
  @Test
  void aPayloadIsNoLongerThanBlocksOfOneElement() throws Exception {
    assertThat(codeOfParts(PAYLOAD_BYTES_AT, 40 + 8 * 16, 4)).isEqualTo(ErrorCode.TRUNCATED);
    assertThat(codeOfParts(PAYLOAD_BYTES_AT, 40 + 8 * 16 + 1, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(codeOfParts(PAYLOAD_BYTES_AT, -1, 4)).isEqualTo(ErrorCode.BAD_LENGTH);
  }

  @Test
  void aPartHasAnEncodingThatIsPresentAndHasItsType() throws Exception {
    int scores = HEADER_BYTES + 8;
    assertThat(codeOfParts(scores, ElementType.INT.code(), 1)).isEqualTo(ErrorCode.UNKNOWN_CODE);
    for (int code : new int[] {0, 3, 4, 200}) {
      assertThat(codeOfParts(scores + 1, code, 1)).isEqualTo(ErrorCode.UNKNOWN_CODE);
    }
  }

  /** One block with all its elements in blocks of one each: as long as a payload may be. */
  @Test
  void everyElementMayHaveABlock() throws Exception {
    Message one = Message.of("a", new byte[] {1, 2, 3}).codec("a", "shuffle-lz4");
    byte[] whole = ArrayMessage.encode(one);
    int payload = HEADER_BYTES + 8 + 16 + 8;
    byte[] bytes = Arrays.copyOf(whole, payload + 3 * 16);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      buffer.putInt(payload + 16 * i, 1 << 31 | 1).putInt(payload + 16 * i + 4, 1);
      buffer.putLong(payload + 16 * i + 8, i + 1);
    }
    buffer.putInt(PAYLOAD_BYTES_AT, 48);
    assertThat(ArrayMessage.decode(sealed(bytes), LIMITS).bytes("a")).containsExactly(1, 2, 3);
  }
}
