package io.arraywire.security;

import io.arraywire.TransportOptions;
import io.arraywire.spi.TlsEngines;
import java.nio.file.Path;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How connections are encrypted and how each side proves who it is: the value of {@link
 * TransportOptions#tls()}. Immutable; each method returns another value. Any thread.
 *
 * <pre>{@code
 * Tls.server(Path.of("server.pem"), Path.of("server.key"))   // one side
 * Tls.client().trust(Path.of("ca.pem"))                      // the other
 *
 * Tls.server(Path.of("server.pem"), Path.of("server.key"))   // both prove who they are
 *     .trust(Path.of("ca.pem"))
 *     .requireClientCertificate();
 * }</pre>
 *
 * <p>TLS 1.3 and 1.2, with authenticated cipher suites only. The side that connects always checks
 * that the certificate is for the name that was dialled. There is no renegotiation and no way back
 * to a connection without TLS.
 *
 * <p>Files are read at once, so that what is wrong with them is known at once, and again when they
 * have changed. Connections that are made from then on have the new certificate, and those that are
 * open stay open. See {@code docs/tls.md}.
 */
public final class Tls {
  private final @Nullable PemTls files;
  private final @Nullable TlsEngines given;
  private final boolean clientCertificateRequired;
  private final @Nullable String peerName;
  private final TlsEngines engines;

  private Tls(
      @Nullable PemTls files,
      @Nullable TlsEngines given,
      boolean clientCertificateRequired,
      @Nullable String peerName) {
    this.files = files;
    this.given = given;
    this.clientCertificateRequired = clientCertificateRequired;
    this.peerName = peerName;
    TlsEngines made = files == null ? Objects.requireNonNull(given, "engines") : files;
    engines = new ConfiguredEngines(made, clientCertificateRequired, peerName);
  }

  /**
   * A side that has a certificate: one that listens, or that proves who it is when it connects.
   * Peers are checked against the authorities that the JDK trusts, unless {@link #trust} names
   * others.
   *
   * @param certificateChain a PEM file: this side's certificate first, then those that issued it,
   *     without the root
   * @param key a PEM file with the private key of the first certificate, PKCS #8 ({@code BEGIN
   *     PRIVATE KEY}), not encrypted
   * @return the value
   * @throws IllegalArgumentException if a file cannot be read or the two do not belong together
   */
  public static Tls server(Path certificateChain, Path key) {
    return client().certificate(certificateChain, key);
  }

  /**
   * A side without a certificate, which can connect and cannot listen.
   *
   * @return the value
   */
  public static Tls client() {
    return new Tls(PemTls.empty(), null, false, null);
  }

  /**
   * Uses a context of the caller's, with its keys, the authorities that it trusts, and its
   * provider. Protocols, order of cipher suites and the check of the host name are set as for
   * files.
   *
   * @param context an initialised context
   * @return the value
   */
  public static Tls of(SSLContext context) {
    return of(new ContextEngines(Objects.requireNonNull(context, "context")));
  }

  /**
   * Uses engines of the caller's, with their keys and the authorities that they trust.
   *
   * @param engines makes them
   * @return the value
   */
  public static Tls of(TlsEngines engines) {
    return new Tls(null, Objects.requireNonNull(engines, "engines"), false, null);
  }

  /**
   * The same with a certificate of this side's; see {@link #server}.
   *
   * @param certificateChain the PEM file of the certificates
   * @param key the PEM file of the private key
   * @return the value
   * @throws IllegalArgumentException if a file cannot be read or the two do not belong together
   * @throws IllegalStateException if a context or engines were given, which have their own
   */
  public Tls certificate(Path certificateChain, Path key) {
    Objects.requireNonNull(certificateChain, "certificateChain");
    Objects.requireNonNull(key, "key");
    return with(ofFiles("certificate").certificate(certificateChain, key));
  }

  /**
   * The same, but trusts only peers for whose certificates these authorities vouch.
   *
   * @param authorities a PEM file with one certificate or more
   * @return the value
   * @throws IllegalArgumentException if the file cannot be read
   * @throws IllegalStateException if a context or engines were given, which have their own
   */
  public Tls trust(Path authorities) {
    return with(ofFiles("trust").trust(Objects.requireNonNull(authorities, "authorities")));
  }

  /**
   * The same, but a listener refuses peers that have no certificate that it trusts.
   *
   * @return the value
   * @throws IllegalStateException if no authorities were named: those that the JDK trusts vouch for
   *     half of the Internet
   */
  public Tls requireClientCertificate() {
    if (files != null && !files.namesAuthorities()) {
      throw new IllegalStateException(
          "requireClientCertificate needs to know whose certificates are accepted; call"
              + " trust(authorities) before");
    }
    return new Tls(files, given, true, peerName);
  }

  /**
   * The same, but the peer's certificate has to be for this name and not for the one that is
   * dialled. Use it where you dial an address that is not in the certificate, or a Unix domain
   * socket, for which the name is {@code localhost} otherwise.
   *
   * @param name a host name or an address, as the certificate has it
   * @return the value
   * @throws IllegalArgumentException if the name is empty
   */
  public Tls peerName(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the peer's name must not be empty (peerName=" + name + ")");
    }
    return new Tls(files, given, clientCertificateRequired, name);
  }

  /**
   * Whether a listener can use it: whether there is a certificate, as far as that is known.
   *
   * @return false for {@link #client()} without {@link #certificate}
   */
  public boolean canListen() {
    return files == null || files.hasCertificate();
  }

  /**
   * Makes the engines of connections, ready to begin: with protocols, cipher suites and checks set.
   * For implementers of transports.
   *
   * @return the engines
   */
  public TlsEngines engines() {
    return engines;
  }

  private PemTls ofFiles(String method) {
    if (files == null) {
      throw new IllegalStateException(
          "the context or the engines that were given have keys and authorities of their own; leave"
              + " "
              + method
              + "(...) out");
    }
    return files;
  }

  private Tls with(PemTls changed) {
    return new Tls(changed, null, clientCertificateRequired, peerName);
  }

  /** The settings, with the names of the files; no secrets. */
  @Override
  public String toString() {
    String text = files == null ? "given engines" : files.toString();
    return text
        + (clientCertificateRequired ? ", client certificates required" : "")
        + (peerName == null ? "" : ", peerName=" + peerName);
  }
}
