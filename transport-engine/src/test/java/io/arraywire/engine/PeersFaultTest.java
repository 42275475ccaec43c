package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which failed handshakes an address has to answer for, of all that there can be. */
class PeersFaultTest {
  private static final String TEXT = "a test";

  /** Everything of which a listener can say that it was the peer's, by code. */
  private static final Map<ErrorCode, PeerFault> HANDSHAKES =
      Map.of(
          ErrorCode.AUTHENTICATION_FAILED, PeerFault.DENIED,
          ErrorCode.CERTIFICATE_REFUSED, PeerFault.DENIED,
          ErrorCode.HANDSHAKE_TIMEOUT, PeerFault.DENIED,
          ErrorCode.TLS_MISMATCH, PeerFault.DENIED,
          ErrorCode.NEGOTIATION_FAILED, PeerFault.MISFIT);

  @Test
  void aPeerThatIsNoFriendIsAtFault() {
    HANDSHAKES.forEach((code, fault) ->
        assertThat(PeerFault.of(new HandshakeException(code, TEXT)))
            .as("%s", code)
            .isEqualTo(fault));
    ArraywireException tls = new HandshakeException(ErrorCode.TLS_FAILED, TEXT);
    assertThat(PeerFault.of(tls)).as("cut in the TLS handshake").isEqualTo(PeerFault.NONE);
    assertThat(PeerFault.of(tls.because(new SSLHandshakeException(TEXT))))
        .isEqualTo(PeerFault.DENIED);
    ArraywireException refusesUs =
        new HandshakeException(ErrorCode.CERTIFICATE_REFUSED, TEXT, WireLayer.ALERT, "unknown_ca");
    assertThat(PeerFault.of(refusesUs)).as("does not trust this side").isEqualTo(PeerFault.MISFIT);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotTheProtocolIsAFaultUnlessItWasCutOffOrIsAnotherVersion(ErrorCode code) {
    PeerFault expected =
        switch (code) {
          case TRUNCATED -> PeerFault.NONE;
          case UNSUPPORTED_VERSION, NEGOTIATION_FAILED -> PeerFault.MISFIT;
          default -> PeerFault.DENIED;
        };
    assertThat(PeerFault.of(new ProtocolException(code, TEXT))).isEqualTo(expected);
  }

  /** A network that breaks, a limit, a session that is gone, an authenticator that is down. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNSUPPORTED_VERSION", "NEGOTIATION_FAILED"})
  void nothingElseIsAPeersFault(ErrorCode code) {
    assertThat(
            Stream.of(
                    new ConnectionLostException(code, TEXT),
                    new NoRoomException(code, TEXT),
                    new RemoteErrorException(code, TEXT),
                    new ArraywireException(code, TEXT),
                    new IOException(TEXT))
                .map(PeerFault::of))
        .containsOnly(PeerFault.NONE);
    assertThat(PeerFault.of(null)).as("it was let in").isEqualTo(PeerFault.NONE);
  }
}
