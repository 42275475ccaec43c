package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Identity;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is over a limit of a listener is refused, and others go on; see {@link AcceptLimits}. */
interface AcceptLimitTests {
  TransportStage stage();

  @Test
  default void connectionsAreLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.connections(3));
    limited.connect();
    Connection third = limited.connect();
    limited.refuses("connections");
    limited.refuses("connections");
    third.close();
    limited.connectsAgain().send(new int[1]);
    limited.refuses("connections");
  }

  /** Whatever a refused peer says: it is not looked at. */
  @Test
  default void aRefusedPeerIsNotAuthenticated() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.connections(1),
            options ->
                options.authenticator(peer -> {
                  asked.incrementAndGet();
                  return Identity.of("somebody");
                }));
    for (int i = 0; i < 20; i++) {
      limited.refuses("connections");
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  default void newConnectionsAreLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.connectsPerSecond(1));
    long begin = System.nanoTime();
    int refused = 0;
    int let = 0;
    while (refused < 5) {
      try {
        limited.connect();
        let++;
      } catch (ArraywireException e) {
        refused++;
        assertThat(limited.nextFailure()).hasMessageContaining("limit=connectsPerSecond");
      }
    }
    // However slow this machine is, no more than one a second came in.
    assertThat(let)
        .isLessThanOrEqualTo(2 + (int) Duration.ofNanos(System.nanoTime() - begin).toSeconds());
    limited.friendIsServed();
    limited.connectsAgain().send(new int[1]);
  }

  @Test
  default void sessionsAreLimited() throws Exception {
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.sessions(2),
            options -> options.sessionTimeout(Duration.ofMinutes(10)));
    Connection second = limited.connect();
    assertThatThrownBy(limited::connect)
        .isInstanceOf(RemoteErrorException.class)
        .hasFieldOrPropertyWithValue("code", ErrorCode.TOO_MANY_CONNECTIONS)
        .hasMessageContainingAll("limit=sessions", "most=2");
    limited.friendIsServed();
    // Peers without a session are let in.
    stage().transport().connect(limited.listener.address()).send(new int[1]);
    second.close();
    Connection again = limited.connectsAgain();
    again.send(ArraySlice.of(new int[1]), SendOptions.session());
  }
}
