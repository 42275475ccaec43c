package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.TransportOptions;
import io.arraywire.security.Identity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a peer is told of a failure. */
class FailuresTest {
  private static ArraywireException told(ArraywireException cause) {
    return Failures.toldPeer(cause, TransportOptions.defaults());
  }

  /** The refusing side decides what is told, and no name of a fact does. */
  @Test
  void aPeerIsToldWhatTheRefusalSays() {
    ArraywireException open =
        new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, "no", "reason", "it is Sunday");
    assertThat(told(open)).isSameAs(open);
    HandshakeException words = new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, "no");
    assertThat(told(open.telling(words))).isSameAs(words);
  }

  /** So a sender knows that it may try again. */
  @Test
  void wantOfMemoryAtTheFarSideKeepsItsCode() {
    RemoteErrorException fault = new RemoteErrorException(ErrorCode.MEMORY_BUDGET, "no room");
    SocketAddress peer = InetSocketAddress.createUnresolved("peer", 4711);
    assertThat(Failures.refusedByPeer(fault, 0, 3, peer))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.MEMORY_BUDGET::isOf)
        .hasMessageContaining("the far side refused the array: no room (channel=3");
    assertThat(Failures.noAnswer(fault, 7, 3, peer))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.MEMORY_BUDGET::isOf)
        .hasMessageContaining("the far side could not answer the request: no room (request=7");
  }

  /** Another peer hears what one with a wrong token hears. */
  @Test
  void anotherPeerDoesNotLearnWhoseSessionItIs() {
    SessionIdentity session =
        SessionIdentity.opened(
            SystemRuntime.INSTANCE, Duration.ofMinutes(1), 60_000, Identity.of("owner"));
    assertThatThrownBy(() -> session.checkToken(new byte[16]))
        .isInstanceOf(ConnectionLostException.class)
        .satisfies(wrongToken ->
            assertThatThrownBy(() -> session.checkPeer(Identity.of("thief")))
                .hasMessageContaining("openedBy=owner")
                .satisfies(thief ->
                    assertThat(told((ArraywireException) thief))
                        .hasMessage(told((ArraywireException) wrongToken).getMessage())
                        .hasMessageContaining("not known here")
                        .matches(ErrorCode.RESUME_REJECTED::isOf)));
  }
}
