package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Transport;
import io.arraywire.testkit.TestAuthority.Identity;
import io.arraywire.testkit.TestAuthority.Purpose;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
