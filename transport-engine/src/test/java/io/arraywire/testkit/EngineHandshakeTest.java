package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Engine;
import io.arraywire.engine.Role;
import io.arraywire.spi.Codec;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.HandshakeMessage.Kind;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine does with the first bytes of a connection. */
class EngineHandshakeTest {
  private static final long ALLOCATION_LIMIT = 64 << 10;

  private static EngineBench acceptor() {
    return EngineBench.acceptor(EngineBench.options());
  }

  private static EngineBench connector() {
    return EngineBench.connector(EngineBench.options());
  }

  /** The acceptor must refuse, and tell the connector why in the same words. */
  private static HandshakeMessage refused(EngineBench acceptor, byte[] first, ErrorCode code) {
    acceptor.feed(first);
    HandshakeMessage reject = acceptor.handshake();
    assertThat(reject.kind()).isEqualTo(Kind.REJECT);
    assertThat(acceptor.outputShut).isTrue();
    assertThat(acceptor.core.opened().toCompletableFuture()).isCompletedExceptionally();
    acceptor.end();
    acceptor.assertFailed(code);
    assertThat(reject.fault()).isNotNull();
    assertThat(acceptor.handler.cause).isNotNull();
    assertThat(reject.fault().code()).isEqualTo(acceptor.handler.cause.code());
    assertThat(reject.fault())
        .hasMessageContaining(String.valueOf(acceptor.handler.cause.getMessage()));
    return reject;
  }

  @Test
  void twoSidesAgree() {
    EngineBench one = connector();
    EngineBench other = acceptor();
    EngineBench.join(one, other);
    assertThat(one.connection.isOpen()).isTrue();
    assertThat(other.connection.isOpen()).isTrue();
    assertThat(one.core.opened().toCompletableFuture()).isCompleted();
    assertThat(one.connection.agreement().sendEncoding()).isEqualTo("raw-le");
    assertThat(one.connection.agreement().wireVersion()).isEqualTo(2);
    assertThat(one.connection.agreement().peer()).startsWith("arraywire-java ");
    assertThat(one.clock.waiting() + other.clock.waiting())
        .as("no deadline is left but each side's next look at its peer")
        .isEqualTo(2);
  }

  @Test
  void agreementsTakeTheSmallerLimitAndEitherSidesChecksums() {
    EngineBench one =
        EngineBench.connector(
            EngineBench.options()
                .maxArrayBytes(1000)
                .checksums(Checksums.UNWANTED)
                .chunkBytes(4096));
    EngineBench other =
        EngineBench.acceptor(
            EngineBench.options()
                .maxArrayBytes(2000)
                .checksums(Checksums.WANTED)
                .maxFrameBytes(2048));
    EngineBench.join(one, other);
    assertThat(one.connection.agreement().maxSendBytes()).isEqualTo(1000);
    assertThat(one.connection.agreement().maxReceiveBytes()).isEqualTo(1000);
    assertThat(one.connection.agreement().chunkBytes()).isEqualTo(2048);
    assertThat(one.connection.agreement().checksums()).isTrue();
    assertThat(other.connection.agreement().maxSendBytes()).isEqualTo(1000);
    assertThat(other.connection.agreement().maxReceiveBytes()).isEqualTo(2000);
    assertThat(other.connection.agreement().checksums()).isTrue();
  }

  @Test
  void eachSideSendsWhatTheOtherUnderstands() {
    EngineBench one =
        EngineBench.connector(
            TransportOptions.builder().codecs(EngineBench.RAW_LE, EngineBench.JAVA_OBJECT));
    EngineBench other =
        EngineBench.acceptor(
            TransportOptions.builder()
                .codecs(EngineBench.PROTOBUF, EngineBench.JAVA_OBJECT, EngineBench.RAW_LE));
    EngineBench.join(one, other);
    assertThat(one.connection.agreement().sendEncoding()).isEqualTo("raw-le");
    assertThat(other.connection.agreement().sendEncoding()).isEqualTo("java-object");
    assertThat(other.connection.agreement().sendCodec()).isEqualTo("object");
  }

