package io.arraywire.engine;

import io.arraywire.Identity;
import io.arraywire.spi.Credentials;
import io.arraywire.spi.MessageText;
import io.arraywire.wire.Offer;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a hello and the channel beneath it say of a peer. Its text names no token.
 *
 * @param hello what the peer says
 * @param remoteAddress where it connects from
 * @param certificates what TLS has verified
 * @param resumesSession whether it names a session
 */
record HelloCredentials(
    Offer hello,
    SocketAddress remoteAddress,
    List<X509Certificate> certificates,
    boolean resumesSession)
    implements Credentials {
  private static final int MOST_CHARACTERS = 200;

  /** The peer that a channel's certificate names; null if there is none. */
  static @Nullable Identity certified(Link link) {
    List<X509Certificate> chain = link.peerCertificates();
    if (chain.isEmpty()) {
      return null;
    }
    String subject = chain.get(0).getSubjectX500Principal().getName();
    String name = MessageText.printable(subject);
    if (name.isBlank() || name.length() > MOST_CHARACTERS) {
      // Two long names must not become one.
      name = "certificate " + chain.get(0).getSerialNumber().toString(Character.MAX_RADIX);
    }
    return Identity.of(name);
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
