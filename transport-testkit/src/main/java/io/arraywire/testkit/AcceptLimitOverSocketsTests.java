package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.RemoteErrorException;
import io.arraywire.Transport;
import io.arraywire.security.AcceptLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Limits of a listener for each address, and for peers that connect and say nothing; see {@link
 * AcceptLimits}.
 */
interface AcceptLimitOverSocketsTests {
  TransportStage stage();

  @Test
  default void connectionsOfAnAddressAreLimited() throws Exception {
    LimitedListener limited =
        LimitedListener.on(stage(), limits -> limits.connectionsPerAddress(2));
    Connection second = limited.connect();
    if (!limited.hasAddresses()) {
      limited.connect().send(new int[1]);
      return;
    }
    limited.refuses("connectionsPerAddress");
    second.close();
    limited.connectsAgain().send(new int[1]);
  }

  /** A peer that only sends would take an orderly end for success. */
  @Test
  default void aPeerThatIsRefusedInPlainModeSeesAReset() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options ->
                options.plain(ElementType.INT).acceptLimits(AcceptLimits.none().connections(1)))
            .listen(stage().address(), watch);
    stage().closing(stage().rawPeer(listener.address())).send(new byte[] {0, 0, 0, 0});
    if (listener.address() instanceof InetSocketAddress) {
      Eventually.until("the first one is served", () -> watch.arrays() == 1);
      RawPeer refused = stage().closing(RawPeer.connect(listener.address()));
      assertThatThrownBy(() -> refused.in().read()).isInstanceOf(IOException.class);
      assertThat(watch.next()).matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf);
    }
  }

  @Test
  default void handshakesThatAreNotOverAreLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.handshakes(2));
    List<RawPeer> silent = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      silent.add(stage().closing(RawPeer.connect(limited.listener.address())));
    }
    limited.refuses("handshakes");
    silent.get(0).close();
    assertThat(limited.nextFailure()).isNotNull();
    limited.connectsAgain().send(new int[1]);
  }

  @Test
  default void handshakesOfAnAddressAreLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.handshakesPerAddress(1));
    stage().closing(RawPeer.connect(limited.listener.address()));
    if (limited.hasAddresses()) {
      limited.refuses("handshakesPerAddress");
    } else {
      limited.connect().send(new int[1]);
    }
  }

  @Test
  default void guessesAreLimited() throws Exception {
    byte[] token = "sesame".getBytes(StandardCharsets.UTF_8);
    LimitedListener limited =
        LimitedListener.with(
            stage(), limits -> limits.failuresPerMinute(60), options -> options.authToken(token));
    Transport guesser = stage().transport(options -> options.authToken(new byte[] {1}));
    int guesses = 0;
    // 30 at once, and one more each second.
    while (guesses(guesser, limited)) {
      guesses++;
      if (!limited.hasAddresses() && guesses > 100) {
        break;
      }
    }
    assertThat(guesses).isGreaterThanOrEqualTo(30);
    limited.friendIsServed();
    // The right token has to wait as well.
    limited.connectsAgain().send(new int[1]);
  }

  /** Tries a wrong token; returns false if nobody listened. */
  private static boolean guesses(Transport guesser, LimitedListener limited) throws Exception {
    try {
      guesser.connect(limited.listener.address());
      throw new AssertionError("the token was wrong");
    } catch (ArraywireException e) {
      boolean guessed = e.code() == ErrorCode.AUTHENTICATION_FAILED;
      assertThat(limited.nextFailure())
          .matches((guessed ? e.code() : ErrorCode.TOO_MANY_CONNECTIONS)::isOf)
          .hasMessageContaining(guessed ? "token" : "limit=failuresPerMinute");
      return guessed;
    }
  }

  /** Peers that connect as fast as they can, and say nothing. */
  @Test
  default void aFloodOfConnectionsLeavesAFriendItsService() throws Exception {
    int most = 20;
    int flood = 400;
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.handshakes(most));
    List<RawPeer> silent = new ArrayList<>();
    for (int i = 0; i < flood; i++) {
      silent.add(stage().closing(RawPeer.connect(limited.listener.address())));
      if (i % 20 == 0) {
        limited.friendIsServed();
      }
    }
    for (int i = most; i < flood; i++) {
      assertThat(limited.nextFailure())
          .matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf)
          .hasMessageContaining("limit=handshakes");
    }
    limited.friendIsServed();
    for (RawPeer each : silent) {
      each.close();
    }
    limited.connectsAgain().send(new int[1]);
  }

  /** A health check of a load balancer is no guess, and neither is a network that breaks. */
  @Test
  default void aPeerThatConnectsAndLeavesHasGuessedNothing() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.failuresPerMinute(1));
    for (int i = 0; i < 4; i++) {
      RawPeer peer = RawPeer.connect(limited.listener.address());
      if (i % 2 == 0) {
        peer.close();
      } else {
        peer.reset();
      }
      assertThat(limited.nextFailure()).isNotNull();
    }
    limited.connect().send(new int[1]);
  }

  @Test
  default void sessionsOfAnAddressAreLimited() throws Exception {
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.sessionsPerAddress(2),
            options -> options.sessionTimeout(Duration.ofMinutes(10)));
    Connection second = limited.connect();
    if (!limited.hasAddresses()) {
      limited.connect().send(new int[1]);
      return;
    }
    assertThatThrownBy(limited::connect)
        .isInstanceOf(RemoteErrorException.class)
        .hasFieldOrPropertyWithValue("code", ErrorCode.TOO_MANY_CONNECTIONS)
        .hasMessageContaining("limit=sessionsPerAddress");
    limited.friendIsServed();
    second.close();
    limited.connectsAgain().send(new int[1]);
  }
}
