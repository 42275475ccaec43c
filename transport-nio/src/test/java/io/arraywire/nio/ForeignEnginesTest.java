package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import io.arraywire.testkit.TestAuthority;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.conscrypt.Conscrypt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines that a user brings, on either side: BoringSSL by Netty, BoringSSL by Conscrypt. */
@Tag("ciphers")
@Timeout(60)
@EnabledOnOs(
    value = OS.LINUX,
    architectures = "amd64",
    disabledReason = "the natives of both are for it")
class ForeignEnginesTest {
  private static final int[] COUNTS = {0, 1, 3, 4096, 65_537, 1 << 20};
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The maker of the engines of one side. */
  enum Maker {
    JDK {
      @Override
      Tls tls(Path folder, TestAuthority.Identity own) {
        return Tls.server(folder.resolve("own.pem"), folder.resolve("own.key"))
            .trust(folder.resolve("ca.pem"));
      }
    },
    NETTY_OPENSSL {
      @Override
      Tls tls(Path folder, TestAuthority.Identity own) throws Exception {
        SslContext client =
            SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL)
                .trustManager(folder.resolve("ca.pem").toFile())
                // Netty would check the name by itself; here the library has to.
                .endpointIdentificationAlgorithm(null)
                .build();
        SslContext server =
            SslContextBuilder.forServer(own.keys().getPrivate(), own.certificate())
                .sslProvider(SslProvider.OPENSSL)
                .build();
        return Tls.of(
            new TlsEngines() {
              @Override
              public SSLEngine client(String peerName, int port) {
                return client.newEngine(ByteBufAllocator.DEFAULT, peerName, port);
              }

              @Override
              public SSLEngine server() {
                return server.newEngine(ByteBufAllocator.DEFAULT);
              }
            });
      }
    },
    CONSCRYPT {
      @Override
      Tls tls(Path folder, TestAuthority.Identity own) throws Exception {
        return Tls.of(own.initialized(SSLContext.getInstance("TLS", Conscrypt.newProvider())));
      }
    };

    abstract Tls tls(Path folder, TestAuthority.Identity own) throws Exception;
  }

  private static final TestAuthority authority = TestAuthority.named("trusted");
  private static final TestAuthority.Identity own =
      authority.issue("both", "localhost", "127.0.0.1");

  @TempDir private Path folder;

  /** Sends every array back, and notes how each connection ended. */
  private static final class Echo implements ArrayHandler {
    final BlockingQueue<Optional<ArraywireException>> ends = new LinkedBlockingQueue<>();

    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      connection.sendAsync(array.floats(), SendOptions.handedOff());
    }

    @Override
    public void onClosed(Connection connection, @Nullable ArraywireException cause) {
      ends.add(Optional.ofNullable(cause));
    }
  }

  @BeforeEach
  void writeFiles() {
    authority.write(folder.resolve("ca.pem"));
    own.writeCertificate(folder.resolve("own.pem"));
    own.writeKey(folder.resolve("own.key"));
  }

  @ParameterizedTest
  @CsvSource({
    "NETTY_OPENSSL, NETTY_OPENSSL",
    "NETTY_OPENSSL, JDK",
    "JDK, NETTY_OPENSSL",
    "CONSCRYPT, CONSCRYPT",
    "CONSCRYPT, JDK",
    "JDK, CONSCRYPT"
  })
  void arraysGoBothWaysAndTheEndIsInOrder(Maker listens, Maker connects) throws Exception {
    Echo echo = new Echo();
    try (Transport server = over(listens.tls(folder, own));
        Transport client = over(connects.tls(folder, own));
        Listener listener =
            server.listen(new InetSocketAddress("localhost", 0), Handlers.ofArrays(echo))) {
      try (Connection connection = client.connect(listener.address())) {
        assertThat(connection.describe()).contains("TLSv1.3");
        for (int count : COUNTS) {
          float[] floats = floats(count);
          connection.send(floats);
          assertThat(connection.receive(PATIENCE).floats()).isEqualTo(floats);
        }
      }
      assertThat(echo.ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Maker.class)
  void aCertificateForAnotherNameIsRefused(Maker connects) throws Exception {
    try (Transport server = over(Maker.JDK.tls(folder, own));
        Transport client = over(connects.tls(folder, own).peerName("other.example"));
        Listener listener =
            server.listen(new InetSocketAddress("localhost", 0), Handlers.ofArrays(new Echo()))) {
      assertThatThrownBy(() -> client.connect(listener.address()))
          .isInstanceOf(HandshakeException.class)
          .matches(ErrorCode.CERTIFICATE_REFUSED::isOf)
          .hasMessageContaining("certificate is refused");
    }
  }

  private static Transport over(Tls tls) {
    return NioTransport.create(TransportOptions.builder().tls(tls).build());
  }

  private static float[] floats(int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = i * 0.5f;
    }
    return floats;
  }
}
