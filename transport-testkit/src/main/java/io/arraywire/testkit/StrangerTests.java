package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.frame.FrameLayout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Peers that are not Arraywire are shown the door, and nobody else notices. */
interface StrangerTests {
  TransportStage stage();

  @Test
  default void strangersAreRefusedAndNobodyElseNotices() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    byte[][] greetings = {
      "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1),
      new byte[64],
      SeededArrays.withSeed(4).bytes(5000),
      {0, 0, 0, 4},
    };
    for (byte[] greeting : greetings) {
      RawPeer stranger = stage().closing(stage().rawPeer(listener.address()));
      stranger.send(greeting);
      assertThat(watch.next())
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.BAD_MAGIC::isOf);
      // A stranger would not understand an error frame.
      assertThat(stranger.readUntilClosed()).isEmpty();
      friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
    }
    assertThat(watch.arrays()).isEqualTo(greetings.length);
    stage().transport().connect(listener.address()).close();
  }

  /** It may be one of ours, with an option too many: it is told, in words without TLS. */
  @Test
  default void aStrangerThatSpeaksTlsIsTold() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    byte[][] greetings = {
      {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3}, // the beginning of a TLS ClientHello
      {0x15, 3, 3, 0, 2, 2, 40}, // an alert
    };
    for (byte[] greeting : greetings) {
      RawPeer stranger = stage().closing(stage().rawPeer(listener.address()));
      stranger.send(greeting);
      assertThat(watch.next())
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TLS_MISMATCH::isOf);
      assertThat(stranger.readHandshake().kind()).isEqualTo(RawHandshake.Kind.REJECT);
    }
  }

  @Test
  default void strangersThatLeaveEarlyAreRefused() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    byte[] hello = RawHandshake.bytes(1, 1, RawOffer.plain().hello());
    for (int bytes : new int[] {0, 1, 3, 4, RawHandshake.PREAMBLE_BYTES, hello.length - 1}) {
      RawPeer stranger = stage().rawPeer(listener.address());
      stranger.send(hello, 0, bytes);
      stranger.shutdownOutput();
      assertThat(watch.next())
          .as(bytes + " bytes of a hello")
          .matches(CallerErrors.anyOf(ErrorCode.TRUNCATED, ErrorCode.CONNECTION_RESET));
      stranger.close();
    }
    byte[] damaged = hello.clone();
    damaged[RawHandshake.PREAMBLE_BYTES - 1] ^= 1;
    RawPeer stranger = stage().closing(stage().rawPeer(listener.address()));
    stranger.send(damaged);
    assertThat(watch.next())
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.HEADER_CHECKSUM::isOf);
    stranger.readUntilClosed();
  }

  @Test
  default void aPeerThatDoesNotFinishItsHandshakeIsRefusedInTime() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options -> options.connectTimeout(Duration.ofMillis(200)))
            .listen(stage().address(), watch);
    byte[] hello =
        RawHandshake.bytes(FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.plain().hello());
    for (int bytes : new int[] {0, 2, RawHandshake.PREAMBLE_BYTES, hello.length - 1}) {
      RawPeer stranger = stage().closing(stage().rawPeer(listener.address()));
      stranger.send(hello, 0, bytes);
      assertThat(watch.next())
          .isInstanceOf(HandshakeException.class)
          .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
          .hasMessageContaining("connectTimeout=PT0.2S");
      stranger.readUntilClosed();
    }
  }

  /** A peer that has not said its name has nothing to drain. */
  @Test
  default void aListenerThatClosesDoesNotWaitForAStranger() throws Exception {
    Transport transport =
        stage()
            .transport(options ->
                options
                    .closeTimeout(Duration.ofMinutes(20))
                    .connectTimeout(Duration.ofMinutes(20)));
    ClosedWatch watch = new ClosedWatch();
    for (Listener listener :
        List.of(transport.listen(stage().address(), watch), transport.listen(stage().address()))) {
      RawPeer silent = stage().closing(stage().rawPeer(listener.address()));
      RawPeer slow = stage().closing(stage().rawPeer(listener.address()));
      slow.send(RawHandshake.bytes(1, 1, RawOffer.plain().hello()), 0, 5);
      // Peers are accepted in the order in which they come.
      Connection friend = stage().transport().connect(listener.address());
      Running.calling(listener::close).get();
      assertThat(silent.readUntilClosed()).isEmpty();
      assertThat(slow.readUntilClosed()).isEmpty();
      friend.closeNow();
    }
  }

  @Test
  default void aListenerThatIsNotArraywireIsRecognized() throws Exception {
    byte[] welcome = RawHandshake.bytes(1, 1, RawOffer.plain().welcome(1));
    assertConnectFails("HTTP/1.1 400 Bad Request\r\n\r\n", ErrorCode.BAD_MAGIC);
    assertConnectFails(new byte[100], ErrorCode.BAD_MAGIC);
    assertConnectFails(SeededArrays.withSeed(5).bytes(100), ErrorCode.BAD_MAGIC);
    assertConnectFails(new byte[0], ErrorCode.TRUNCATED, ErrorCode.CONNECTION_RESET);
    assertConnectFails(Arrays.copyOf(welcome, 10), ErrorCode.TRUNCATED, ErrorCode.CONNECTION_RESET);
    assertConnectFails(
        Arrays.copyOf(welcome, welcome.length - 1),
        ErrorCode.TRUNCATED,
        ErrorCode.CONNECTION_RESET);
  }

  private void assertConnectFails(String answer, ErrorCode... codes) throws Exception {
    assertConnectFails(answer.getBytes(StandardCharsets.ISO_8859_1), codes);
  }

  private void assertConnectFails(byte[] answer, ErrorCode... codes) throws Exception {
    RawPeer.Server server = stage().closing(stage().rawServer());
    Transport transport = stage().transport();
    Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
    RawPeer stranger = stage().closing(server.accept());
    stranger.readHandshake();
    stranger.send(answer);
    stranger.shutdownOutput();
    assertThat(connect.failure()).matches(CallerErrors.anyOf(codes), "one of the codes");
    stranger.readUntilClosed();
  }

  @Test
  default void aListenerThatSaysNothingIsGivenUpInTime() throws Exception {
    RawPeer.Server server = stage().closing(stage().rawServer());
    Transport transport =
        stage().transport(options -> options.connectTimeout(Duration.ofSeconds(1)));
    Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
    RawPeer stranger = unlessTimeIsOver(server);
    assertThat(connect.failure())
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
        .hasMessageContaining("connectTimeout=PT1S");
    if (stranger != null) {
      stage().closing(stranger).readUntilClosed();
    }
  }

  /** Accepts a peer; null if it gives up before TLS is up, as it may on a busy machine. */
  private static @Nullable RawPeer unlessTimeIsOver(RawPeer.Server server) throws IOException {
    try {
      return server.accept();
    } catch (SSLException | SocketException e) {
      return null;
    }
  }

  @Test
  default void whereNobodyListensNoConnectionCanBeMade() throws Exception {
    Transport transport = stage().transport();
    SocketAddress address;
    try (Listener listener = transport.listen(stage().address())) {
      address = listener.address();
    }
    String text =
        address instanceof UnixDomainSocketAddress
            ? "cannot connect: there is no such socket file; start the listener first, or correct the"
                + " path"
            : "cannot connect: nobody listens at the address; start the listener first, or correct"
                + " the address";
    assertThatThrownBy(() -> transport.connect(address))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(text + " (address=" + address)
        .hasMessageContaining("cause=")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  default void anUnknownHostIsNamed() throws Exception {
    SocketAddress nowhere = InetSocketAddress.createUnresolved("no-such-host.invalid", 1);
    assertThatThrownBy(() -> stage().transport().connect(nowhere))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: the host is unknown; correct its name, or give an IP address"
                + " (address=no-such-host.invalid")
        .hasMessageContaining("cause=")
        .hasCauseInstanceOf(UnknownHostException.class);
  }
}
