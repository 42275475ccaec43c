package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hostile peers where both sides must show a certificate. They are strangers, floods and broken
 * peers behind a TLS handshake that is right, and peers that attack TLS itself. Each of them ends
 * in one typed failure here, and a friend that is connected to the same listener notices nothing.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class HostileTlsContract extends TlsScene
    implements StrangerTests,
        FloodTests,
        BrokenPeerTests,
        SlowPeerTests,
        HostileTlsServerTests,
        TinyRecordTests,
        HandshakeDeadlineTests {
  private static final int HANDSHAKE = 22;
  private static final int APPLICATION_DATA = 23;

  /** What a listener bears of records that bring nothing, and more. */
  private static final int RECORDS = 5000;

  /** For JUnit. */
  protected HostileTlsContract() {}

  private static byte[] record(int type, int length, byte... body) {
    ByteBuffer record = ByteBuffer.allocate(5 + body.length);
    record.put((byte) type).putShort((short) 0x0303).putShort((short) length).put(body);
    return record.array();
  }

  // TLS is taken away, or given up.

  @Test
  void whatComesInClearBehindTheHandshakeIsNotTaken() throws Exception {
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("an array", array(10));
    all.put("a hello", RawHandshake.bytes(1, 1, RawOffer.plain().hello()));
    all.put("an array in a record", record(APPLICATION_DATA, array(3).length, array(3)));
    all.put("an alert that ends all", new byte[] {21, 3, 3, 0, 2, 1, 0});
    all.put("an alert that warns", new byte[] {21, 3, 3, 0, 2, 1, 90});
    all.put("an empty record", record(APPLICATION_DATA, 0));
    all.put("a record that is too long", record(APPLICATION_DATA, 0xffff));
    all.put("a record of no type", record(99, 1, (byte) 1));
    for (Map.Entry<String, byte[]> each : all.entrySet()) {
      cutOff(
          each.getKey(),
          letIn(),
          peer -> peer.sendInClear(each.getValue()),
          ErrorCode.TLS_FAILED,
          ErrorCode.CERTIFICATE_REFUSED);
    }
  }

  /** Somebody between the two answers as if there were no TLS here: nobody falls back. */
  @Test
  void aConnectorSaysNothingInClearToOneThatTakesTlsAway() throws Exception {
    byte[] token = "open sesame".getBytes(StandardCharsets.US_ASCII);
    List<byte[]> answers =
        List.of(
            RawHandshake.bytes(
                FrameLayout.VERSION,
                FrameLayout.VERSION,
                RawOffer.plain().welcome(FrameLayout.VERSION)),
            // protocol_version and handshake_failure, which other programs take for a hint.
            new byte[] {21, 3, 1, 0, 2, 2, 70},
            new byte[] {21, 3, 1, 0, 2, 2, 40},
            "220 ready\r\n".getBytes(StandardCharsets.US_ASCII));
    for (byte[] answer : answers) {
      try (RawPeer.Server server = RawPeer.Server.listen(address(), null)) {
        Transport transport = stage.transport(options -> options.authToken(token));
        Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
        try (RawPeer between = server.accept()) {
          ByteArrayOutputStream said = new ByteArrayOutputStream();
          said.write(between.in().read());
          between.send(answer);
          assertThat(connect.failure())
              .matches(CallerErrors.anyOf(ErrorCode.TLS_MISMATCH, ErrorCode.TLS_FAILED));
          said.writeBytes(between.readUntilClosed());
          // One ClientHello, perhaps an alert, and nothing of ours.
          assertThat(said.toByteArray()[0]).isEqualTo((byte) HANDSHAKE);
          assertThat(new String(said.toByteArray(), StandardCharsets.ISO_8859_1))
              .doesNotContain("open sesame", "raw-le");
        }
        // And it does not come back without TLS.
        assertThat(server.comesWithin(Duration.ofMillis(200))).isFalse();
      }
    }
  }

  @Test
  void anEndBeneathTlsIsNoEnd() throws Exception {
    byte[] array = array(5000);
    for (int bytes : new int[] {0, 1, FrameLayout.HEADER_BYTES, 10_000, array.length - 1}) {
      cutOff(
          bytes + " bytes of an array, and a cut",
          letIn(),
          peer -> {
            peer.send(array, 0, bytes);
            peer.cut();
          },
          ErrorCode.CONNECTION_RESET,
          ErrorCode.TRUNCATED);
    }
  }

  // Handshakes that do not come to an end, or come again.

  private static byte[] clientHello() throws SSLException {
    SSLEngine engine = own.context().createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return Arrays.copyOf(hello.array(), hello.position());
  }

  @Test
  void aHandshakeThatStopsAnywhereIsOverInTime() throws Exception {
    ClosedWatch ends = new ClosedWatch();
    Listener impatient =
        stage
            .transport(options -> options.connectTimeout(Duration.ofMillis(300)))
            .listen(stage.address(), ends);
    byte[] hello = clientHello();
    int[] stops = {0, 1, 5, 6, hello.length / 2, hello.length - 1, hello.length};
    List<RawPeer> peers = new ArrayList<>();
    for (int bytes : stops) {
      RawPeer peer = stage.closing(RawPeer.connect(impatient.address()));
      peer.send(hello, 0, bytes);
      peers.add(peer);
    }
    for (int unused : stops) {
      assertThat(ends.next())
          .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
          .hasMessageContaining("connectTimeout=PT0.3S");
    }
    peers.forEach(RawPeer::readUntilClosed);
    friendIsServed();
  }

  /** They hold a place each until they are over, and no more than there are places. */
  @Test
  void handshakesThatAreHalfDoneAreLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage, limits -> limits.handshakes(2));
    byte[] hello = clientHello();
    List<RawPeer> halfDone = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RawPeer peer = stage.closing(RawPeer.connect(limited.listener.address()));
      peer.send(hello);
      // The listener has answered, with its certificate.
      assertThat(peer.in().read()).isEqualTo(HANDSHAKE);
      halfDone.add(peer);
    }
    limited.refuses("handshakes");
    halfDone.get(0).close();
    assertThat(limited.nextFailure()).matches(ErrorCode.TLS_FAILED::isOf);
    limited.connectsAgain().send(new int[1]);
  }

  /** However often a byte comes: the time is that of the whole handshake. */
  @Test
  void aHandshakeThatTricklesHasNoMoreTime() throws Exception {
    ClosedWatch ends = new ClosedWatch();
    Listener impatient =
        stage
            .transport(options -> options.connectTimeout(Duration.ofMillis(500)))
            .listen(stage.address(), ends);
    byte[] hello = clientHello();
    RawPeer peer = stage.closing(RawPeer.connect(impatient.address()));
    Running<Void> trickle = trickle(hello.length, at -> peer.send(hello, at, at + 1));
    assertThat(hello.length * 20).as("milliseconds that it would take").isGreaterThan(2000);
    endsWith(ErrorCode.HANDSHAKE_TIMEOUT, ends, peer, trickle);
  }

  /** A message of the handshake that declares 16 MiB. */
  @Test
  void aHandshakeMessageWithoutEndTakesNoMemory() throws Exception {
    byte[] declares = {1, (byte) 0xff, (byte) 0xff, (byte) 0xff};
    byte[] filled = Arrays.copyOf(declares, 16 << 10);
    RawPeer peer = stage.closing(RawPeer.connect(there()));
    cutOff(
        "a giant message",
        peer,
        each -> {
          for (int i = 0; i < 1000; i++) {
            each.send(record(HANDSHAKE, filled.length, filled));
          }
        },
        ErrorCode.TLS_FAILED);
  }

  /**
   * Before the handshake is over they would cost the peer five bytes each, and this side a look.
   */
  @Test
  void aFloodOfRecordsThatHoldNothingIsCutOff() throws Exception {
    cutOff(
        "records that hold nothing",
        stage.closing(RawPeer.connect(there())),
        peer -> {
          for (int i = 0; i < RECORDS; i++) {
            peer.send(record(HANDSHAKE, 0));
          }
        },
        ErrorCode.CONTROL_FLOOD,
        ErrorCode.TLS_FAILED);
  }

  @Test
  void aPeerOfTls12ThatNegotiatesAgainIsCutOff() throws Exception {
    RawPeer peer =
        stage
            .closing(
                RawPeer.connect(
                    there(),
                    own.context(),
                    tls -> tls.setEnabledProtocols(new String[] {"TLSv1.2"})))
            .shakeHands(RawOffer.manyChannels());
    cutOff("again", peer, each -> each.tls().startHandshake(), ErrorCode.TLS_FAILED);
  }

  @Test
  void oldCipherSuitesAreRefused() throws Exception {
    SSLContext context = own.context();
    ArraywireException cause = null;
    try {
      stage.closing(
          RawPeer.connect(
              there(),
              context,
              tls -> {
                tls.setEnabledProtocols(new String[] {"TLSv1.2"});
                tls.setEnabledCipherSuites(
                    new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"});
              }));
    } catch (IOException refused) {
      cause = watch.next();
    }
    assertThat(cause).matches(ErrorCode.TLS_FAILED::isOf);
    friendIsServed();
  }

  /** New keys are allowed, a few at a time; each takes work of this side, too. */
  @Test
  void aFloodOfNewKeysIsCutOff() throws Exception {
    RawPeer diligent = letIn();
    for (int i = 0; i < 20; i++) {
      diligent.tls().startHandshake();
    }
    assertThat(diligent.isRead()).isTrue();
    diligent.close();
    assertThat(watch.next()).matches(ErrorCode.CONNECTION_RESET::isOf);
    cutOff(
        "new keys",
        letIn(),
        peer -> {
          for (int i = 0; i < RECORDS; i++) {
            peer.tls().startHandshake();
          }
        },
        ErrorCode.CONTROL_FLOOD);
  }

  /** An array in records of a byte each takes long, and comes whole. */
  @Test
  void anArrayInTinyRecordsComesWhole() throws Exception {
    RawPeer peer = letIn();
    byte[] array = array(2000);
    int before = watch.arrays();
    for (int at = 0; at < array.length; at++) {
      peer.send(array, at, at + 1);
    }
    assertThat(peer.isRead()).isTrue();
    Eventually.until("it was handed out", () -> watch.arrays() == before + 1);
    friendIsServed();
  }

  /** The bytes of a record that never ends keep nobody alive. */
  @Test
  void aRecordThatTricklesIsNoSignOfLife() throws Exception {
    ClosedWatch ends = new ClosedWatch();
    Listener impatient =
        stage
            .transport(options -> options.heartbeatTimeout(Duration.ofMillis(500)))
            .listen(stage.address(), ends);
    RawPeer peer =
        stage.closing(stage.rawPeer(impatient.address())).shakeHands(RawOffer.manyChannels());
    peer.sendInClear(record(APPLICATION_DATA, 16 << 10));
    Running<Void> trickle = trickle(16 << 10, at -> peer.sendInClear(new byte[1]));
    endsWith(ErrorCode.HEARTBEAT_TIMEOUT, ends, peer, trickle);
  }

  /** Sends a byte. */
  @FunctionalInterface
  private interface ByteSender {
    void send(int at) throws Exception;
  }

  private static Running<Void> trickle(int bytes, ByteSender sender) {
    return Running.start(() -> {
      for (int at = 0; at < bytes; at++) {
        sender.send(at);
        TimeUnit.MILLISECONDS.sleep(20); // The fault.
      }
      return null;
    });
  }

  /** The connection of a peer that trickles ends, and others are served. */
  private void endsWith(ErrorCode code, ClosedWatch ends, RawPeer peer, Running<Void> trickle)
      throws Exception {
    assertThat(ends.next()).matches(code::isOf);
    peer.readUntilClosed();
    assertThat(trickle.failure()).isInstanceOf(IOException.class);
    friendIsServed();
  }

  // What was heard on the network.

  /** What both sides say in clear is in none of the bytes between them. */
  @Test
  void nothingOfWhatIsSaidIsHeardBetweenThem() throws Exception {
    byte[] token = "open sesame, said the client".getBytes(StandardCharsets.US_ASCII);
    byte[] elements = "what nobody else may read, at all".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    UnaryOperator<TransportOptions.Builder> secret = options -> options.authToken(token);
    Listener listener = stage.transport(secret).listen(stage.address(), new ClosedWatch());
    try (RawPeer.Server between = RawPeer.Server.listen(address(), null)) {
      Transport transport = stage.transport(secret);
      Running<Connection> connect = Running.start(() -> transport.connect(between.address()));
      try (RawPeer client = between.accept();
          RawPeer server = RawPeer.connect(listener.address())) {
        Running<Void> there = Running.start(() -> carry(client, server, heard));
        Running<Void> back = Running.start(() -> carry(server, client, heard));
        connect
            .get()
            .send(
                ArraySlice.of(elements),
                SendOptions.processed().metadata("weights", "of the secret model"));
        connect.get().close();
        there.get();
        back.get();
      }
    }
    String all = heard.toString(StandardCharsets.ISO_8859_1);
    assertThat(all).hasSizeGreaterThan(1000);
    assertThat(all).doesNotContain("sesame", "nobody else", "weights", "secret", "raw-le");
  }

  /** An attacker replays a conversation that it has recorded, and nothing comes of it. */
  @Test
  void aConversationThatWasRecordedIsWorthNothing() throws Exception {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    try (RawPeer.Server between = RawPeer.Server.listen(address(), null)) {
      Transport transport = stage.transport();
      Running<Connection> connect = Running.start(() -> transport.connect(between.address()));
      try (RawPeer client = between.accept();
          RawPeer server = RawPeer.connect(there())) {
        Running<Void> there = Running.start(() -> carry(client, server, heard));
        Running<Void> back =
            Running.start(() -> carry(server, client, new ByteArrayOutputStream()));
        int before = watch.arrays();
        connect.get().send(ArraySlice.of(new int[100]), SendOptions.processed());
        assertThat(watch.arrays()).isEqualTo(before + 1);
        connect.get().close();
        assertThat(watch.next()).isNull();
        there.get();
        back.get();
      }
    }
    assertThat(heard.size()).isGreaterThan(1000);
    cutOff(
        "replayed",
        stage.closing(RawPeer.connect(there())),
        peer -> peer.send(heard.toByteArray()),
        ErrorCode.TLS_FAILED);
  }

  private static Void carry(RawPeer from, RawPeer to, ByteArrayOutputStream heard)
      throws IOException {
    byte[] piece = new byte[1 << 16];
    int count = from.in().read(piece);
    while (count >= 0) {
      heard.write(piece, 0, count);
      to.send(piece, 0, count);
      count = from.in().read(piece);
    }
    to.shutdownOutput();
    return null;
  }
}
