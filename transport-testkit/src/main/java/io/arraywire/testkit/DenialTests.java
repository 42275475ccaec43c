package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Transport;
import io.arraywire.frame.FrameLayout;
import io.arraywire.security.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Only a peer that was denied counts against its address. Each of these listeners bears one failure
 * a minute: a second one, and nobody from there would come in.
 */
interface DenialTests {
  TransportStage stage();

  private LimitedListener strict() throws Exception {
    return LimitedListener.on(stage(), limits -> limits.failuresPerMinute(1));
  }

  @Test
  default void peersThatAreLetInUseNothingUp() throws Exception {
    LimitedListener limited = strict();
    for (int i = 0; i < 10; i++) {
      Connection connection = limited.connect();
      connection.send(new int[1]);
      if (i % 2 == 0) {
        connection.close();
      } else {
        connection.closeNow();
      }
    }
    limited.friendIsServed();
  }

  @Test
  default void aPeerThatIsOverAnotherLimitWasNotDenied() throws Exception {
    LimitedListener limited =
        LimitedListener.on(stage(), limits -> limits.connections(2).failuresPerMinute(1));
    Connection second = limited.connect();
    for (int i = 0; i < 5; i++) {
      limited.refuses("connections");
    }
    second.close();
    limited.connectsAgain().send(new int[1]);
    // There was room for it at once: of the limit of failures nobody has heard.
    limited.refuses("connections");
  }

  @Test
  default void aPeerThatIsCutOffInsideItsHelloWasNotDenied() throws Exception {
    LimitedListener limited = strict();
    byte[] hello =
        RawHandshake.bytes(FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.plain().hello());
    for (int i = 0; i < 4; i++) {
      RawPeer peer = stage().rawPeer(limited.listener.address());
      peer.send(hello, 0, hello.length / 2);
      if (i % 2 == 0) {
        peer.shutdownOutput();
      }
      peer.reset();
      assertThat(limited.nextFailure())
          .matches(
              CallerErrors.anyOf(
                  ErrorCode.TRUNCATED,
                  ErrorCode.CONNECTION_RESET,
                  // The reset may overtake the end of the TLS handshake.
                  ErrorCode.TLS_FAILED));
    }
    limited.connect().send(new int[1]);
  }

  /** An older or a newer one, or one of another program: it knows nothing, and guesses nothing. */
  @Test
  default void aPeerThatHasNothingInCommonWasNotDenied() throws Exception {
    LimitedListener limited = strict();
    for (int i = 0; i < 4; i++) {
      RawPeer peer = stage().closing(stage().rawPeer(limited.listener.address()));
      if (i % 2 == 0) {
        peer.sendHello(RawOffer.of(Map.of(200, "unheard-of")));
      } else {
        peer.send(RawHandshake.bytes(99, 99, RawOffer.plain().hello()));
      }
      assertThat(limited.nextFailure())
          .matches(CallerErrors.anyOf(ErrorCode.NEGOTIATION_FAILED, ErrorCode.UNSUPPORTED_VERSION));
    }
    limited.connect().send(new int[1]);
  }

  /** Whatever it wants: each attempt costs a handshake, so an address has ten for one failure. */
  @Test
  default void aFloodOfPeersThatHaveNothingInCommonIsLimited() throws Exception {
    LimitedListener limited = LimitedListener.on(stage(), limits -> limits.failuresPerMinute(10));
    int most = 200;
    int misfits = 0;
    ArraywireException refused = null;
    while (refused == null && misfits < most) {
      try {
        RawPeer peer = stage().closing(stage().rawPeer(limited.listener.address()));
        peer.send(RawHandshake.bytes(99, 99, RawOffer.plain().hello()));
        peer.readUntilClosed();
      } catch (IOException closed) {
        // As good an end as any; over TLS a peer is refused in its handshake.
      }
      ArraywireException failure = limited.nextFailure();
      if (ErrorCode.UNSUPPORTED_VERSION.isOf(failure)) {
        misfits++;
      } else {
        refused = failure;
      }
    }
    if (limited.hasAddresses()) {
      // 50 at once, and five more for every three seconds.
      assertThat(misfits).isBetween(50, 50 + most / 2);
      assertThat(refused)
          .matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf)
          .hasMessageContainingAll("in common", "limit=failuresPerMinute", "most=100");
    } else {
      assertThat(misfits).isEqualTo(most);
    }
    limited.friendIsServed();
  }

  /** Whatever has become of its session, its peer has shown its name. */
  @Test
  default void aPeerWhoseSessionIsGoneWasNotDenied() throws Exception {
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.failuresPerMinute(1),
            options -> options.sessionTimeout(Duration.ofMinutes(10)));
    for (int i = 0; i < 4; i++) {
      RawPeer peer = stage().closing(stage().rawPeer(limited.listener.address()));
      peer.send(
          RawHandshake.bytes(
              FrameLayout.VERSION,
              FrameLayout.VERSION,
              RawOffer.plain().helloThatResumes(new byte[16])));
      assertThat(limited.nextFailure()).matches(ErrorCode.RESUME_REJECTED::isOf);
    }
    limited.connect().send(new int[1]);
  }

  /** The database behind it may be down. */
  @Test
  default void aPeerWhoseAuthenticatorFailsWasNotDenied() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.failuresPerMinute(1),
            options ->
                options.authenticator(peer -> {
                  if (fails.get()) {
                    throw new IOException("the database is down");
                  }
                  return Identity.of("somebody");
                }));
    fails.set(true);
    for (int i = 0; i < 4; i++) {
      assertThat(refusal(limited)).isEqualTo(ErrorCode.INTERNAL);
      assertThat(limited.nextFailure()).isNotNull();
    }
    fails.set(false);
    limited.connect().send(new int[1]);
  }

  private static ErrorCode refusal(LimitedListener limited) throws Exception {
    try {
      Connection connection = limited.connect();
      throw new AssertionError("connected: " + connection.describe());
    } catch (ArraywireException e) {
      return e.code();
    }
  }

  /** What does count, so that the others show something; and a friend that is in stays in. */
  @Test
  default void aPeerThatIsDeniedIsCountedAndItsNeighboursStay() throws Exception {
    byte[] token = "sesame".getBytes(StandardCharsets.UTF_8);
    LimitedListener limited =
        LimitedListener.with(
            stage(), limits -> limits.failuresPerMinute(1), options -> options.authToken(token));
    Connection neighbour = limited.connect();
    Transport guesser = stage().transport(options -> options.authToken(new byte[] {1}));
    Running<Connection> guess = Running.start(() -> guesser.connect(limited.listener.address()));
    assertThat(guess.failure()).extracting("code").isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(limited.nextFailure()).matches(ErrorCode.AUTHENTICATION_FAILED::isOf);
    if (limited.hasAddresses()) {
      limited.refuses("failuresPerMinute");
    }
    neighbour.send(new int[1]);
    limited.friendIsServed();
  }
}