  @Test
  void noEncodingInCommon() {
    EngineBench one =
        EngineBench.connector(TransportOptions.builder().codecs(EngineBench.JAVA_OBJECT));
    EngineBench other =
        EngineBench.acceptor(
            TransportOptions.builder().codecs(EngineBench.RAW_LE, EngineBench.RAW_BE));
    EngineBench.join(one, other);
    one.assertFailed(ErrorCode.NEGOTIATION_FAILED);
    other.assertFailed(ErrorCode.NEGOTIATION_FAILED);
    assertThat(other.handler.cause)
        .hasMessageContaining("here=[raw-le(1), raw-be(2)]")
        .hasMessageContaining("peer=[java-object(3)]");
    assertThat(one.handler.cause)
        .hasMessageContaining("[raw-le(1), raw-be(2)]")
        .hasMessageContaining("[java-object(3)]");
  }

  @Test
  void sameCodeAnotherName() {
    Codec mine = custom("mine");
    Codec yours = custom("yours");
    EngineBench one = EngineBench.connector(TransportOptions.builder().codecs(mine));
    EngineBench other = EngineBench.acceptor(TransportOptions.builder().codecs(yours));
    EngineBench.join(one, other);
    one.assertFailed(ErrorCode.NEGOTIATION_FAILED);
    other.assertFailed(ErrorCode.NEGOTIATION_FAILED);
    assertThat(one.handler.cause)
        .hasMessageContaining("mine(200)")
        .hasMessageContaining("yours(200)");
  }

  private static Codec custom(String name) {
    return SimpleCodec.of(Encoding.custom(200, name, ByteOrder.LITTLE_ENDIAN, ElementType::bytes))
        .named(name);
  }

  @Test
  void noElementTypeInCommon() {
    Offer offer = EngineBench.offer();
    Offer shorts = with(offer, Set.of(99), offer.maxFrameBytes());
    HandshakeMessage reject =
        refused(
            acceptor(),
            EngineBench.preambled(HandshakeMessage.hello(shorts)),
            ErrorCode.NEGOTIATION_FAILED);
    assertThat(reject.fault()).hasMessageContaining("peer=[99]").hasMessageContaining("here=[");
  }

  @Test
  void framesTooSmall() {
    Offer small = with(EngineBench.offer(), EngineBench.offer().elementTypes(), 1023);
    HandshakeMessage reject =
        refused(
            acceptor(),
            EngineBench.preambled(HandshakeMessage.hello(small)),
            ErrorCode.NEGOTIATION_FAILED);
    assertThat(reject.fault())
        .hasMessageContaining("peerMaxFrameBytes=1023")
        .hasMessageContaining("least=1024");
  }

  private static Offer with(Offer offer, Set<Integer> types, long maxFrameBytes) {
    return new Offer(
        offer.encodings(),
        types,
        offer.nativeOrder(),
        offer.maxArrayBytes(),
        maxFrameBytes,
        offer.checksums(),
        offer.token(),
        offer.library(),
        offer.flow());
  }

  // Tokens.

  @Test
  void tokens() {
    byte[] secret = "a very secret word".getBytes(StandardCharsets.UTF_8);
    byte[] wrong = "a very secret wort".getBytes(StandardCharsets.UTF_8);
    for (byte[] shown : new byte[][] {null, wrong, secret}) {
      EngineBench one = EngineBench.connector(EngineBench.options().authToken(shown));
      EngineBench other = EngineBench.acceptor(EngineBench.options().authToken(secret));
      EngineBench.join(one, other);
      if (shown == secret) {
        assertThat(one.connection.isOpen()).isTrue();
        assertThat(other.connection.isOpen()).isTrue();
        continue;
      }
      for (EngineBench side : List.of(one, other)) {
        side.assertFailed(ErrorCode.AUTHENTICATION_FAILED);
        assertThat(side.handler.cause)
            .hasMessageContaining(shown == null ? "none was shown" : "wrong");
        assertThat(side.handler.cause.toString()).doesNotContain("secret");
        assertThat(side.connection.describe()).doesNotContain("secret");
      }
    }
  }

  /** A stranger's memory follows the bytes that have come; the token's holder has it at once. */
  @Test
  void onlyAPeerThatHasShownTheTokenHasMemoryAhead() throws Exception {
    byte[] secret = "a very secret word".getBytes(StandardCharsets.UTF_8);
    int count = 8 << 20;
    RawFrame frame =
        RawFrame.array(
                Encoding.RAW_LITTLE_ENDIAN.code(), ElementType.BYTE.code(), 1, count, new byte[99])
            .with(header -> header.arrayBytes = count);
    assertThat(allocatedFor(frame, null)).isLessThan(256 << 10);
    assertThat(allocatedFor(frame, secret)).isGreaterThanOrEqualTo(count);
  }

