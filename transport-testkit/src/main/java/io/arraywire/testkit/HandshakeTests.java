package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Agreement;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What two sides agree on, and how each of them hears that they cannot. */
interface HandshakeTests {
  TransportStage stage();

  @Test
  default void bothEndsKnowWhatWasAgreed() throws Exception {
    Ends ends =
        stage()
            .ends(
                options ->
                    options.checksums(Checksums.UNWANTED).chunkBytes(4096).maxArrayBytes(1 << 20),
                options ->
                    options.checksums(Checksums.WANTED).maxFrameBytes(2048).maxArrayBytes(1 << 16));
    Agreement here = ends.here().agreement();
    Agreement there = ends.there().agreement();
    assertThat(here.plain()).isFalse();
    assertThat(here.wireVersion()).isEqualTo(there.wireVersion()).isPositive();
    assertThat(here.checksums()).isTrue();
    assertThat(there.checksums()).isTrue();
    assertThat(here.chunkBytes()).isEqualTo(2048);
    assertThat(here.maxSendBytes()).isEqualTo(1 << 16);
    assertThat(here.maxReceiveBytes()).isEqualTo(1 << 20);
    assertThat(there.maxSendBytes()).isEqualTo(1 << 16);
    assertThat(there.maxReceiveBytes()).isEqualTo(1 << 16);
    assertThat(here.elementTypes()).containsExactlyInAnyOrder(ElementType.values());
    assertThat(here.peer()).contains("arraywire");
    assertThat(ends.here().agreement()).isSameAs(here);
  }

  @Test
  default void byDefaultThereAreChecksumsUnlessBothEndsAreOnOneHost() throws Exception {
    Ends ends = stage().ends();
    SocketAddress address = ends.here().remoteAddress();
    boolean known =
        address instanceof InetSocketAddress || address instanceof UnixDomainSocketAddress;
    assertThat(ends.here().agreement().checksums()).isEqualTo(!known);
    assertThat(ends.there().agreement().checksums()).isEqualTo(!known);
  }

  @Test
  default void aConnectionDescribesItself() throws Exception {
    Ends ends = stage().ends(options -> options.maxArrayBytes(123_456));
    ends.here().send(new int[7]);
    ends.there().receive();
    Agreement agreement = ends.here().agreement();
    SocketAddress address = ends.here().remoteAddress();
    String path =
        address instanceof InetSocketAddress
            ? " over TCP, IPv"
            : address instanceof UnixDomainSocketAddress
                ? " over a Unix domain socket, "
                : " over " + stage().transport().name() + ", ";
    assertThat(ends.here().describe())
        .startsWith(stage().transport().name())
        .contains(path)
        .contains(agreement.sendEncoding())
        .contains(agreement.sendCodec())
        .contains("chunkBytes=" + agreement.chunkBytes())
        .contains("maxSendBytes=123456")
        .contains("maxReceiveBytes=123456")
        .contains("open")
        .contains("arraysSent=1")
        .contains(ends.here().localAddress().toString())
        .contains(ends.here().remoteAddress().toString())
        .doesNotContain("\n");
    ends.here().close();
    assertThat(ends.here().describe()).contains("closed here");
  }

  @Test
  default void timesForEverAreLongTimes() throws Exception {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    Ends ends =
        stage()
            .ends(options ->
                options
                    .connectTimeout(forEver)
                    .closeTimeout(forEver)
                    .sendTimeout(forEver)
                    .requestTimeout(forEver)
                    .heartbeatInterval(forEver)
                    .heartbeatTimeout(forEver)
                    .stallTimeout(forEver)
                    .idleTimeout(forEver)
                    .sessionTimeout(forEver));
    ends.here().send(new int[] {1, 2});
    assertThat(ends.there().receive().ints()).containsExactly(1, 2);
    ends.there().sendAsync(ArraySlice.of(new int[] {3}), SendOptions.session());
    assertThat(ends.here().receive().ints()).containsExactly(3);
    assertThat(ends.here().agreement().sessionTimeout()).isEqualTo(Duration.ofDays(365));
    ends.here().close();
  }

  @Test
  default void anArrayAboveEitherLimitIsRefusedBeforeAByteIsSent() throws Exception {
    Ends ends =
        stage()
            .ends(options -> options.maxArrayBytes(2000), options -> options.maxArrayBytes(1000));
    assertThatThrownBy(() -> ends.here().send(new double[126]))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("raise maxArrayBytes on the side whose limit it is (bytes=1008")
        .hasMessageContaining("here=2000")
        .hasMessageContaining("peer=1000");
    assertThat(
            Eventually.failure(
                ends.there().sendAsync(ArraySlice.of(new double[126]), SendOptions.processed())))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("here=1000")
        .hasMessageContaining("peer=2000");
    ends.here().send(new double[125]);
    assertThat(ends.there().receive().header().sequence()).isEqualTo(1);
  }

