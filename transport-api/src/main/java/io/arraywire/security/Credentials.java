package io.arraywire.security;

import java.net.SocketAddress;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a peer shows of itself and asks for when it connects, for an {@link
 * io.arraywire.security.Authenticator}. Everything but certificates and addresses is what the peer
 * says, and may be wrong. Any thread.
 */
public interface Credentials {

  /**
   * Where the peer connects from.
   *
   * @return the address; unnamed for a Unix domain socket
   */
  SocketAddress remoteAddress();

  /**
   * The peer's certificate, which TLS has verified. The certificates of its issuers are left out:
   * the peer may send others than those by which TLS verified it.
   *
   * @return the certificate alone; empty without TLS, and unless {@link
   *     io.arraywire.security.Tls#requireClientCertificate} asked for it
   */
  List<X509Certificate> certificates();

  /**
   * The token that the peer shows. Compare it with {@link #tokenIs}, never byte by byte: the time
   * that takes tells a stranger how much of a guess is right.
   *
   * @return a copy; empty if there is none
   */
  byte[] token();

  /**
   * Compares the peer's token, in a time that does not depend on where the two differ.
   *
   * @param secret the token to expect
   * @return whether the peer has shown it; false for an empty secret
   */
  default boolean tokenIs(byte[] secret) {
    return secret.length > 0 && MessageDigest.isEqual(secret, token());
  }

  /**
   * How many channels the peer would use.
   *
   * @return the number
   */
  int channels();

  /**
   * How many subscriptions the peer would have at a time.
   *
   * @return the number
   */
  int subscriptions();

  /**
   * The largest encoded array that the peer accepts.
   *
   * @return bytes
   */
  long maxArrayBytes();

  /**
   * Whether the peer asks to go on with a session. If so, it succeeds only under the name that the
   * session was opened under.
   *
   * @return false for a new session and for none
   */
  boolean resumesSession();

  /**
   * Name and version of the peer's library.
   *
   * @return one line without control characters
   */
  String library();
}
