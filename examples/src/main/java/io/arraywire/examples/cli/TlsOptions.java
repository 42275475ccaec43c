package io.arraywire.examples.cli;

import io.arraywire.security.Tls;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about TLS that both sides of a transfer share. */
final class TlsOptions {
  @Option(
      names = "--tls",
      description = "Encrypt, and check who the peer is; both sides need it. See docs/tls.md.")
  private boolean tls;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description =
          "This side's certificate and those of its issuers, as PEM. receive needs one; send needs one"
              + " if the receiver asks for it.")
  private @Nullable Path certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The certificate's private key, as PEM (PKCS #8, not encrypted).")
  private @Nullable Path key;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "Trust peers that these authorities vouch for, as PEM. Default: those of the JDK.")
  private @Nullable Path authorities;

  boolean isChosen() {
    return tls || certificate != null || key != null || authorities != null;
  }

  boolean isOn() {
    return tls;
  }

  boolean hasCertificate() {
    return certificate != null && key != null;
  }

  /**
   * What the transport is to have.
   *
   * @param clientCertificateRequired whether a listener refuses peers without a certificate
   * @return the value; null without {@code --tls}
   * @throws IllegalArgumentException if options are missing, or files cannot be used
   */
  @Nullable Tls value(boolean clientCertificateRequired) {
    if (!tls) {
      if (isChosen()) {
        throw new IllegalArgumentException("--cert, --key and --ca go with --tls; add it");
      }
      return null;
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "--cert and --key go together (cert=" + certificate + ", key=" + key + ")");
    }
    if (clientCertificateRequired && authorities == null) {
      throw new IllegalArgumentException(
          ListenOptions.REQUIRE + " needs --ca, which says whose certificates are accepted");
    }
    Tls value = certificate == null || key == null ? Tls.client() : Tls.server(certificate, key);
    if (authorities != null) {
      value = value.trust(authorities);
    }
    return clientCertificateRequired ? value.requireClientCertificate() : value;
  }
}
