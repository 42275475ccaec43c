package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.testkit.TestAuthority.Identity;
import io.arraywire.testkit.TestAuthority.Purpose;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Certificates that are right for something else: of another time, another authority of the same
 * name, another purpose, another host, or another peer. A peer that shows one is refused, both
 * sides have a typed failure, and a friend that is connected to the same listener notices nothing.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class HostileCertificateContract extends TlsScene {

  /** For JUnit. */
  protected HostileCertificateContract() {}

  @Test
  void aClientsCertificateMustBeItsOwnAndForThat() throws Exception {
    Instant now = Instant.now();
    Identity expired =
        authority.issue("client", now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)));
    Identity early =
        authority.issue("client", now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)));
    // It says of itself that it is the authority that is trusted.
    Identity namesake = TestAuthority.named("trusted").issue("client");
    Identity forServers = authority.issueFor(Purpose.SERVER, "client");
    Identity leaf = authority.issue("leaf");
    Identity beneath = TestAuthority.issuedBy(leaf, "leaf", "client");
    Map<String, SSLContext> all = new LinkedHashMap<>();
    all.put("expired", shown(expired));
    all.put("not valid yet", shown(early));
    all.put("of an authority with the same name", shown(namesake));
    all.put("with the chain of that authority", shown(namesake, namesake.issuer()));
    all.put("for servers only", shown(forServers));
    all.put("issued by one that may not", shown(beneath, leaf.certificate()));
    for (Map.Entry<String, SSLContext> each : all.entrySet()) {
      ArraywireException cause = refused(each.getKey(), each.getValue());
      assertThat(cause).as(each.getKey()).matches(ErrorCode.CERTIFICATE_REFUSED::isOf);
    }
    // One that was seen somewhere, without its key.
    assertThat(
            refused(
                "stolen",
                ShownCertificate.context(namesake.keys().getPrivate(), own.certificate())))
        .matches(CallerErrors.anyOf(ErrorCode.TLS_FAILED, ErrorCode.CERTIFICATE_REFUSED));
    // And one that is right is let in.
    RawPeer right = RawPeer.connect(there(), shown(authority.issueFor(Purpose.CLIENT, "client")));
    assertThat(stage.closing(right).shakeHands(RawOffer.manyChannels()).isRead()).isTrue();
  }

  /** A handshake that resumes a session of TLS shows nobody a certificate. */
  @Test
  void aCertificateThatHasExpiredBringsNobodyInAgain() throws Exception {
    Instant begin = Instant.now().minus(Duration.ofDays(1));
    // Long enough for two handshakes on a busy machine.
    Instant end = Instant.now().plus(Duration.ofSeconds(4));
    SSLContext client = shown(authority.issue("client", begin, end));
    Identity listening = authority.issue("server", begin, end, HERE);
    try (RawPeer.Server server = RawPeer.Server.listen(address(), shown(listening))) {
      Transport transport = stage.transport();
      Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
      try (RawPeer there = server.accept()) {
        assertThat(there.readHandshake().kind()).isEqualTo(RawHandshake.Kind.HELLO);
        there.sendWelcome(RawOffer.manyChannels());
        connect.get().closeNow();
      }
      RawPeer first = RawPeer.connect(there(), client).shakeHands(RawOffer.manyChannels());
      assertThat(first.isRead()).isTrue();
      first.close();
      assertThat(watch.next()).isNotNull();
      Eventually.until("they expire", () -> hasExpired(listening.certificate()));

      Running<Connection> again = Running.start(() -> transport.connect(server.address()));
      try (RawPeer there = server.accept()) {
        there.readUntilClosed();
      }
      assertThat(again.failure())
          .matches(ErrorCode.CERTIFICATE_REFUSED::isOf)
          .hasMessageContainingAll("not resumed", "has expired", "CN=server");
    }
    RawPeer second = stage.closing(RawPeer.connect(there(), client));
    second.sendHello(RawOffer.manyChannels());
    second.readUntilClosed();
    assertThat(watch.next())
        .isNotNull()
        .matches(ErrorCode.CERTIFICATE_REFUSED::isOf)
        .hasMessageContainingAll("not resumed", "has expired", "CN=client");
    friendIsServed();
  }

  private static boolean hasExpired(X509Certificate certificate) {
    try {
      certificate.checkValidity();
      return false;
    } catch (CertificateException e) {
      return true;
    }
  }

  /** The JDK refuses the first two at a length, and the last one by what a message may have. */
  @Test
  void aChainWithoutEndIsRefused() throws Exception {
    Identity right = authority.issue("client");
    X509Certificate[] many = new X509Certificate[40];
    Arrays.fill(many, right.issuer());
    X509Certificate[] loop = new X509Certificate[12];
    Arrays.fill(loop, right.certificate());
    String[] names = new String[2500];
    Arrays.setAll(names, i -> "host-" + i + ".example.org");
    Identity wide = authority.issue("client", names);
    Map<String, SSLContext> all = new LinkedHashMap<>();
    all.put("many", shown(right, many));
    all.put("the same again and again", shown(right, loop));
    all.put("one of 60 KiB", shown(wide));
    for (Map.Entry<String, SSLContext> each : all.entrySet()) {
      assertThat(refused(each.getKey(), each.getValue()))
          .as(each.getKey())
          .matches(CallerErrors.anyOf(ErrorCode.TLS_FAILED, ErrorCode.CERTIFICATE_REFUSED));
    }
  }

  /** What the authority has signed, a terminal would obey. */
  @Test
  void aNameWithControlCharactersControlsNothing() throws Exception {
    SSLContext evil = shown(authority.issue("evil\u001b[2J\u202e\rclient"));
    AtomicReference<String> described = new AtomicReference<>();
    Listener listener =
        stage
            .transport()
            .listen(
                stage.address(),
                Handlers.ofArrays((connection, array) ->
                    described.set(connection.describe() + connection.agreement())));
    RawPeer peer =
        stage.closing(RawPeer.connect(listener.address(), evil)).shakeHands(RawOffer.plain());
    peer.send(array(3));
    Eventually.until("the array has come", () -> described.get() != null);
    assertThat(described.get()).contains("client").doesNotContainPattern("[\\p{Cntrl}\\p{Cf}]");
  }

  private static SSLContext shown(Identity identity, X509Certificate... more) {
    X509Certificate[] chain = Arrays.copyOf(more, more.length + 1);
    System.arraycopy(more, 0, chain, 1, more.length);
    chain[0] = identity.certificate();
    return ShownCertificate.context(identity.keys().getPrivate(), chain);
  }

  private ArraywireException refused(String what, SSLContext context) throws Exception {
    try {
      RawPeer peer = stage.closing(RawPeer.connect(there(), context));
      peer.sendHello(RawOffer.plain());
      // With TLS 1.3 a client takes itself for let in before it is.
      assertThat(peer.readUntilClosed()).as(what).isEmpty();
    } catch (IOException refused) {
      // As good an end as any.
    }
    ArraywireException cause = watch.next();
    if (cause == null) {
      throw new AssertionError(what + ": an orderly end");
    }
    CallerErrors.assertShort(what, cause);
    friendIsServed();
    return cause;
  }

  @Test
  void aListenersCertificateMustBeForServersAndOfOneThatMayIssue() throws Exception {
    Identity leaf = authority.issue("leaf");
    Map<String, SSLContext> all = new LinkedHashMap<>();
    all.put("for clients only", shown(authority.issueFor(Purpose.CLIENT, "server", HERE)));
    all.put(
        "issued by one that may not",
        shown(TestAuthority.issuedBy(leaf, "leaf", "server", HERE), leaf.certificate()));
    all.put("of a namesake", shown(TestAuthority.named("trusted").issue("server", HERE)));
    all.put("for another name", shown(authority.issue("server", "localhost.example.org")));
    for (Map.Entry<String, SSLContext> each : all.entrySet()) {
      try (RawPeer.Server server = RawPeer.Server.listen(address(), each.getValue())) {
        Transport transport = stage.transport();
        Running<Connection> connect = Running.start(() -> transport.connect(server.address()));
        try (RawPeer hostile = server.accept()) {
          hostile.readUntilClosed();
        } catch (IOException refused) {
          // As good an end as any.
        }
        assertThat(connect.failure())
            .as(each.getKey())
            .matches(ErrorCode.CERTIFICATE_REFUSED::isOf);
      }
    }
  }
}
