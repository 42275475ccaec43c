package io.arraywire.engine.tls;

import io.arraywire.engine.Role;
import io.arraywire.spi.MessageText;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What a session of TLS knows of certificates. Stateless; any thread. */
final class SessionCertificates {
  private SessionCertificates() {}

  /**
   * The certificate of the peer. The session has all that the peer has sent, and only the first is
   * surely one of those that were verified.
   */
  static List<X509Certificate> ofPeer(SSLSession session) {
    try {
      return first(session.getPeerCertificates());
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  private static List<X509Certificate> first(Certificate @Nullable [] all) {
    return Stream.ofNullable(all)
        .flatMap(Stream::of)
        .limit(1)
        .filter(X509Certificate.class::isInstance)
        .map(X509Certificate.class::cast)
        .toList();
  }

  /** Whose certificate the peer has shown. Its authority may have signed any name. */
  static String peerInWords(SSLSession session) {
    try {
      return "peer certificate " + MessageText.printable(session.getPeerPrincipal().getName());
    } catch (SSLPeerUnverifiedException e) {
      return "peer without certificate";
    }
  }

  /**
   * A handshake that resumes a session of TLS, up to a day later, has nobody look at certificates
   * again. So this side looks whether the peer's has expired meanwhile. A side that connects looks
   * at its own, too: it may have another one by now, which only a whole handshake shows.
   *
   * @return why the session is not to be used any more; null if it may be
   */
  static @Nullable CertificateException expired(SSLSession session, Role role) {
    for (X509Certificate each : ofPeer(session)) {
      if (hasExpired(each, session)) {
        return because("the certificate has expired; renew it", each);
      }
    }
    if (role == Role.CONNECTOR) {
      for (X509Certificate each : first(session.getLocalCertificates())) {
        if (hasExpired(each, session)) {
          return because("the certificate of this side has expired; renew it", each);
        }
      }
    }
    return null;
  }

  /** A certificate that had expired before was accepted by a trust manager that ignores dates. */
  private static boolean hasExpired(X509Certificate certificate, SSLSession session) {
    Instant end = certificate.getNotAfter().toInstant();
    return end.isBefore(Instant.now())
        && !end.isBefore(Instant.ofEpochMilli(session.getCreationTime()));
  }

  private static CertificateException because(String text, X509Certificate certificate) {
    return new CertificateException(
        MessageText.brief(
            text,
            "notAfter",
            certificate.getNotAfter().toInstant(),
            "certificate",
            certificate.getSubjectX500Principal().getName()));
  }
}
