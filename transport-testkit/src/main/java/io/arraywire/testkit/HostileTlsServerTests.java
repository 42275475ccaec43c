package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Listeners that the authority vouches for, and that misuse TLS once a connection is there. */
interface HostileTlsServerTests {
  /** More than a connector bears of records that bring nothing. */
  int FLOOD = 5000;

  TransportStage stage();

  /** What a listener does that means no good. */
  @FunctionalInterface
  interface Misuse {
    void on(RawPeer hostile) throws IOException;
  }

  private Throwable failureOf(Consumer<SSLSocket> tls, Misuse misuse) throws Exception {
    try (RawPeer.Server server = stage().rawServer()) {
      Transport transport = stage().transport();
      Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
      try (RawPeer hostile = server.accept(tls)) {
        assertThat(hostile.readHandshake().kind()).isEqualTo(RawHandshake.Kind.HELLO);
        hostile.sendWelcome(RawOffer.manyChannels());
        Connection connection = stage().closing(connect.get());
        Running<Object> waits = Running.start(connection::receive);
        try {
          misuse.on(hostile);
          hostile.readUntilClosed();
        } catch (IOException cut) {
          // As good an end as any.
        }
        return waits.failure();
      }
    }
  }

  @Test
  default void aListenerThatNegotiatesAgainIsLeft() throws Exception {
    Throwable failure =
        failureOf(
            tls -> tls.setEnabledProtocols(new String[] {"TLSv1.2"}),
            hostile -> hostile.tls().startHandshake());
    assertThat(failure).matches(ErrorCode.TLS_FAILED::isOf).hasMessageContaining("negotiate again");
  }

  @Test
  default void aListenerThatTakesNewKeysAllTheTimeIsLeft() throws Exception {
    Throwable failure =
        failureOf(
            tls -> {},
            hostile -> {
              for (int i = 0; i < FLOOD; i++) {
                hostile.tls().startHandshake();
              }
            });
    assertThat(failure).matches(ErrorCode.CONTROL_FLOOD::isOf);
  }

  /** Both handshakes have one time together. */
  @Test
  default void aListenerThatIsSilentBehindItsTlsHandshakeIsLeftInTime() throws Exception {
    try (RawPeer.Server server = stage().rawServer()) {
      Transport transport =
          stage().transport(options -> options.connectTimeout(Duration.ofSeconds(2)));
      Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
      try (RawPeer silent = server.accept()) {
        assertThat(silent.readHandshake().kind()).isEqualTo(RawHandshake.Kind.HELLO);
        assertThat(connect.failure())
            .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
            .hasMessageContaining("connectTimeout=PT2S");
      }
    }
  }
}
