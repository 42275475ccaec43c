package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every check of {@code docs/array-message.md}, at its limit and beyond. */
class HostileMessageTest {
  private static final Limits LIMITS = Limits.ofBytes(1 << 20);
  private static final int RAW_LE_BYTE = 0x0701;
  private static final int TABLE = 0;
  private static final int BYTE = 7;

  private static final Message ONE = Message.of(new float[] {1, 2}, 2, 1).attribute("k", "v");
  private static final Message TWO =
      Message.of("ids", new int[] {7}).with("scores", new float[] {1}, 1).tag(3);

  private static void refused(ErrorCode code, byte[] bytes, String... texts) {
    refused(code, bytes, LIMITS, texts);
  }

  private static void refused(ErrorCode code, byte[] bytes, Limits limits, String... texts) {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    MessageView view = MessageView.within(limits);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> view.read(source))
          .isInstanceOf(ProtocolException.class)
          .satisfies(e -> assertThat(texts).allMatch(text -> e.getMessage().contains(text)))
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300))
          .satisfies(e -> assertThat(((ArraywireException) e).code()).isEqualTo(code));
      assertThat(source.position()).isZero();
      assertThat(source.limit()).isEqualTo(bytes.length);
      assertThat(view.parts()).isZero();
      assertThat(view.tag()).isZero();
    }
    assertThatThrownBy(() -> ArrayMessage.decode(bytes, limits))
        .isInstanceOf(ProtocolException.class);
  }

  private static Message accepted(byte[] bytes) throws ArraywireException {
    return ArrayMessage.decode(bytes, LIMITS);
  }

  private static byte[] changed(Message message, Consumer<EncodedMessage> change) {
    EncodedMessage encoded = EncodedMessage.of(message);
    change.accept(encoded);
    return encoded.sealed();
  }

  /** Attributes by hand. */
  private static final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes u(int bytes, long value) {
      byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
      out.write(all, 0, bytes);
      return this;
    }

    Bytes section(int kind, int entries, int length) {
      return u(2, kind).u(2, entries).u(4, length);
    }

    Bytes part(int element, int encoding, int dimensions, int nameBytes, long count) {
      return u(1, element).u(1, encoding).u(1, dimensions).u(1, nameBytes).u(4, 0).u(8, count);
    }

    Bytes text(String text) {
      out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      return this;
    }

    Bytes zeros(int count) {
      out.writeBytes(new byte[count]);
      return this;
    }

    byte[] all() {
      return out.toByteArray();
    }
  }

  private static byte[] one(long count, byte[] attributes, int payload) {
    return EncodedMessage.of(RAW_LE_BYTE, count, attributes, new byte[payload]).sealed();
  }

  private static byte[] table(long count, byte[] attributes, int payload) {
    return EncodedMessage.of(TABLE, count, attributes, new byte[payload]).sealed();
  }

  // Header.

  @Test
  void everyByteMayBeTheLast() {
    for (Message message : new Message[] {ONE, TWO}) {
      byte[] bytes = ArrayMessage.encode(message);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        refused(ErrorCode.TRUNCATED, cut, "received=" + length);
      }
    }
  }

  /** Whichever bit was damaged, nothing is delivered. */
  @Test
  void everyBitMayBeWrong() {
    for (Message message : new Message[] {ONE, TWO}) {
      byte[] bytes = ArrayMessage.encode(message);
      for (int bit = 0; bit < 8 * bytes.length; bit++) {
        byte[] damaged = bytes.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThatThrownBy(() -> accepted(damaged))
            .as("bit %d", bit)
            .isInstanceOf(ProtocolException.class);
      }
    }
  }

  @Test
  void wrongFirstBytes() {
    for (String text : new String[] {"HTTP/1.1 200 OK", "\u0000\u0000\u0000\u0001", "AWF\u00f1"}) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      assertThatThrownBy(() -> accepted(bytes))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.BAD_MAGIC::isOf);
      assertThatThrownBy(() -> accepted(Arrays.copyOf(bytes, 3)))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf);
    }
    byte[] reversed = ArrayMessage.encode(ONE);
    reversed[0] = 0x46;
    reversed[3] = (byte) 0xf1;
    refused(ErrorCode.BAD_MAGIC, reversed);
  }

  @Test
  void aDamagedHeader() {
    byte[] bytes = ArrayMessage.encode(ONE);
    bytes[EncodedMessage.COUNT]++;
    refused(ErrorCode.HEADER_CHECKSUM, bytes, "declared=", "computed=");
  }

  @Test
  void anotherVersion() {
    for (int version : new int[] {0, 1, 3, 255}) {
      refused(
          ErrorCode.UNSUPPORTED_VERSION, changed(ONE, m -> m.u8(4, version)), "version=" + version);
    }
  }

  @Test
  void anotherFrameType() {
    for (int type = 0; type < 256; type++) {
      int code = type;
      if (type != 1) {
        refused(ErrorCode.UNKNOWN_CODE, changed(ONE, m -> m.u8(5, code)), "type=" + type);
      }
    }
  }

  @Test
  void anyOtherFlag() {
    for (int bit = 1; bit < 16; bit++) {
      int flags = 1 | 1 << bit;
      refused(ErrorCode.UNKNOWN_CODE, changed(ONE, m -> m.u16(EncodedMessage.FLAGS, flags)));
    }
  }

  @Test
  void whatOnlyConnectionsHave() {
    refused(
        ErrorCode.PROTOCOL_VIOLATION,
        changed(ONE, m -> m.u32(EncodedMessage.CHANNEL, -1)),
        "channel=4294967295");
    refused(
        ErrorCode.PROTOCOL_VIOLATION,
        changed(ONE, m -> m.u64(EncodedMessage.SEQUENCE, 1)),
        "sequence=1");
    refused(
        ErrorCode.PROTOCOL_VIOLATION,
        changed(ONE, m -> m.u32(EncodedMessage.ACKNOWLEDGED, 1)),
        "acknowledged=1");
    refused(ErrorCode.PROTOCOL_VIOLATION, changed(ONE, m -> m.u16(EncodedMessage.FLAGS, 0)));
  }

  /** What an error calls an encoding whose codec is not on the class path. */
  private static String encodingName(int code) {
    return switch (code) {
      case 3 -> "java-object";
      case 4 -> "protobuf";
      case 16 -> "shuffle-zstd";
      case 17 -> "shuffle-lz4";
      case 24 -> "bf16";
      case 25 -> "fp16";
      default -> String.valueOf(code);
    };
  }

  @Test
  void unknownCodes() throws Exception {
    for (int code = 0; code < 256; code++) {
      int value = code;
      boolean encoding = code == 1 || code == 2;
      byte[] bytes = changed(ONE, m -> m.u8(EncodedMessage.ENCODING, value));
      if (encoding) {
        assertThat(accepted(bytes).parts()).hasSize(1);
      } else {
        refused(ErrorCode.UNKNOWN_CODE, bytes, "encoding=" + encodingName(code));
      }
      if (ElementType.fromCode(code) == null) {
        refused(
            ErrorCode.UNKNOWN_CODE,
            changed(ONE, m -> m.u8(EncodedMessage.ELEMENT, value)),
            "elementType=" + code);
      }
    }
  }

  // Lengths.

  @Test
  void theLimitOfBytesIsThatOfThePayload() throws Exception {
    byte[] bytes = ArrayMessage.encode(TWO);
    assertThat(ArrayMessage.decode(bytes, Limits.ofBytes(16)).parts()).hasSize(2);
    refused(ErrorCode.FRAME_TOO_LARGE, bytes, Limits.ofBytes(15), "declared=16", "limit=15");
    assertThat(ArrayMessage.decode(bytes, Limits.ofBytes(16).parts(2)).parts()).hasSize(2);
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        bytes,
        Limits.ofBytes(16).parts(1),
        "parts",
        "declared=2",
        "limit=1");
    byte[] nothing = ArrayMessage.encode(Message.of(new float[0]));
    assertThat(ArrayMessage.decode(nothing, Limits.ofBytes(0)).floats()).isEmpty();
  }

  @Test
  void hugeLengths() {
    for (long length : new long[] {Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, 1L << 63, -1}) {
      refused(
          ErrorCode.FRAME_TOO_LARGE,
          changed(ONE, m -> m.u64(EncodedMessage.ARRAY_BYTES, length)),
          "declared=" + Long.toUnsignedString(length));
    }
    Limits all = Limits.ofBytes(Long.MAX_VALUE);
    for (long count : new long[] {1L << 63, -1}) {
      refused(
          ErrorCode.BAD_LENGTH,
          changed(ONE, m -> m.u64(EncodedMessage.COUNT, count)),
          all,
          "count=" + Long.toUnsignedString(count));
    }
    // Times four it overflows to what the length says.
    refused(
        ErrorCode.COUNT_MISMATCH,
        changed(ONE, m -> m.u64(EncodedMessage.COUNT, (1L << 62) + 2)),
        all);
    byte[] most =
        changed(
            Message.of(new byte[0]),
            m ->
                m.u64(EncodedMessage.COUNT, Integer.MAX_VALUE - 8)
                    .u64(EncodedMessage.ARRAY_BYTES, Integer.MAX_VALUE - 8)
                    .u32(EncodedMessage.PAYLOAD_BYTES, Integer.MAX_VALUE - 8));
    refused(ErrorCode.TRUNCATED, most, all, "expected=" + (64L + Integer.MAX_VALUE - 8));
    byte[] more =
        changed(
            Message.of(new byte[0]),
            m ->
                m.u64(EncodedMessage.COUNT, Integer.MAX_VALUE - 7)
                    .u64(EncodedMessage.ARRAY_BYTES, Integer.MAX_VALUE - 7)
                    .u32(EncodedMessage.PAYLOAD_BYTES, Integer.MAX_VALUE - 7));
    refused(ErrorCode.FRAME_TOO_LARGE, more, all, "declared=2147483640", "limit=2147483639");
  }

  @Test
  void lengthsThatDoNotAgree() {
    refused(ErrorCode.COUNT_MISMATCH, changed(ONE, m -> m.u64(EncodedMessage.COUNT, 1)), "count=1");
    refused(ErrorCode.COUNT_MISMATCH, changed(ONE, m -> m.u64(EncodedMessage.COUNT, 3)), "count=3");
    refused(
        ErrorCode.COUNT_MISMATCH,
        changed(TWO, m -> m.u64(EncodedMessage.COUNT, 17)),
        "count=17",
        "arrayBytes=16");
    refused(
        ErrorCode.COUNT_MISMATCH,
        changed(TWO, m -> m.u64(EncodedMessage.COUNT, 3)),
        "count=3",
        "elementsOfParts=2");
    for (int payload : new int[] {0, 4, 12, -1}) {
      refused(
          ErrorCode.BAD_LENGTH,
          changed(ONE, m -> m.u32(EncodedMessage.PAYLOAD_BYTES, payload)),
          "payloadBytes=" + Integer.toUnsignedString(payload));
    }
    // With a table, 16 bytes and 16 more for each of two elements; without blocks, just 16.
    refused(ErrorCode.TRUNCATED, changed(TWO, m -> m.u32(EncodedMessage.PAYLOAD_BYTES, 48)));
    for (int payload : new int[] {0, 8, 15, 49, -1}) {
      refused(
          ErrorCode.BAD_LENGTH,
          changed(TWO, m -> m.u32(EncodedMessage.PAYLOAD_BYTES, payload)),
          "payloadBytes=" + Integer.toUnsignedString(payload));
    }
    refused(
        ErrorCode.BAD_LENGTH,
        changed(ONE, m -> m.u16(EncodedMessage.ATTRIBUTE_BYTES, 7)),
        "attributeBytes=7");
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        changed(ONE, m -> m.u16(EncodedMessage.ATTRIBUTE_BYTES, 65_529)),
        "declared=65529",
        "limit=65528");
    refused(ErrorCode.TRUNCATED, changed(ONE, m -> m.u16(EncodedMessage.ATTRIBUTE_BYTES, 65_528)));
  }

  /** As large as a header may say; the memory of what is refused is never taken. */
  @Test
  void nothingIsTakenForWhatIsNotThere() {
    byte[] bytes =
        changed(
            Message.of(new long[0]),
            m ->
                m.u64(EncodedMessage.COUNT, (1L << 28) - 1)
                    .u64(EncodedMessage.ARRAY_BYTES, (1L << 31) - 8)
                    .u32(EncodedMessage.PAYLOAD_BYTES, (1L << 31) - 8));
    for (int i = 0; i < 10_000; i++) {
      assertThatThrownBy(() -> ArrayMessage.decode(bytes, Limits.ofBytes(Long.MAX_VALUE)))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf);
    }
  }

  @Test
  void aDamagedPayload() throws Exception {
    byte[] damaged = ArrayMessage.encode(ONE);
    damaged[damaged.length - 1] ^= 1;
    refused(ErrorCode.PAYLOAD_CHECKSUM, damaged);
    assertThatThrownBy(() -> accepted(damaged))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.PAYLOAD_CHECKSUM::isOf);
    byte[] unchecked = ArrayMessage.encode(ONE, MessageOptions.defaults().checksum(false));
    unchecked[unchecked.length - 1] ^= 1;
    assertThat(accepted(unchecked).floats()[1]).isNotEqualTo(2);
  }

  // Sections.

  @Test
  void sectionsOfUnknownKinds() {
    for (int kind : new int[] {0, 4, 5, 255, 65_535}) {
      refused(
          ErrorCode.UNKNOWN_CODE,
          one(1, new Bytes().section(kind, 1, 16).zeros(8).all(), 1),
          "kind=" + kind);
    }
  }

  @Test
  void sectionsInTheWrongOrderOrTwice() throws Exception {
    byte[] shape = new Bytes().section(1, 1, 16).u(8, 1).all();
    byte[] strings = new Bytes().section(2, 1, 16).u(2, 1).u(2, 1).text("kv").zeros(2).all();
    assertThat(accepted(one(1, joined(shape, strings), 1)).attributes()).containsEntry("k", "v");
    refused(ErrorCode.MALFORMED_PAYLOAD, one(1, joined(strings, shape), 1), "kind=1", "before=2");
    refused(ErrorCode.MALFORMED_PAYLOAD, one(1, joined(shape, shape), 1), "kind=1", "before=1");
  }

  private static byte[] joined(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  @Test
  void sectionsOfImpossibleLengths() {
    for (long length : new long[] {0, 7, 8, 15, 17, 24, 1L << 31, 0xffffffffL, 0xfffffff8L}) {
      byte[] attributes = new Bytes().u(2, 1).u(2, 1).u(4, length).u(8, 1).all();
      refused(ErrorCode.BAD_LENGTH, one(1, attributes, 1), "bytes=" + length);
    }
    // Longer than its entries by a whole word, and by less than one that is not 0.
    refused(
        ErrorCode.BAD_LENGTH,
        one(1, new Bytes().section(1, 1, 24).u(8, 1).zeros(8).all(), 1),
        "unused=8");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, new Bytes().section(2, 1, 16).u(2, 1).u(2, 1).text("kv").u(2, 256).all(), 1),
        "value=1");
    refused(ErrorCode.MALFORMED_PAYLOAD, one(1, new Bytes().section(1, 0, 16).zeros(8).all(), 1));
  }

  // Shapes.

  @Test
  void dimensionsHaveTheirLimits() throws Exception {
    Bytes most = new Bytes().section(1, 32, 8 + 32 * 8);
    Bytes more = new Bytes().section(1, 33, 8 + 33 * 8);
    for (int i = 0; i < 32; i++) {
      most.u(8, 1);
      more.u(8, 1);
    }
    assertThat(accepted(one(1, most.all(), 1)).parts().get(0).shape()).hasSize(32);
    refused(ErrorCode.FRAME_TOO_LARGE, one(1, more.u(8, 1).all(), 1), "declared=33", "limit=32");
    refused(
        ErrorCode.BAD_LENGTH, one(1, new Bytes().section(1, 2, 16).u(8, 1).all(), 1), "bytes=8");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, new Bytes().section(1, 1, 16).u(8, -1).all(), 1),
        "dimension=18446744073709551615");
    assertThat(accepted(one(0, shape(Long.MAX_VALUE, 0), 0)).parts().get(0).shape())
        .containsExactly(Long.MAX_VALUE, 0);
    refused(ErrorCode.MALFORMED_PAYLOAD, one(0, shape(0, Long.MIN_VALUE), 0));
  }

  private static byte[] shape(long... dimensions) {
    Bytes bytes = new Bytes().section(1, dimensions.length, 8 + 8 * dimensions.length);
    for (long dimension : dimensions) {
      bytes.u(8, dimension);
    }
    return bytes.all();
  }

  @Test
  void shapesHoldTheElements() throws Exception {
    assertThat(accepted(one(6, shape(2, 3), 6)).bytes()).hasSize(6);
    refused(ErrorCode.COUNT_MISMATCH, one(6, shape(2, 4), 6), "shape=[2, 4]", "count=6");
    refused(ErrorCode.COUNT_MISMATCH, one(1, shape(1L << 62, 0, 1L << 62), 1));
    assertThat(accepted(one(0, shape(1L << 62, 0, 1L << 62), 0)).bytes()).isEmpty();
    // The product overflows to 0, and to 16.
    refused(ErrorCode.COUNT_MISMATCH, one(0, shape(1L << 32, 1L << 32), 0));
    refused(ErrorCode.COUNT_MISMATCH, one(16, shape((1L << 60) + 1, 16), 16));
  }

  // Strings.

  private static byte[] strings(int entries, Bytes content) {
    byte[] all = content.all();
    int padded = (all.length + 7) / 8 * 8;
    return joined(
        new Bytes().section(2, entries, 8 + padded).all(), all, new byte[padded - all.length]);
  }

  private static Bytes string(Bytes bytes, String key, int valueBytes) {
    int keyBytes = key.getBytes(StandardCharsets.UTF_8).length;
    return bytes.u(2, keyBytes).u(2, valueBytes).text(key).text("v".repeat(valueBytes));
  }

  @Test
  void stringsHaveTheirLimits() throws Exception {
    Bytes sixteen = new Bytes();
    for (int i = 0; i < 16; i++) {
      string(sixteen, "k" + i, 0);
    }
    assertThat(accepted(one(1, strings(16, sixteen), 1)).attributes()).hasSize(16);
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        one(1, strings(17, string(sixteen, "more", 0)), 1),
        "declared=17",
        "limit=16");
    assertThat(accepted(one(1, strings(1, string(new Bytes(), "k".repeat(64), 512)), 1)))
        .isNotNull();
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        one(1, strings(1, string(new Bytes(), "k".repeat(65), 0)), 1),
        "declared=65",
        "limit=64");
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        one(1, strings(1, string(new Bytes(), "k", 513)), 1),
        "declared=513",
        "limit=512");
    Bytes three = new Bytes();
    Bytes four = new Bytes();
    for (int i = 0; i < 3; i++) {
      string(three, "k" + i, 512);
      string(four, "k" + i, 512);
    }
    int left = 2048 - 3 * 514;
    assertThat(accepted(one(1, strings(4, string(three, "k", left - 1)), 1)).attributes())
        .hasSize(4);
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        one(1, strings(4, string(four, "k", left)), 1),
        "declared=2049",
        "limit=2048");
  }

  @Test
  void stringsThatAreNone() {
    refused(ErrorCode.MALFORMED_PAYLOAD, one(1, strings(1, string(new Bytes(), "", 4)), 1));
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, strings(2, string(string(new Bytes(), "key", 1), "key", 2)), 1),
        "key=key");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, strings(1, new Bytes().u(2, 1).u(2, 1).u(1, 0xff).text("v")), 1),
        "attribute=0");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, strings(1, new Bytes().u(2, 1).u(2, 1).text("k").u(1, 0xc0)), 1),
        "attribute=0");
    // Key and value are text each; together they would be.
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        one(1, strings(1, new Bytes().u(2, 1).u(2, 1).u(1, 0xc3).u(1, 0xbc)), 1));
    refused(
        ErrorCode.BAD_LENGTH,
        one(1, new Bytes().section(2, 2, 16).u(2, 1).u(2, 0).text("k").zeros(3).all(), 1));
    refused(
        ErrorCode.BAD_LENGTH,
        one(1, new Bytes().section(2, 1, 16).u(2, 3).u(2, 2).text("keyv").all(), 1));
  }

  // The table.

  @Test
  void aTableOrAnElementTypeAndNotBoth() {
    byte[] named = new Bytes().section(3, 1, 32).part(BYTE, 1, 0, 1, 1).text("n").zeros(7).all();
    refused(ErrorCode.MALFORMED_PAYLOAD, one(1, named, 1), "parts=1");
    refused(ErrorCode.MALFORMED_PAYLOAD, table(8, new byte[0], 8));
    refused(ErrorCode.MALFORMED_PAYLOAD, table(1, joined(shape(1), named), 8), "dimensions=1");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        table(1, new Bytes().section(3, 1, 24).part(BYTE, 1, 0, 0, 1).all(), 8));
  }

  @Test
  void partsHaveTheirLimit() throws Exception {
    for (int parts : new int[] {1024, 1025}) {
      Bytes bytes = new Bytes().section(3, parts, 8 + 24 * parts);
      for (int i = 0; i < parts; i++) {
        bytes.part(BYTE, 1, 0, 4, 0).text(String.format("%04d", i)).zeros(4);
      }
      byte[] message = table(0, bytes.all(), 0);
      if (parts == 1024) {
        assertThat(accepted(message).parts()).hasSize(1024);
      } else {
        refused(ErrorCode.FRAME_TOO_LARGE, message, "declared=1025", "limit=1024");
      }
    }
  }

  private static byte[] withPart(Bytes part, int partBytes, long count, int payload) {
    return table(
        count, joined(new Bytes().section(3, 1, 8 + partBytes).all(), part.all()), payload);
  }

  @Test
  void anEntryIsCheckedAsAHeaderIs() throws Exception {
    Bytes longest = new Bytes().part(BYTE, 1, 32, 255, 1);
    for (int i = 0; i < 32; i++) {
      longest.u(8, 1);
    }
    longest.text("n".repeat(255)).zeros(1);
    assertThat(accepted(withPart(longest, 16 + 256 + 256, 1, 8)).parts().get(0).name())
        .hasSize(255);
    for (int code : new int[] {0, 200, 255}) {
      refused(
          ErrorCode.UNKNOWN_CODE,
          withPart(new Bytes().part(code, 1, 0, 1, 0).text("n").zeros(7), 24, 0, 0),
          "elementType=" + code);
    }
    for (int code : new int[] {0, 3, 4, 128, 255}) {
      refused(
          ErrorCode.UNKNOWN_CODE,
          withPart(new Bytes().part(BYTE, code, 0, 1, 0).text("n").zeros(7), 24, 0, 0),
          "encoding=" + encodingName(code));
    }
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        withPart(new Bytes().u(4, 0x01000107).u(4, 1).u(8, 0).text("n").zeros(7), 24, 0, 0),
        "part=0");
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        withPart(new Bytes().part(BYTE, 1, 33, 1, 0).text("n").zeros(7), 24, 0, 0),
        "declared=33");
    refused(ErrorCode.BAD_LENGTH, withPart(new Bytes().part(BYTE, 1, 1, 1, 0).u(8, 0), 24, 0, 0));
    refused(
        ErrorCode.BAD_LENGTH,
        withPart(new Bytes().part(BYTE, 1, 0, 9, 0).text("nnnnnnnn"), 24, 0, 0));
    refused(
        ErrorCode.BAD_LENGTH,
        withPart(new Bytes().part(BYTE, 1, 0, 1, -1).text("n").zeros(7), 24, 0, 0),
        "count=18446744073709551615");
    refused(
        ErrorCode.FRAME_TOO_LARGE,
        withPart(
            new Bytes().part(BYTE, 1, 0, 1, Integer.MAX_VALUE - 7).text("n").zeros(7), 24, 0, 0),
        "declared=2147483640");
    refused(
        ErrorCode.COUNT_MISMATCH,
        withPart(
            new Bytes().part(BYTE, 1, 0, 1, Integer.MAX_VALUE - 8).text("n").zeros(7), 24, 0, 0),
        "elementsOfParts=2147483639");
    refused(
        ErrorCode.COUNT_MISMATCH,
        withPart(new Bytes().part(BYTE, 1, 1, 1, 1).u(8, 2).text("n").zeros(7), 32, 1, 8),
        "shape=[2]");
  }

  @Test
  void moreEntriesThanThereIsRoomFor() {
    refused(
        ErrorCode.BAD_LENGTH,
        table(0, new Bytes().section(3, 2, 32).part(BYTE, 1, 0, 1, 0).text("n").zeros(7).all(), 0));
    refused(
        ErrorCode.BAD_LENGTH,
        table(
            0,
            new Bytes()
                .section(3, 2, 48)
                .part(BYTE, 1, 0, 9, 0)
                .text("nnnnnnnnn")
                .zeros(7)
                .zeros(8)
                .all(),
            0));
  }

  @Test
  void namesAreTextAndDiffer() throws Exception {
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        withPart(new Bytes().part(BYTE, 1, 0, 1, 0).u(1, 0x80).zeros(7), 24, 0, 0),
        "part=0");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        withPart(new Bytes().part(BYTE, 1, 0, 1, 0).text("nn").zeros(6), 24, 0, 0),
        "value=110");
    String[] names = {"m", "c", "x", "a", "", "mm", "b"};
    Bytes bytes = new Bytes();
    for (String name : names) {
      bytes.part(BYTE, 1, 0, name.length(), 0).text(name).zeros(-name.length() & 7);
    }
    int length = 8 + names.length * 24 - 8;
    byte[] all = joined(new Bytes().section(3, names.length, length).all(), bytes.all());
    assertThat(accepted(table(0, all, 0)).parts()).extracting(Part::name).containsExactly(names);
    for (String name : names) {
      int padded = 16 + (name.length() + 7) / 8 * 8;
      byte[] twice =
          joined(
              new Bytes().section(3, names.length + 1, length + padded).all(),
              bytes.all(),
              new Bytes()
                  .part(BYTE, 1, 0, name.length(), 0)
                  .text(name)
                  .zeros(-name.length() & 7)
                  .all());
      refused(ErrorCode.MALFORMED_PAYLOAD, table(0, twice, 0), "name=" + name);
    }
  }

  @Test
  void zerosAreBehindTheElementsOfAPart() {
    Message message = Message.of("a", new byte[] {1}).with("b", new byte[] {2});
    byte[] bytes = ArrayMessage.encode(message);
    for (int i = bytes.length - 16; i < bytes.length; i++) {
      int at = i;
      if (at % 8 != 0) {
        refused(ErrorCode.MALFORMED_PAYLOAD, changed(message, m -> m.u8(at, 9)), "value=9");
      }
    }
  }
}