  private static long allocatedFor(RawFrame frame, byte @Nullable [] token) throws Exception {
    return AllocationMeter.bytesPerRun(() -> {
      EngineBench bench =
          EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED).authToken(token))
              .open(showing(token));
      bench.feed(frame).end();
      bench.assertFailed(ErrorCode.TRUNCATED);
    });
  }

  private static Offer showing(byte @Nullable [] token) {
    Offer offer = EngineBench.offer();
    return new Offer(
        offer.encodings(),
        offer.elementTypes(),
        offer.nativeOrder(),
        offer.maxArrayBytes(),
        offer.maxFrameBytes(),
        false,
        token == null ? offer.token() : token,
        offer.library(),
        offer.flow());
  }

  @Test
  void theAcceptorKeepsItsTokenToItself() {
    byte[] secret = "a very secret word".getBytes(StandardCharsets.UTF_8);
    EngineBench acceptor = EngineBench.acceptor(EngineBench.options().authToken(secret));
    Offer offer = EngineBench.offer();
    acceptor.feed(
        EngineBench.preambled(
            HandshakeMessage.hello(
                new Offer(
                    offer.encodings(),
                    offer.elementTypes(),
                    offer.nativeOrder(),
                    offer.maxArrayBytes(),
                    offer.maxFrameBytes(),
                    offer.checksums(),
                    secret,
                    offer.library(),
                    offer.flow()))));
    assertThat(new String(acceptor.outBytes(), StandardCharsets.ISO_8859_1))
        .doesNotContain("secret");
    HandshakeMessage welcome = acceptor.handshake();
    assertThat(welcome.kind()).isEqualTo(Kind.WELCOME);
  }

  // Versions.

  @Test
  void everyRangeOfVersions() {
    byte[] hello = HandshakeMessage.hello(EngineBench.offer());
    int[][] ranges = {
      {0, 0},
      {3, 3},
      {3, 255},
      {255, 255},
      {2, 0},
      {255, 2},
      {1, 2},
      {2, 2},
      {2, 255},
      {0, 255},
      {1, 1}
    };
    for (int[] range : ranges) {
      byte[] first = Preamble.write(range[0], range[1], hello);
      if (range[0] <= 2 && range[1] >= 2) {
        EngineBench acceptor = acceptor();
        acceptor.feed(first);
        assertThat(acceptor.handshake().kind()).isEqualTo(Kind.WELCOME);
      } else {
        HandshakeMessage reject = refused(acceptor(), first, ErrorCode.UNSUPPORTED_VERSION);
        assertThat(reject.fault())
            .isInstanceOf(ProtocolException.class)
            .matches(ErrorCode.UNSUPPORTED_VERSION::isOf)
            .hasMessageContaining("here=2-2")
            .hasMessageContaining("peer=" + range[0] + "-" + range[1]);
      }
    }
  }

  @Test
  void everySingleVersion() {
    byte[] hello = HandshakeMessage.hello(EngineBench.offer());
    for (int version = 0; version < 256; version++) {
      if (version != 2) {
        refused(acceptor(), Preamble.write(version, version, hello), ErrorCode.UNSUPPORTED_VERSION);
      }
    }
  }

  @Test
  void aWelcomeOfAVersionThatWasNotOffered() {
    EngineBench connector = connector();
    connector.feed(EngineBench.preambled(HandshakeMessage.welcome(EngineBench.offer(), 1)));
    connector.assertFailed(ErrorCode.UNSUPPORTED_VERSION);
  }

  // Damage and hostility.

  @Test
  void everyBitOfThePreamble() {
    for (int bit = 0; bit < 8 * Preamble.BYTES; bit++) {
      byte[] first = EngineBench.hello();
      first[bit / 8] ^= (byte) (1 << (bit % 8));
      EngineBench acceptor = acceptor();
      if (bit < 32) {
        acceptor.feed(first);
        assertThat(acceptor.outBytes()).isEmpty();
        acceptor.assertFailed(ErrorCode.BAD_MAGIC);
      } else {
        refused(acceptor, first, ErrorCode.HEADER_CHECKSUM);
      }
    }
  }

  @Test
  void everyBitOfTheMessage() {
    byte[] hello = EngineBench.hello();
    for (int bit = 8 * Preamble.BYTES; bit < 8 * hello.length; bit++) {
      byte[] first = hello.clone();
      first[bit / 8] ^= (byte) (1 << (bit % 8));
      refused(acceptor(), first, ErrorCode.PAYLOAD_CHECKSUM);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4097, 65536, Integer.MAX_VALUE, 0x80000000L, 0xffffffffL})
  void messagesThatAreTooLarge(long declared) throws Exception {
    byte[] first = sealedPreamble(declared, 0, 0);
    HandshakeMessage reject = refused(acceptor(), first, ErrorCode.FRAME_TOO_LARGE);
    assertThat(reject.fault())
        .hasMessageContaining("declared=" + declared)
        .hasMessageContaining("limit=4096");
    long own = AllocationMeter.bytesPerRun(() -> acceptor());
    long all = AllocationMeter.bytesPerRun(() -> acceptor().feed(first));
    assertThat(all - own).isLessThan(ALLOCATION_LIMIT);
  }

  @Test
  void theLargestMessageIsTaken() {
    // An unknown field of 4096 bytes less what comes before it.
    byte[] message = Arrays.copyOf(HandshakeMessage.hello(EngineBench.offer()), 4096);
    int at = HandshakeMessage.hello(EngineBench.offer()).length;
    int left = 4096 - at - 3;
    message[at] = 15 << 3 | 2;
    message[at + 1] = (byte) (left & 0x7f | 0x80);
    message[at + 2] = (byte) (left >> 7);
    EngineBench acceptor = acceptor();
    acceptor.feed(EngineBench.preambled(message));
    assertThat(acceptor.handshake().kind()).isEqualTo(Kind.WELCOME);
  }

  @Test
  void reservedBytes() {
    refused(acceptor(), sealedPreamble(0, 1, 0), ErrorCode.MALFORMED_PAYLOAD);
    refused(acceptor(), sealedPreamble(0, 0, 1), ErrorCode.MALFORMED_PAYLOAD);
  }

  private static byte[] sealedPreamble(long length, int reservedShort, int reservedInt) {
    byte[] bytes = Preamble.write(1, 1, new byte[0]);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putShort(6, (short) reservedShort).putInt(8, (int) length).putInt(16, reservedInt);
    java.util.zip.CRC32C checksum = new java.util.zip.CRC32C();
    checksum.update(bytes, 0, 20);
    buffer.putInt(20, (int) checksum.getValue());
    return bytes;
  }

  @Test
  void anEmptyMessage() {
    refused(acceptor(), EngineBench.preambled(new byte[0]), ErrorCode.MALFORMED_PAYLOAD);
  }

  @Test
  void deepNesting() {
    // Groups inside groups, of an unknown field; a parser that recurses without limit overflows.
    for (int depth : new int[] {50, 101, 2000, 4096}) {
      byte[] groups = new byte[depth];
      Arrays.fill(groups, (byte) (15 << 3 | 3));
      refused(acceptor(), EngineBench.preambled(groups), ErrorCode.MALFORMED_PAYLOAD);
    }
    byte[] closed = new byte[4000];
    Arrays.fill(closed, 0, 2000, (byte) (15 << 3 | 3));
    Arrays.fill(closed, 2000, 4000, (byte) (15 << 3 | 4));
    refused(acceptor(), EngineBench.preambled(closed), ErrorCode.MALFORMED_PAYLOAD);
  }

  @Test
  void arbitraryMessages() {
    SeededArrays.check(arrays -> {
      for (int i = 0; i < 3000; i++) {
        byte[] message = arrays.bytes(arrays.between(0, i % 2 == 0 ? 40 : 4096));
        EngineBench acceptor = acceptor();
        acceptor.feed(EngineBench.preambled(message)).end();
        acceptor.assertEnded(
            acceptor.handler.cause == null ? null : acceptor.handler.cause.getClass());
        assertThat(acceptor.handler.cause).isInstanceOf(ArraywireException.class);
        assertThat(acceptor.handler.cause.code()).isNotEqualTo(ErrorCode.INTERNAL);
      }
    });
  }

  @Test
  void mutatedMessages() {
    byte[] hello = HandshakeMessage.hello(EngineBench.offer());
    SeededArrays.check(arrays -> {
      for (int i = 0; i < 3000; i++) {
        byte[] message = hello.clone();
        for (int k = arrays.between(1, 4); k > 0; k--) {
          message[arrays.between(0, message.length - 1)] = arrays.bytes(1)[0];
        }
        for (EngineBench side : List.of(acceptor(), connector())) {
          side.out.reset();
          side.feed(EngineBench.preambled(message)).end();
          assertThat(side.isEnded()).isTrue();
          side.assertNothingLeaks();
          // A damaged hello may become a refusal of an unknown kind.
          assertThat(side.handler.cause).isNotNull();
          if (!(side.handler.cause instanceof RemoteErrorException)) {
            assertThat(side.handler.cause.code()).isNotEqualTo(ErrorCode.INTERNAL);
          }
        }
      }
    });
  }

  @Test
  void unknownFieldsAreIgnored() {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(new byte[] {15 << 3, 1}); // field 15, a varint
    message.writeBytes(HandshakeMessage.hello(EngineBench.offer()));
    message.writeBytes(new byte[] {14 << 3 | 2, 3, 1, 2, 3}); // field 14, bytes
    message.writeBytes(new byte[] {13 << 3 | 5, 1, 2, 3, 4}); // field 13, fixed32
    EngineBench acceptor = acceptor();
    acceptor.feed(EngineBench.preambled(message.toByteArray()));
    assertThat(acceptor.handshake().kind()).isEqualTo(Kind.WELCOME);
  }

  @Test
  void theWrongSidesMessage() {
    refused(acceptor(), EngineBench.welcome(), ErrorCode.PROTOCOL_VIOLATION);
    refused(
        acceptor(),
        EngineBench.preambled(
            HandshakeMessage.reject(new ArraywireException(ErrorCode.INTERNAL, "no"))),
        ErrorCode.PROTOCOL_VIOLATION);
    EngineBench connector = connector();
    connector.feed(EngineBench.hello());
    connector.assertFailed(ErrorCode.PROTOCOL_VIOLATION);
  }

  /**
   * In clear text, since an acceptor without TLS has no other: a TLS client reads the first byte.
   */
  @Test
  void aTlsClientIsToldWhy() throws ArraywireException {
    for (int type : new int[] {0x16, 0x15}) {
      byte[] first = {(byte) type, 3, 1, 2};
      HandshakeMessage reject = refused(acceptor(), first, ErrorCode.TLS_MISMATCH);
      assertThat(reject.fault()).hasMessageContaining("set tls at both sides or at neither");
    }
  }

  @Test
  void aRefusalHasTheClassThatItHadOverThere() {
    Map<ErrorCode, Class<? extends ArraywireException>> classes =
        Map.of(
            ErrorCode.UNSUPPORTED_VERSION, ProtocolException.class,
            ErrorCode.AUTHENTICATION_FAILED, HandshakeException.class,
            ErrorCode.NEGOTIATION_FAILED, HandshakeException.class,
            ErrorCode.FRAME_TOO_LARGE, RemoteErrorException.class,
            ErrorCode.INTERNAL, RemoteErrorException.class);
    classes.forEach((code, type) -> {
      EngineBench connector = connector();
      connector.feed(
          EngineBench.preambled(
              HandshakeMessage.reject(new ArraywireException(code, "because", "limit", 5))));
      connector.assertEnded(type);
      assertThat(connector.handler.cause).hasMessageContaining("because (limit=5)");
      assertThat(connector.handler.cause.code()).isEqualTo(code);
    });
  }

  @Test
  void anImpossibleLimit() {
    Offer offer = EngineBench.offer(-1, false);
    refused(
        acceptor(),
        EngineBench.preambled(HandshakeMessage.hello(offer)),
        ErrorCode.MALFORMED_PAYLOAD);
  }

  // Time and the end of the stream.

  @ParameterizedTest
  @EnumSource(Role.class)
  void aHandshakeThatTakesTooLong(Role role) {
    TransportOptions.Builder options = EngineBench.options().connectTimeout(Duration.ofSeconds(3));
    EngineBench bench =
        role == Role.ACCEPTOR ? EngineBench.acceptor(options) : EngineBench.connector(options);
    byte[] first = role == Role.ACCEPTOR ? EngineBench.hello() : EngineBench.welcome();
    bench.feed(Arrays.copyOf(first, first.length - 1));
    bench.clock.advance(Duration.ofSeconds(2));
    bench.feed(new byte[0]);
    assertThat(bench.linkClosed).isFalse();
    bench.clock.advance(Duration.ofSeconds(2));
    bench.assertFailed(ErrorCode.HANDSHAKE_TIMEOUT);
    assertThat(bench.handler.cause)
        .hasMessageContaining("connectTimeout=PT3S")
        .hasMessageContaining("peer=memory:there");
  }

  /** A byte a second is life, and no reason to wait for longer. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void aHandshakeThatTricklesHasNoMoreTime(Role role) {
    TransportOptions.Builder options = EngineBench.options();
    EngineBench bench =
        role == Role.ACCEPTOR ? EngineBench.acceptor(options) : EngineBench.connector(options);
    byte[] first = role == Role.ACCEPTOR ? EngineBench.hello() : EngineBench.welcome();
    for (int second = 0; second < 9; second++) {
      bench.feed(new byte[] {first[second]});
      bench.clock.advance(Duration.ofSeconds(1));
      assertThat(bench.linkClosed).as("after %d s", second + 1).isFalse();
    }
    bench.feed(new byte[] {first[9]});
    bench.clock.advance(Duration.ofSeconds(2));
    bench.assertFailed(ErrorCode.HANDSHAKE_TIMEOUT);
    assertThat(bench.handler.cause).hasMessageContaining("connectTimeout=PT10S");
  }

  @Test
  void aHandshakeThatIsOverHasNoDeadline() {
    EngineBench bench = acceptor().open();
    bench.clock.advance(Duration.ofDays(1));
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void everyPrefixOfTheHandshake() {
    for (boolean accepts : new boolean[] {true, false}) {
      byte[] first = accepts ? EngineBench.hello() : EngineBench.welcome();
      for (int length = 0; length <= first.length; length++) {
        EngineBench bench = accepts ? acceptor() : connector();
        bench.feed(Arrays.copyOf(first, length)).end();
        if (length < first.length) {
          bench.assertFailed(ErrorCode.TRUNCATED);
          assertThat(bench.handler.cause).hasMessageContaining("received=");
        } else {
          bench.assertFailed(ErrorCode.CONNECTION_RESET);
        }
      }
    }
  }

  @Test
  void aPeerThatDoesNotReadItsRefusalIsLeft() {
    EngineBench acceptor = EngineBench.acceptor(EngineBench.options().authToken(new byte[] {1}));
    acceptor.writable = 0;
    acceptor.feed(EngineBench.hello());
    assertThat(acceptor.linkClosed).isFalse();
    acceptor.clock.advance(Duration.ofSeconds(60));
    acceptor.assertFailed(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void bytesAfterARefusalAreReadAndDropped() {
    EngineBench acceptor = EngineBench.acceptor(EngineBench.options().authToken(new byte[] {1}));
    acceptor.feed(EngineBench.hello());
    byte[] more = new byte[1 << 16];
    new Random(1).nextBytes(more);
    acceptor.feed(more);
    assertThat(acceptor.linkClosed).isFalse();
    acceptor.end();
    acceptor.assertFailed(ErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  void nothingIsSentBeforeTheHandshakeIsOver() {
    EngineBench acceptor = acceptor();
    assertThatThrownBy(() ->
            acceptor.connection.sendAsync(ArraySlice.of(new float[1]), SendOptions.processed()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(acceptor.outBytes()).isEmpty();
  }

  @Test
  void anOfferThatFitsNoMessageIsRefusedWhenTheEngineIsMade() {
    List<Codec> codecs = new java.util.ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = "codec-" + i + "-" + "x".repeat(60);
      codecs.add(
          SimpleCodec.of(
                  Encoding.custom(128 + i, name, ByteOrder.LITTLE_ENDIAN, ElementType::bytes))
              .named(name));
    }
    TransportOptions options = TransportOptions.builder().codecs(codecs).build();
    assertThatThrownBy(() ->
            Engine.create(
                "test", options, List.of(), TestMemoryPool.create(), 1, Deadlines.system()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=4096");
  }

  @Test
  void anEarlyArrayIsTaken() {
    // A connector may only send once it has the welcome; but how would the acceptor know?
    EngineBench acceptor =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED));
    acceptor.feed(
        EngineBench.hello(),
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[] {1, 2, 3})).bytes());
    assertThat(acceptor.handler.arrays).hasSize(1);
    assertThat(acceptor.handler.cause).isNull();
  }
}
