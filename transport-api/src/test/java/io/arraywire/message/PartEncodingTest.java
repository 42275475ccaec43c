package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each part of a message may have an encoding of its own. */
class PartEncodingTest {
  private static final Message MESSAGE =
      Message.of("ids", new int[] {7, 8}).with("scores", new float[] {1, 2}).tag(3);

  private static final List<Encoding> MIXED =
      List.of(Encoding.SHUFFLE_ZSTD, Encoding.RAW_BIG_ENDIAN);

  private static PartTable table(Message message) {
    return Objects.requireNonNull(message.toAttributes().parts());
  }

  @Test
  void aPartHasTheCodecThatTheMessageGivesIt() {
    Message named = MESSAGE.codec("ids", "shuffle-zstd").attribute("k", "v").tag(4);
    assertThat(named.part("ids").codec()).isEqualTo("shuffle-zstd");
    assertThat(named.part("scores").codec()).isNull();
    assertThat(named.ints("ids")).isSameAs(MESSAGE.ints("ids"));
    assertThat(named.with("more", new byte[1]).part("ids").codec()).isEqualTo("shuffle-zstd");
    assertThat(MESSAGE.part("ids").codec()).isNull();
    assertThat(named.codec("ids", null).part("ids").codec()).isNull();
  }

  @Test
  void onlyPartsOfATableHaveCodecs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MESSAGE.codec("id", "raw-be"))
        .withMessageContaining("name=id");
    Message unnamed = Message.of(new float[1]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unnamed.codec(Message.UNNAMED, "raw-be"))
        .withMessageContainingAll("SendOptions.codec", "codec=raw-be");
    Message several = unnamed.with("b", new byte[1]).codec(Message.UNNAMED, "raw-be");
    assertThat(several.part(Message.UNNAMED).codec()).isEqualTo("raw-be");
  }

  @Test
  void aTableTakesOtherEncodings() {
    PartTable raw = table(MESSAGE);
    assertThat(raw.hasBlocks()).isFalse();
    PartTable mixed = raw.withEncodings(MIXED);
    assertThat(mixed.hasBlocks()).isTrue();
    assertThat(mixed.encodingOf(0)).isEqualTo(Encoding.SHUFFLE_ZSTD);
    assertThat(mixed.encodingOf(1)).isEqualTo(Encoding.RAW_BIG_ENDIAN);
    assertThat(mixed.names()).containsExactly("ids", "scores");
    assertThat(mixed.payloadBytes()).isEqualTo(raw.payloadBytes());
    assertThat(mixed).isNotEqualTo(raw);
    PartTable again = mixed.withEncodings(List.of(raw.encodingOf(0), raw.encodingOf(1)));
    assertThat(again).isEqualTo(raw);
    assertThat(again.hasBlocks()).isFalse();
    assertThat(raw.withEncodings(List.of(raw.encodingOf(0), raw.encodingOf(1)))).isSameAs(raw);
  }

  @Test
  void aTableRefusesEncodingsThatPartsCannotHave() {
    PartTable raw = table(MESSAGE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> raw.withEncodings(List.of(Encoding.RAW_BIG_ENDIAN)))
        .withMessageContainingAll("encodings=1", "parts=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> raw.withEncodings(List.of(Encoding.FLOAT_BF16, Encoding.FLOAT_BF16)))
        .withMessageContainingAll("encoding=bf16", "part=ids", "type=int");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> raw.withEncodings(List.of(Encoding.RAW_LITTLE_ENDIAN, Encoding.PROTOBUF)))
        .withMessageContainingAll("encoding=protobuf", "part=scores");
  }

  private static ArrayAttributes read(List<Encoding> encodings, Encoding... known)
      throws ProtocolException {
    PartTable table = table(MESSAGE).withEncodings(encodings);
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.count = table.elements();
    header.arrayBytes = table.payloadBytes();
    ByteBuffer section = ByteBuffer.allocate(table.sectionBytes()).order(ByteOrder.LITTLE_ENDIAN);
    table.put(section);
    FrameAttributes.Sections none =
        (kind, entries, bytes, from, end) -> {
          throw new AssertionError("a section of kind " + kind);
        };
    return FrameAttributes.read(
        header,
        section.array(),
        code -> {
          for (Encoding each : known) {
            if (each.code() == code) {
              return each;
            }
          }
          return null;
        },
        none);
  }

  @Test
  void aTableMayHaveTheEncodingsInBlocksThatItsReaderKnows() throws Exception {
    PartTable read = Objects.requireNonNull(read(MIXED, Encoding.SHUFFLE_ZSTD).parts());
    assertThat(read).isEqualTo(table(MESSAGE).withEncodings(MIXED));
    assertThat(read.encodingOf(0)).isEqualTo(Encoding.SHUFFLE_ZSTD);
  }

  @Test
  void aTableHasNoEncodingThatItsReaderDoesNotKnow() {
    assertThatThrownBy(() -> read(MIXED))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("encoding=shuffle-zstd")
        .matches(ErrorCode.UNKNOWN_CODE::isOf);
    assertThatThrownBy(() -> read(MIXED, Encoding.SHUFFLE_LZ4))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContainingAll("encoding=shuffle-zstd", "elementType=int")
        .matches(ErrorCode.UNKNOWN_CODE::isOf);
    Encoding floats =
        Encoding.customInBlocks(
            200, "floats", ByteOrder.LITTLE_ENDIAN, Encoding.FLOAT_BF16::supports);
    Encoding all = Encoding.customInBlocks(200, "all", ByteOrder.LITTLE_ENDIAN, type -> true);
    assertThatThrownBy(() -> read(List.of(all, Encoding.RAW_LITTLE_ENDIAN), floats))
        .hasMessageContainingAll("encoding=floats", "elementType=int")
        .matches(ErrorCode.UNKNOWN_CODE::isOf);
  }
}
