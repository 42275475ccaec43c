package io.arraywire.engine;

import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import io.arraywire.spi.MessageText;
import io.arraywire.wire.Offer;
import java.net.SocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a hello and the channel beneath it say of a peer. Its text names no token.
 *
 * @param hello what the peer says
 * @param remoteAddress where it connects from
 * @param certificates the peer's, which TLS has verified; none or one
 * @param resumesSession whether it names a session
 */
record HelloCredentials(
    Offer hello,
    SocketAddress remoteAddress,
    List<X509Certificate> certificates,
    boolean resumesSession)
    implements Credentials {
  private static final String SUBJECT_ALT_NAME = "2.5.29.17";

  /** The peer that a channel's certificate names; null if there is none. */
  static @Nullable Identity certified(Link link) {
    List<X509Certificate> certificates = link.peerCertificates();
    return certificates.isEmpty() ? null : Identity.of(name(certificates.get(0)));
  }

  /**
   * The subject, or its hash if it is too long for a line. It is not cut, so that two subjects
   * never become one name. A renewed certificate has the same name.
   */
  static String name(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    if (subject.isBlank()) {
      byte @Nullable [] names = certificate.getExtensionValue(SUBJECT_ALT_NAME);
      // The JDK reads no certificate that has neither. Another provider of TLS may.
      byte[] own = names == null ? certificate.getPublicKey().getEncoded() : names;
      return hashed(certificate.getIssuerX500Principal().getEncoded(), own);
    }
    return Identity.isName(subject)
        ? subject
        : hashed(certificate.getSubjectX500Principal().getEncoded());
  }

  private static String hashed(byte[]... encoded) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
    for (byte[] each : encoded) {
      digest.update(each);
    }
    return "certificate " + HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public byte[] token() {
    return hello.token();
  }

  @Override
  public int channels() {
    return hello.flow().channels();
  }

  @Override
  public int subscriptions() {
    return hello.flow().subscriptions();
  }

  @Override
  public long maxArrayBytes() {
    return hello.maxArrayBytes();
  }

  @Override
  public String library() {
    return MessageText.printable(hello.library());
  }
}
