package io.arraywire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.wire.proto.Fault;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a peer is told of a fault, and what this side makes of what it is told. */
class FaultBodyTest {
  private static final String FACE = "\ud83d\ude00";

  /** Four bytes of a tag that begins nothing: a reader that does not skip them fails. */
  static UnknownFieldSet unknownField() {
    return UnknownFieldSet.newBuilder()
        .addField(23, UnknownFieldSet.Field.newBuilder().addFixed32(4).build())
        .build();
  }

  private static String cut(String text) {
    return FaultBody.text(new RemoteErrorException(ErrorCode.INTERNAL, text), 960);
  }

  /** A quarter goes at a time, and never half a character of two. */
  @Test
  void textIsCutToFit() {
    Map<String, String> cut =
        Map.of(
            "",
            "",
            "x".repeat(960),
            "x".repeat(960),
            "x".repeat(961),
            "x".repeat(720),
            "x".repeat(719) + FACE + "x".repeat(240),
            "x".repeat(719));
    cut.forEach((text, expected) -> assertThat(cut(text)).isEqualTo(expected));
  }

  @Test
  void aRefusalHasTheClassThatItHasOverThere() {
    Map<ErrorCode, Class<? extends ArraywireException>> classes =
        Map.of(
            ErrorCode.UNSUPPORTED_VERSION, ProtocolException.class,
            ErrorCode.AUTHENTICATION_FAILED, HandshakeException.class,
            ErrorCode.NEGOTIATION_FAILED, HandshakeException.class,
            ErrorCode.RESUME_REJECTED, ConnectionLostException.class);
    classes.forEach((code, type) -> {
      FaultFields fault = new FaultFields();
      fault.code = code.number();
      fault.text = "no\nway";
      assertThat(FaultBody.asHandshakeFault(fault))
          .isExactlyInstanceOf(type)
          .hasMessage("the listener refused: no?way")
          .extracting(ArraywireException::code)
          .isEqualTo(code);
    });
    FaultFields other = new FaultFields();
    other.code = ErrorCode.BAD_LENGTH.number();
    assertThat(FaultBody.asHandshakeFault(other)).isInstanceOf(RemoteErrorException.class);
  }

  @Test
  void aCodeThatIsNotKnownIsToldAsItCame() {
    RemoteErrorException unknown = FaultBody.remote(-1, "x");
    assertThat(unknown.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(unknown.facts()).isEqualTo(Map.of("code", 0xffff_ffffL));
    RemoteErrorException known = FaultBody.remote(ErrorCode.BAD_LENGTH.number(), "x");
    assertThat(known.code()).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(known.facts()).isEqualTo(Map.of("code", ErrorCode.BAD_LENGTH));
  }

  @Test
  void theLastBodyNeedNotBeReadable() {
    RemoteErrorException unreadable = FaultBody.readLast(new byte[] {4});
    assertThat(unreadable.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(unreadable.reason()).endsWith("its reason cannot be read");
    assertThat(unreadable).hasCauseInstanceOf(ProtocolException.class);
  }

  @Test
  void aFieldThatIsNotKnownIsSkipped() throws Exception {
    Fault fault =
        Fault.newBuilder()
            .setCode(ErrorCode.BAD_LENGTH.number())
            .setUnknownFields(unknownField())
            .build();
    assertThat(FaultBody.read(fault.toByteArray()).code()).isEqualTo(ErrorCode.BAD_LENGTH);
  }

  @Test
  void wordsOfAPeerAreCutAtSixHundredCharacters() {
    assertThat(Words.printable("x".repeat(600))).isEqualTo("x".repeat(600));
    assertThat(Words.printable("x".repeat(600) + "y")).isEqualTo("x".repeat(600));
  }
}
