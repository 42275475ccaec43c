package io.arraywire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.FrameAttributes;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sections that only a connection has, byte for byte and at their limits. */
class AttributesBodyTest {
  private static final int SESSION_SEQUENCE = 16;
  private static final int FAULT = 19;
  private static final long NUMBER = 0x0102_0304_0506_0708L;

  private static ByteBuffer bytes(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer putNumber(ByteBuffer to, int kind, long number) {
    return to.putShort((short) kind).putShort((short) 1).putInt(16).putLong(number);
  }

  private static ByteBuffer putFault(ByteBuffer to, int bytes, int textBytes, String text) {
    return to.putShort((short) FAULT)
        .putShort((short) 1)
        .putInt(bytes)
        .putInt(ErrorCode.BAD_LENGTH.number())
        .putInt(textBytes)
        .put(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ProtocolException refusal(ByteBuffer body) {
    return catchThrowableOfType(ProtocolException.class, () -> Envelopes.read(0, body.array()));
  }

  @Test
  void everySectionByteForByte() throws Exception {
    ArrayEnvelope all =
        new ArrayEnvelope(
                ArrayAttributes.tagged(9),
                0,
                2,
                3,
                new RemoteErrorException(ErrorCode.BAD_LENGTH, "12345"),
                5)
            .inSession(NUMBER);
    ByteBuffer expected = bytes(88);
    putNumber(expected, SESSION_SEQUENCE, NUMBER);
    putNumber(expected, 17, 2);
    putNumber(expected, 18, 3);
    putFault(expected, 24, 5, "12345\0\0\0");
    putNumber(expected, 20, 5);
    assertThat(AttributesBody.write(all)).isEqualTo(expected.array());

    ArrayEnvelope read = Envelopes.read(9, expected.array());
    assertThat(read.attributes()).isEqualTo(all.attributes());
    assertThat(read.sessionSequence()).isEqualTo(NUMBER);
    assertThat(read.request()).isEqualTo(2);
    assertThat(read.reply()).isEqualTo(3);
    assertThat(read.fault()).isNotNull();
    assertThat(read.fault().code()).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(read.fault().reason()).isEqualTo("12345");
    assertThat(read.publication()).isEqualTo(5);
  }

  /** As of most requests and replies. */
  @Test
  void aNumberAlone() throws Exception {
    List<ArrayEnvelope> all =
        List.of(
            new ArrayEnvelope(ArrayAttributes.tagged(9), NUMBER, 0, 0, null),
            ArrayEnvelope.request(ArrayAttributes.tagged(9), NUMBER),
            ArrayEnvelope.reply(ArrayAttributes.tagged(9), NUMBER, null),
            ArrayEnvelope.publication(ArrayAttributes.tagged(9), NUMBER));
    List<Integer> kinds = List.of(SESSION_SEQUENCE, 17, 18, 20);
    for (int i = 0; i < kinds.size(); i++) {
      byte[] expected = putNumber(bytes(16), kinds.get(i), NUMBER).array();
      assertThat(AttributesBody.write(all.get(i))).isEqualTo(expected);
      assertThat(Envelopes.read(9, expected)).isEqualTo(all.get(i));
    }
    // A shape of one dimension takes as many bytes.
    ArrayAttributes shape = ArrayAttributes.of(9, new long[] {NUMBER}, Map.of());
    assertThat(Envelopes.read(9, AttributesBody.write(shape)).attributes()).isEqualTo(shape);
  }

  @Test
  void whatIsNoNumberAloneIsRefusedAsAmongOthers() {
    assertThat(refusal(putNumber(bytes(16), 15, 1)).code()).isEqualTo(ErrorCode.UNKNOWN_CODE);
    assertThat(refusal(putNumber(bytes(16), 21, 1)).code()).isEqualTo(ErrorCode.UNKNOWN_CODE);
    ByteBuffer two = putNumber(bytes(16), 17, 1).putShort(2, (short) 2);
    assertThat(refusal(two).facts()).containsEntry("entries", 2);
    assertThat(refusal(putNumber(bytes(16), 17, 1).putInt(4, 24)).code())
        .isEqualTo(ErrorCode.BAD_LENGTH);
    FrameHeader untyped = new FrameHeader().clear(FrameType.ARRAY);
    untyped.attributeBytes = 16;
    byte[] request = putNumber(bytes(16), 17, 1).array();
    assertThatThrownBy(() -> AttributesBody.readEnvelope(untyped, request, code -> null))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("neither an element type nor a table of parts");
  }

  /** A tag is in the header, so it alone takes no bytes; and it is not lost. */
  @Test
  void nothingTakesNoBytesAndNoNewEnvelope() throws Exception {
    ArrayAttributes tag = ArrayAttributes.tagged(7);
    ArrayAttributes shape = ArrayAttributes.of(0, new long[] {2, 3}, Map.of("key", "value"));
    assertThat(ArrayEnvelope.of(ArrayAttributes.NONE)).isSameAs(ArrayEnvelope.NONE);
    assertThat(ArrayEnvelope.of(tag).attributes()).isEqualTo(tag);
    assertThat(ArrayEnvelope.of(shape).attributes()).isEqualTo(shape);
    assertThat(AttributesBody.write(ArrayEnvelope.NONE)).isEmpty();
    assertThat(AttributesBody.write(tag)).isEmpty();
    assertThat(Envelopes.read(7, new byte[0]).attributes()).isEqualTo(tag);
    assertThat(Envelopes.read(0, AttributesBody.write(shape)).attributes()).isEqualTo(shape);
  }

  /** Attributes with a table of 256 parts, whose last name has so many bytes. */
  private static ArrayAttributes table(int lastNameBytes) {
    ArraySlice element = ArraySlice.of(new byte[1]);
    Message message = Message.of("0".repeat(240), element);
    for (int i = 1; i < 255; i++) {
      message = message.with(Integer.toString(1000 + i).repeat(60), element);
    }
    return message.with("z".repeat(lastNameBytes), element).toAttributes();
  }

  @Test
  void asManyBytesAsTheLimitAndEightMore() {
    ArrayAttributes full = table(208);
    assertThat(FrameAttributes.bytes(full)).isEqualTo(65_512);
    assertThat(AttributesBody.write(ArrayEnvelope.request(full, 1)))
        .hasSize(FrameLayout.MAX_ATTRIBUTE_BYTES);
    assertThatThrownBy(() -> AttributesBody.write(ArrayEnvelope.request(table(209), 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("(bytes=65536, limit=65528)");
  }

  @Test
  void numbersBeginWithOne() throws Exception {
    ByteBuffer one = putNumber(bytes(16), SESSION_SEQUENCE, 1);
    assertThat(Envelopes.read(0, one.array()).sessionSequence()).isEqualTo(1);
    for (long impossible : new long[] {0, -1}) {
      ProtocolException refused = refusal(putNumber(bytes(16), SESSION_SEQUENCE, impossible));
      assertThat(refused.code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
      assertThat(refused.facts())
          .containsEntry("sessionSequence", Long.toUnsignedString(impossible));
    }
  }

  @Test
  void theTextOfAFaultFillsItsSectionAndNoMore() throws Exception {
    ByteBuffer whole = putFault(bytes(24), 24, 8, "12345678");
    RemoteErrorException fault = Envelopes.read(0, whole.array()).fault();
    assertThat(fault).isNotNull();
    assertThat(fault.reason()).isEqualTo("12345678");
    for (int more : new int[] {9, -1}) {
      ProtocolException refused = refusal(putFault(bytes(24), 24, more, "12345678"));
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_LENGTH);
      assertThat(refused.facts())
          .containsEntry("bytes", Integer.toUnsignedLong(more))
          .containsEntry("left", 8);
    }
  }
}
