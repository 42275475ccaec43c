package io.arraywire.engine.tls;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.engine.WireLayer;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what went wrong in TLS into typed failures. Stateless; any thread. */
final class TlsErrors {
  private static final String MISMATCH =
      "this side speaks TLS and the peer does not; set tls at both sides or at neither";

  /** The peer quotes this, so "this side" would be the wrong one. */
  private static final String MISMATCH_FOR_PEER =
      "the listener speaks TLS and the connecting side does not; set tls at both sides or at"
          + " neither";

  /** Names of alerts that are about certificates; providers write them in their own ways. */
  private static final List<String> CERTIFICATE_ALERTS =
      List.of(
          "certificate_required",
          "certificate_unknown",
          "certificate_expired",
          "certificate_revoked",
          "bad_certificate",
          "unsupported_certificate",
          "unknown_ca");

  private TlsErrors() {}

  /**
   * What an engine threw, or a task of its.
   *
   * @param established whether the handshake was over
   */
  static ArraywireException of(Throwable thrown, boolean established, SocketAddress peer) {
    CertificateException refused = certificate(thrown);
    if (refused != null) {
      return new HandshakeException(
              ErrorCode.CERTIFICATE_REFUSED,
              "the peer's certificate is refused",
              "cause",
              refused,
              "peer",
              peer)
          .because(thrown);
    }
    String text = String.valueOf(thrown.getMessage()).toLowerCase(Locale.ROOT).replace(' ', '_');
    if (text.contains(WireLayer.ALERT)) {
      for (String alert : CERTIFICATE_ALERTS) {
        if (text.contains(alert)) {
          return new HandshakeException(
                  ErrorCode.CERTIFICATE_REFUSED,
                  ofAlert(alert),
                  WireLayer.ALERT,
                  alert,
                  "peer",
                  peer)
              .because(thrown);
        }
      }
    }
    if (text.contains("empty_client_certificate_chain")
        || text.contains("empty_server_certificate_chain")
        || text.contains("peer_did_not_return_a_certificate")) {
      return new HandshakeException(
              ErrorCode.CERTIFICATE_REFUSED,
              "the peer has shown no certificate, and one is required; its tls needs"
                  + " certificate(chain, key)",
              "peer",
              peer)
          .because(thrown);
    }
    return established
        ? new ProtocolException(
                ErrorCode.TLS_FAILED,
                "a TLS record was changed after the peer had encrypted it, or the peer gave up",
                "cause",
                thrown,
                "peer",
                peer)
            .because(thrown)
        : new HandshakeException(
                ErrorCode.TLS_FAILED, "the TLS handshake failed", "cause", thrown, "peer", peer)
            .because(thrown);
  }

  /** A certificate that was verified before, of the peer or of this side, has expired. */
  static ArraywireException expired(CertificateException why, SocketAddress peer) {
    return new HandshakeException(
            ErrorCode.CERTIFICATE_REFUSED,
            "a TLS session is not resumed; the next handshake is a full one",
            "cause",
            why,
            "peer",
            peer)
        .because(why);
  }

  /** A listener has no engine for a peer, which can do nothing for that. */
  static ArraywireException unmade(Throwable thrown, SocketAddress peer) {
    return new ArraywireException(
            ErrorCode.TLS_FAILED,
            "this side has no TLS engine; its certificates and keys may not be usable any more",
            "cause",
            thrown,
            "peer",
            peer)
        .because(thrown);
  }

  private static String ofAlert(String alert) {
    return switch (alert) {
      case "certificate_required" ->
          "the peer wants a certificate of this side, and tls has none; add certificate(chain, key)";
      // What JDK 17 says where newer ones say certificate_required.
      case "bad_certificate" ->
          "the peer refuses this side's certificate, or wants a certificate of this side and tls"
              + " has"
              + " none: add certificate(chain, key); its log says why";
      default ->
          "the peer refuses this side's certificate, or has none that it trusts; its log says why";
    };
  }

  private static @Nullable CertificateException certificate(Throwable thrown) {
    Throwable each = thrown;
    for (int i = 0; each != null && i < 10; i++) {
      if (each instanceof CertificateException found) {
        return found;
      }
      each = each.getCause();
    }
    return null;
  }

  static ArraywireException mismatch(SocketAddress peer) {
    return new HandshakeException(ErrorCode.TLS_MISMATCH, MISMATCH, "peer", peer);
  }

  /** The same as a listener tells its peer. */
  static ArraywireException mismatchForPeer() {
    return new HandshakeException(ErrorCode.TLS_MISMATCH, MISMATCH_FOR_PEER);
  }

  static ArraywireException badRecord(String text, int value, SocketAddress peer) {
    return new ProtocolException(ErrorCode.TLS_FAILED, text, "value", value, "peer", peer);
  }

  static ArraywireException renegotiation(SocketAddress peer) {
    return new ProtocolException(
        ErrorCode.TLS_FAILED,
        "the peer wants to negotiate again, which TLS 1.3 has no more and this side refuses",
        "peer",
        peer);
  }

  static ArraywireException flood(int records, SocketAddress peer) {
    return new ProtocolException(
        ErrorCode.CONTROL_FLOOD,
        "the peer sends TLS records that bring nothing",
        "records",
        records,
        "peer",
        peer);
  }

  static ArraywireException timedOut(Duration timeout, SocketAddress peer) {
    return new HandshakeException(
        ErrorCode.HANDSHAKE_TIMEOUT,
        "the peer did not finish its TLS handshake in time; it may not speak TLS",
        "peer",
        peer,
        "connectTimeout",
        timeout);
  }

  static ArraywireException tooMany(SocketAddress peer) {
    return new NoRoomException(
        ErrorCode.TOO_MANY_CONNECTIONS,
        "more TLS handshakes are going on than this process does at a time; connect again later",
        "peer",
        peer);
  }

  /** The peer said, before TLS was there, that this side is one too many. */
  static ArraywireException refused(SocketAddress peer) {
    return new RemoteErrorException(
        ErrorCode.TOO_MANY_CONNECTIONS,
        "it has as many connections or handshakes as acceptLimits there allow; connect again later",
        "peer",
        peer);
  }

  /** The channel ended in the handshake, with or without words. */
  static ArraywireException endedInHandshake(@Nullable Throwable cause, SocketAddress peer) {
    String text =
        "the connection ended in the TLS handshake; the peer may not speak TLS, or refuses this"
            + " side; its log says why";
    if (cause == null) {
      return new HandshakeException(ErrorCode.TLS_FAILED, text, "peer", peer);
    }
    return new HandshakeException(ErrorCode.TLS_FAILED, text, "peer", peer, "cause", cause)
        .because(cause);
  }

  /** The channel ended, and the peer has not said over TLS that it does. */
  static ConnectionLostException truncated(SocketAddress peer) {
    return new ConnectionLostException(
        ErrorCode.CONNECTION_RESET,
        "the connection was cut: it ended without TLS's close_notify; the peer may have crashed, or"
            + " somebody between the two has cut it",
        "peer",
        peer);
  }
}