  @Test
  default void sidesWithoutACommonEncodingBothSaySoWithBothSidesValues() throws Exception {
    assertBothRefuse(
        options -> options.codecs(custom(200, "alpha")),
        options -> options.codecs(custom(201, "beta")),
        ErrorCode.NEGOTIATION_FAILED,
        "no encoding in common; configure a codec of a common one",
        "alpha(200)",
        "beta(201)");
  }

  @Test
  default void sidesThatMeanDifferentEncodingsByOneCodeBothSaySo() throws Exception {
    assertBothRefuse(
        options -> options.codecs(custom(200, "alpha")),
        options -> options.codecs(custom(200, "beta")),
        ErrorCode.NEGOTIATION_FAILED,
        "alpha(200)",
        "beta(200)");
  }

  private static CustomCodec custom(int code, String name) {
    return new CustomCodec(Encoding.custom(code, name, ByteOrder.BIG_ENDIAN, ElementType::bytes));
  }

  @Test
  default void aMissingTokenIsRefusedAtBothEnds() throws Exception {
    assertBothRefuse(
        options -> options,
        options -> options.authToken(new byte[] {1, 2, 3}),
        ErrorCode.AUTHENTICATION_FAILED,
        "none was shown");
  }

  @Test
  default void aWrongTokenIsRefusedAtBothEndsAndNotTold() throws Exception {
    assertBothRefuse(
        options -> options.authToken("guessed it".getBytes(StandardCharsets.UTF_8)),
        options -> options.authToken("sesame".getBytes(StandardCharsets.UTF_8)),
        ErrorCode.AUTHENTICATION_FAILED,
        "token is wrong");
  }

  private void assertBothRefuse(
      UnaryOperator<TransportOptions.Builder> here,
      UnaryOperator<TransportOptions.Builder> there,
      ErrorCode code,
      String... facts)
      throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport(there).listen(stage().address(), watch);
    Transport transport = stage().transport(here);
    assertThatThrownBy(() -> transport.connect(listener.address()))
        .matches(code::isOf)
        .hasMessageContainingAll(facts)
        .hasMessageNotContaining("sesame");
    assertThat(watch.next()).matches(code::isOf).hasMessageContainingAll(facts);
    // The listener goes on.
    Connection good = stage().transport(there).connect(listener.address());
    good.send(ArraySlice.of(new int[1]), SendOptions.processed());
  }

  @Test
  default void theRightTokenIsLetIn() throws Exception {
    byte[] token = {4, 5, 6};
    Ends ends = stage().ends(options -> options.authToken(token));
    float[] large = new float[300_000];
    ends.here().sendAsync(ArraySlice.of(large), SendOptions.processed());
    assertThat(ends.there().receive().floats()).isEqualTo(large);
    ends.there().sendAsync(ArraySlice.of(large), SendOptions.processed());
    assertThat(ends.here().receive().floats()).isEqualTo(large);
    // One that shows a token that nobody asks for is let in, too.
    Ends others = stage().ends(options -> options.authToken(token), options -> options);
    others.here().send(new int[1]);
    assertThat(others.there().receive().count()).isEqualTo(1);
  }

  @Test
  default void anotherVersionIsRefusedWithBothSidesVersions() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    RawPeer peer = stage().closing(stage().rawPeer(listener.address()));
    peer.send(RawHandshake.bytes(7, 9, RawOffer.plain().hello()));
    RawHandshake answer = peer.readHandshake();
    assertThat(answer.kind()).isEqualTo(RawHandshake.Kind.REJECT);
    assertThat(answer.fault().code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
    assertThat(answer.fault().text()).contains("peer=7-9");
    assertThat(watch.next())
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.UNSUPPORTED_VERSION::isOf)
        .hasMessageContaining("peer=7-9");
    peer.readUntilClosed();
  }

  @Test
  default void aListenerThatOffersNothingUsableIsRefusedWithBothSidesValues() throws Exception {
    RawPeer.Server server = stage().closing(stage().rawServer());
    Transport transport = stage().transport(options -> options.codecs(new ProbingCodec()));
    Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
    RawPeer peer = stage().closing(server.accept());
    assertThat(peer.readHandshake().kind()).isEqualTo(RawHandshake.Kind.HELLO);
    peer.sendWelcome(RawOffer.of(Map.of(99, "morse")));
    assertThat(connect.failure())
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.NEGOTIATION_FAILED::isOf)
        .hasMessageContaining("raw-le(1)")
        .hasMessageContaining("morse(99)");
    peer.readUntilClosed();
  }

  @Test
  default void anErrorCodeNamesTheKindOfFailureAtBothEnds() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options -> options.authToken(new byte[1]))
            .listen(stage().address(), watch);
    RawPeer peer = stage().closing(stage().rawPeer(listener.address()));
    peer.sendHello(RawOffer.plain());
    assertThat(peer.readHandshake().fault().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(watch.next()).extracting("code").isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    peer.readUntilClosed();
  }
}
