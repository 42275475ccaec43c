package io.arraywire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.wire.proto.Handshake;
import io.arraywire.wire.proto.Hello;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The least that each number of a handshake may be, and what is one below it. */
class HandshakeLimitsTest {
  /** As in the table of {@code docs/protocol.md}, section Handshake. */
  private enum Limit {
    MAX_ARRAY_BYTES("maxArrayBytes", 0, Hello.Builder::setMaxArrayBytes),
    CHANNELS("channels", 1, (hello, value) -> hello.setChannels(value.intValue())),
    CHANNEL_CREDIT("channelCredit", 4096, Hello.Builder::setChannelCredit),
    CONNECTION_CREDIT("connectionCredit", 4096, Hello.Builder::setConnectionCredit),
    SUBSCRIPTIONS("subscriptions", 0, (hello, value) -> hello.setSubscriptions(value.intValue())),
    SESSION_MILLIS("sessionMillis", 0, Hello.Builder::setSessionMillis);

    private final String fact;
    private final long least;
    private final BiConsumer<Hello.Builder, Long> setter;

    Limit(String fact, long least, BiConsumer<Hello.Builder, Long> setter) {
      this.fact = fact;
      this.least = least;
      this.setter = setter;
    }

    byte[] hello(long value) {
      Hello.Builder hello =
          Hello.newBuilder().setChannels(1).setChannelCredit(4096).setConnectionCredit(4096);
      setter.accept(hello, value);
      return Handshake.newBuilder().setHello(hello).build().toByteArray();
    }
  }

  private static Offer offer(Map<Integer, String> encodings, long maxFrameBytes) {
    return new Offer(
        encodings,
        Set.of(1),
        ByteOrder.BIG_ENDIAN,
        5,
        maxFrameBytes,
        true,
        "secret".getBytes(StandardCharsets.UTF_8),
        "library 1.0",
        new FlowOffer(1, 4096, 4097, 6, 7));
  }

  @ParameterizedTest
  @EnumSource
  void theLeastIsTakenAndOneLessRefused(Limit limit) throws Exception {
    assertThat(HandshakeMessage.read(limit.hello(limit.least)).kind())
        .isEqualTo(HandshakeMessage.Kind.HELLO);
    long less = limit.least - 1;
    ProtocolException refused =
        catchThrowableOfType(
            ProtocolException.class, () -> HandshakeMessage.read(limit.hello(less)));
    assertThat(refused.code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
    assertThat(refused.facts())
        .containsEntry(
            limit.fact,
            limit == Limit.SUBSCRIPTIONS
                ? Integer.toUnsignedString((int) less)
                : Long.toUnsignedString(less));
  }

  @Test
  void framesOf1024BytesAndEncodingsOfTheSameCodeAndName() {
    Map<Integer, String> encodings = Map.of(1, "raw-le");
    Offer here = offer(encodings, 4096);
    assertThatCode(() -> Negotiation.agree(here, offer(encodings, 1024)))
        .doesNotThrowAnyException();
    HandshakeException small =
        catchThrowableOfType(
            HandshakeException.class, () -> Negotiation.agree(here, offer(encodings, 1023)));
    assertThat(small.code()).isEqualTo(ErrorCode.NEGOTIATION_FAILED);
    assertThat(small.facts()).isEqualTo(Map.of("peerMaxFrameBytes", 1023L, "least", 1024));
    for (Map<Integer, String> other : Set.of(Map.of(1, "raw-be"), Map.of(2, "raw-le"))) {
      HandshakeException nothing =
          catchThrowableOfType(
              HandshakeException.class, () -> Negotiation.agree(here, offer(other, 1024)));
      assertThat(nothing.code()).isEqualTo(ErrorCode.NEGOTIATION_FAILED);
      assertThat(nothing.facts())
          .isEqualTo(
              Map.of("here", here.encodingNames(), "peer", offer(other, 1024).encodingNames()));
    }
  }

  /** Also where its checksum is right. */
  @Test
  void aPreambleBeginsWithItsMagic() {
    byte[] bytes = Preamble.write(2, 2, new byte[0]);
    bytes[0]++;
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, Preamble.BYTES - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(Preamble.BYTES - 4, (int) checksum.getValue());
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> Preamble.read(bytes));
    assertThat(refused.code()).isEqualTo(ErrorCode.BAD_MAGIC);
  }

  @Test
  void textsHoldNoSecret() {
    assertThat(offer(Map.of(1, "raw-le"), 1024))
        .hasToString(
            "encodings=[raw-le(1)], elementTypes=[1], nativeOrder=BIG_ENDIAN, maxArrayBytes=5,"
                + " maxFrameBytes=1024, checksums=true, library=library 1.0, flow=FlowOffer["
                + "channels=1, channelCredit=4096, connectionCredit=4097, heartbeatMillis=6,"
                + " subscriptions=7]");
    assertThat(SessionOffer.NONE).hasToString("sessionMillis=0, session=new");
    byte[] secret = {1};
    assertThat(new SessionOffer(8, secret, secret)).hasToString("sessionMillis=8, session=named");
  }
}
