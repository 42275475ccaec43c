package io.arraywire.security;

import io.arraywire.spi.MessageText;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Has the JDK check a peer's certificates, and says of what it refuses which certificate it is,
 * which name and which date. Any thread.
 */
final class PeerTrust extends X509ExtendedTrustManager {
  private static final int MOST_NAMES = 5;
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final X509ExtendedTrustManager jdk;
  private final String authorities;

  PeerTrust(X509ExtendedTrustManager jdk, String authorities) {
    this.jdk = jdk;
    this.authorities = authorities;
  }

  @FunctionalInterface
  private interface Check {
    void run() throws CertificateException;
  }

  private void check(
      X509Certificate[] chain, @Nullable SSLEngine engine, Check whole, Check withoutName)
      throws CertificateException {
    try {
      whole.run();
    } catch (CertificateException e) {
      throw refused(chain, engine, withoutName, e);
    }
  }

  private CertificateException refused(
      X509Certificate[] chain,
      @Nullable SSLEngine engine,
      Check withoutName,
      CertificateException cause) {
    for (X509Certificate each : chain) {
      try {
        each.checkValidity();
      } catch (CertificateExpiredException e) {
        return failed(
            "the certificate has expired; renew it",
            cause,
            "notAfter",
            each.getNotAfter().toInstant(),
            "certificate",
            subject(each));
      } catch (CertificateNotYetValidException e) {
        return failed(
            "the certificate is not valid yet; compare the clocks of both hosts",
            cause,
            "notBefore",
            each.getNotBefore().toInstant(),
            "certificate",
            subject(each));
      }
    }
    X509Certificate first = chain[0];
    try {
      withoutName.run();
    } catch (CertificateException e) {
      return failed(
          "no trusted authority vouches for the certificate; add its issuer to the trusted"
              + " authorities",
          cause,
          "certificate",
          subject(first),
          "issuer",
          chain[chain.length - 1].getIssuerX500Principal().getName(),
          "trusted",
          authorities);
    }
    if (cause.getCause() != null) {
      return failed(
          "the certificate is refused", cause, "certificate", subject(first), "cause", cause);
    }
    return failed(
        "the certificate is not for the name that was dialled; dial one of its names, or set"
            + " peerName",
        cause,
        "dialled",
        engine == null ? null : engine.getPeerHost(),
        "names",
        names(first),
        "certificate",
        subject(first));
  }

  private static CertificateException failed(
      String text, CertificateException cause, @Nullable Object... facts) {
    return new CertificateException(MessageText.brief(text, facts), cause);
  }

  private static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }

  private static List<String> names(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        for (List<?> each : all) {
          if (each.get(0) instanceof Integer kind && (kind == DNS_NAME || kind == IP_ADDRESS)) {
            if (names.size() == MOST_NAMES) {
              names.add("...");
              break;
            }
            names.add(String.valueOf(each.get(1)));
          }
        }
      }
    } catch (CertificateParsingException e) {
      names.add("unreadable");
    }
    return names;
  }

  // A peer that connects.

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(
        chain,
        engine,
        () -> jdk.checkClientTrusted(chain, type, engine),
        () -> jdk.checkClientTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(
        chain,
        null,
        () -> jdk.checkClientTrusted(chain, type, socket),
        () -> jdk.checkClientTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    Check plain = () -> jdk.checkClientTrusted(chain, type);
    check(chain, null, plain, plain);
  }

  // A peer that listens.

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(
        chain,
        engine,
        () -> jdk.checkServerTrusted(chain, type, engine),
        () -> jdk.checkServerTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(
        chain,
        null,
        () -> jdk.checkServerTrusted(chain, type, socket),
        () -> jdk.checkServerTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    Check plain = () -> jdk.checkServerTrusted(chain, type);
    check(chain, null, plain, plain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return jdk.getAcceptedIssuers();
  }
}
