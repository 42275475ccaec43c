package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.testkit.TestAuthority.Identity;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * Peers that mean well and cut their part of the TLS handshake into records of a byte, with a
 * certificate of several kilobytes. They send more records that bring nothing to Arraywire than a
 * flood of empty ones may have.
 */
interface TinyRecordTests {
  /** More than a listener takes of empty records. */
  int MANY = 2000;

  /** With this size JSSE puts one byte into each encrypted record of TLS 1.3. */
  int TINY_PACKET = 39;

  /** As JSSE has it without a wish. */
  int PACKET = 16_709;

  TransportStage stage();

  private static Identity ofManyNames() {
    return TlsScene.authority.issue(
        "both",
        Stream.concat(
                Stream.of(TlsScene.HERE),
                IntStream.range(0, 60).mapToObj("node-%03d.rack.example.org"::formatted))
            .toArray(String[]::new));
  }

  private static void packets(SSLSocket tls, int bytes) {
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setMaximumPacketSize(bytes);
    tls.setSSLParameters(parameters);
  }

  private static void speak(SSLSocket tls, String version) {
    tls.setEnabledProtocols(new String[] {version});
  }

  @Test
  default void aClientOfTls12MayShakeHandsInRecordsOfAByte() throws Exception {
    Listener listener = stage().transport().listen(stage().address(), new ClosedWatch());
    try (RecordCutter cutter = RecordCutter.between(stage().address(), listener.address());
        RawPeer client =
            RawPeer.connect(
                cutter.address(), ofManyNames().context(), tls -> speak(tls, "TLSv1.2"))) {
      client.shakeHands(RawOffer.manyChannels());
      assertThat(client.isRead()).isTrue();
      assertThat(cutter.there()).isGreaterThan(MANY);
    }
  }

  @Test
  default void aListenerOfTls12MayShakeHandsInRecordsOfAByte() throws Exception {
    try (RawPeer.Server server = RawPeer.Server.listen(stage().address(), ofManyNames().context());
        RecordCutter cutter = RecordCutter.between(stage().address(), server.address())) {
      Transport transport = stage().transport();
      Running<Connection> connect = Running.start(() -> transport.connect(cutter.address()));
      try (RawPeer listener = server.accept(tls -> speak(tls, "TLSv1.2"))) {
        listener.readHandshake();
        listener.sendWelcome(RawOffer.manyChannels());
        connect.get().closeNow();
        assertThat(cutter.back()).isGreaterThan(MANY);
      }
    }
  }

  @Test
  default void aClientOfTls13MayShakeHandsInRecordsOfAByte() throws Exception {
    Listener listener = stage().transport().listen(stage().address(), new ClosedWatch());
    try (RecordCutter counter = RecordCutter.between(stage().address(), listener.address());
        RawPeer client =
            RawPeer.connect(
                counter.address(),
                ofManyNames().context(),
                tls -> {
                  speak(tls, "TLSv1.3");
                  packets(tls, TINY_PACKET);
                })) {
      packets(client.tls(), PACKET);
      client.shakeHands(RawOffer.manyChannels());
      assertThat(client.isRead()).isTrue();
      assertThat(counter.there()).isGreaterThan(MANY);
    }
  }

  /** With a session ticket that comes behind the handshake, and holds the client's certificate. */
  @Test
  default void aListenerOfTls13MayShakeHandsInRecordsOfAByte() throws Exception {
    try (RawPeer.Server server = RawPeer.Server.listen(stage().address(), ofManyNames().context());
        RecordCutter counter = RecordCutter.between(stage().address(), server.address())) {
      Transport transport = stage().transport();
      Running<Connection> connect = Running.start(() -> transport.connect(counter.address()));
      try (RawPeer listener =
          server.accept(tls -> {
            speak(tls, "TLSv1.3");
            tls.setNeedClientAuth(true);
            packets(tls, TINY_PACKET);
          })) {
        packets(listener.tls(), PACKET);
        listener.readHandshake();
        listener.sendWelcome(RawOffer.manyChannels());
        connect.get().closeNow();
        assertThat(counter.back()).isGreaterThan(MANY);
      }
    }
  }
}
