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
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which failed handshakes an address has to answer for, of all that there can be. */
class PeersFaultTest {
  private static final String TEXT = "a test";

  /** Everything of which a listener can say that it was the peer's, by code. */
  private static final Map<ErrorCode, Boolean> HANDSHAKES =
      Map.of(
          ErrorCode.AUTHENTICATION_FAILED, true,
          ErrorCode.CERTIFICATE_REFUSED, true,
          ErrorCode.HANDSHAKE_TIMEOUT, true,
          ErrorCode.TLS_MISMATCH, true,
          ErrorCode.NEGOTIATION_FAILED, false);

  @Test
  void aPeerThatIsNoFriendIsAtFault() {
    HANDSHAKES.forEach((code, fault) ->
        assertThat(EngineListener.isPeersFault(new HandshakeException(code, TEXT)))
            .as("%s", code)
            .isEqualTo(fault));
    ArraywireException tls = new HandshakeException(ErrorCode.TLS_FAILED, TEXT);
    assertThat(EngineListener.isPeersFault(tls)).as("cut in the TLS handshake").isFalse();
    assertThat(EngineListener.isPeersFault(tls.because(new SSLHandshakeException(TEXT)))).isTrue();
    ArraywireException refusesUs =
        new HandshakeException(ErrorCode.CERTIFICATE_REFUSED, TEXT, WireLayer.ALERT, "unknown_ca");
    assertThat(EngineListener.isPeersFault(refusesUs)).as("does not trust this side").isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotTheProtocolIsAFaultUnlessItWasCutOffOrIsAnotherVersion(ErrorCode code) {
    boolean innocent =
        code == ErrorCode.TRUNCATED
            || code == ErrorCode.UNSUPPORTED_VERSION
            || code == ErrorCode.NEGOTIATION_FAILED;
    assertThat(EngineListener.isPeersFault(new ProtocolException(code, TEXT))).isEqualTo(!innocent);
  }

  /** A network that breaks, a limit, a session that is gone, an authenticator that is down. */
  @ParameterizedTest
  @EnumSource
  void nothingElseIsAPeersFault(ErrorCode code) {
    assertThat(EngineListener.isPeersFault(new ConnectionLostException(code, TEXT))).isFalse();
    assertThat(EngineListener.isPeersFault(new NoRoomException(code, TEXT))).isFalse();
    assertThat(EngineListener.isPeersFault(new RemoteErrorException(code, TEXT))).isFalse();
    assertThat(EngineListener.isPeersFault(new ArraywireException(code, TEXT))).isFalse();
    assertThat(EngineListener.isPeersFault(new IOException(TEXT))).isFalse();
    assertThat(EngineListener.isPeersFault(null)).as("it was let in").isFalse();
  }
}
