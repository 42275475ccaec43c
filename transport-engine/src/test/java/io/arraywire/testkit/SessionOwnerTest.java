package io.arraywire.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.security.Identity;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.SessionOffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Somebody has seen the name and the token of another's session, and has an identity of his own:
 * what he hears, byte by byte, and what becomes of the session.
 */
class SessionOwnerTest {
  private static final SessionOffer NEW = new SessionOffer(60_000, new byte[0], new byte[0]);
  private static final byte[] WRONG = new byte[16];

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .sessionTimeout(Duration.ofSeconds(20));
  }

  /** Each peer has the name that it gives as its token; one without is refused. */
  private static TransportOptions.Builder named() {
    return options()
        .authenticator(
            peer -> peer.token().length == 0 ? null : Identity.of(new String(peer.token(), UTF_8)));
  }

  private static byte[] hello(String token, SessionOffer session) {
    return hello(token, session, EngineBench.offer().encodings());
  }

  private static byte[] hello(String token, SessionOffer session, Map<Integer, String> encodings) {
    Offer plain = EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 0, 64));
    Offer offer =
        new Offer(
            encodings,
            plain.elementTypes(),
            plain.nativeOrder(),
            plain.maxArrayBytes(),
            plain.maxFrameBytes(),
            plain.checksums(),
            token.getBytes(UTF_8),
            plain.library(),
            plain.flow());
    return EngineBench.preambled(HandshakeMessage.hello(offer, session));
  }

  private static SessionOffer with(SessionOffer session, byte[] token) {
    return new SessionOffer(60_000, session.id(), token);
  }

  /** What is said to a hello, once the authenticator has decided. */
  private static byte[] answer(EngineBench bench, byte[] hello) {
    bench.feed(hello);
    Eventually.until(
        "the authenticator has decided",
        () -> {
          bench.pump();
          return bench.out.size() > 0;
        });
    byte[] answer = bench.outBytes();
    bench.out.reset();
    return answer;
  }

  private static SessionOffer welcomed(EngineBench bench, byte[] hello) throws IOException {
    HandshakeMessage answer = EngineBench.handshakeIn(answer(bench, hello));
    assertThat(answer.fault()).isNull();
    assertThat(answer.session().isNamed()).isTrue();
    return answer.session();
  }

  private static void assertRefused(byte[] answer, ErrorCode code) throws IOException {
    assertThat(EngineBench.handshakeIn(answer).fault())
        .isNotNull()
        .extracting("code")
        .isEqualTo(code);
  }

  private static RawFrame array(long sequence) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new int[1]))
        .withAttributes(AttributesBody.write(ArrayEnvelope.NONE.inSession(sequence)));
  }

  private static void breaks(EngineBench bench) {
    bench.wire.failed(new IOException("wire cut"));
    bench.pump();
  }

  /** Not even whether there is such a session. */
  @Test
  void aPeerThatMayNotResumeHearsWhatIsSaidOfAMissingSession() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    breaks(first);
    byte[] expected =
        answer(first.another(), hello("thief", new SessionOffer(60_000, WRONG, session.token())));
    assertRefused(expected, ErrorCode.RESUME_REJECTED);
    assertThat(EngineBench.handshakeIn(expected).fault()).hasMessageContaining("not known here");
    for (byte[] token : List.of(session.token(), WRONG, new byte[0], new byte[3000])) {
      assertThat(answer(first.another(), hello("thief", with(session, token)))).isEqualTo(expected);
    }
    assertThat(answer(first.another(), hello("owner", with(session, WRONG)))).isEqualTo(expected);
    // The session has taken no harm, and this side knows what was wrong.
    first.pump();
    assertThat(first.handler.cause).isNotNull().hasMessageContaining("token is wrong");
    SessionOffer resumed = welcomed(first.another(), hello("owner", session));
    assertThat(resumed.id()).isEqualTo(session.id());
    // Nor does it show that the session has ended.
    EngineBench last = first.another();
    assertThat(welcomed(last, hello("owner", resumed)).id()).isEqualTo(session.id());
    last.feed(RawFrame.control(FrameType.GOODBYE, 0)).end();
    for (String name : List.of("thief", "owner")) {
      assertThat(answer(first.another(), hello(name, session))).isEqualTo(expected);
    }
  }

  /** The owner may have missed the welcome whose token the thief has seen. */
  @Test
  void aThiefUsesNoTokenUp() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    breaks(first);
    EngineBench second = first.another();
    SessionOffer missed = welcomed(second, hello("owner", session));
    breaks(second);
    assertRefused(answer(first.another(), hello("thief", missed)), ErrorCode.RESUME_REJECTED);
    assertThat(welcomed(first.another(), hello("owner", session)).id()).isEqualTo(session.id());
  }

  /**
   * A network delays a hello until its sender has given up and come again, or somebody repeats one
   * that he has seen. What he is told takes nothing away from the owner.
   */
  @Test
  void aHelloThatComesAgainTakesTheOwnersTokenFromNobody() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    breaks(first);
    EngineBench second = first.another();
    SessionOffer owners = welcomed(second, hello("owner", session));
    EngineBench late = first.another();
    SessionOffer unread = welcomed(late, hello("owner", session));
    breaks(second);
    breaks(late);
    EngineBench third = first.another();
    SessionOffer last = welcomed(third, hello("owner", owners));
    assertThat(last.id()).isEqualTo(session.id());
    // The one before is over, and with a frame so are those that nobody has shown.
    assertRefused(answer(first.another(), hello("owner", session)), ErrorCode.RESUME_REJECTED);
    third.feed(array(1));
    breaks(third);
    for (SessionOffer used : List.of(owners, unread)) {
      assertRefused(answer(first.another(), hello("owner", used)), ErrorCode.RESUME_REJECTED);
    }
    assertThat(welcomed(first.another(), hello("owner", last)).id()).isEqualTo(session.id());
  }

  /** A frame shows that the peer has read the welcome before it, and no later one. */
  @Test
  void aFrameConfirmsTheTokenOfItsOwnConnection() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    breaks(first);
    EngineBench second = first.another();
    SessionOffer owners = welcomed(second, hello("owner", session));
    second.feed(array(1));
    assertRefused(answer(first.another(), hello("owner", session)), ErrorCode.RESUME_REJECTED);
    breaks(second);
    assertThat(welcomed(first.another(), hello("owner", owners)).id()).isEqualTo(session.id());
  }

  /** So many that nobody has confirmed are good; others were repeated too often to be honest. */
  @Test
  void theLastFourTokensThatNobodyHasConfirmedAreGood() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    breaks(first);
    List<SessionOffer> given = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      EngineBench again = first.another();
      given.add(welcomed(again, hello("owner", session)));
      breaks(again);
    }
    assertRefused(answer(first.another(), hello("owner", given.get(0))), ErrorCode.RESUME_REJECTED);
    assertThat(welcomed(first.another(), hello("owner", given.get(1))).id())
        .isEqualTo(session.id());
  }

  @Test
  void aThiefEndsNoConnection() throws Exception {
    EngineBench first = EngineBench.acceptor(named());
    SessionOffer session = welcomed(first, hello("owner", NEW));
    first.feed(array(1));
    for (byte[] token : List.of(session.token(), WRONG)) {
      assertRefused(
          answer(first.another(), hello("thief", with(session, token))), ErrorCode.RESUME_REJECTED);
      assertThat(first.linkClosed).isFalse();
    }
    first.feed(array(2));
    assertThat(first.handler.arrays).hasSize(2);
    assertThat(first.connection.isOpen()).isTrue();
  }

  /** Before anything else is looked at: encodings, sessions, tokens of sessions. */
  @Test
  void aRefusedPeerLearnsNothingElse() throws Exception {
    for (TransportOptions.Builder options :
        List.of(named(), options().authToken("sesame".getBytes(UTF_8)))) {
      boolean byName = options.build().authenticator() != null;
      String right = byName ? "owner" : "sesame";
      String wrong = byName ? "" : "guess";
      EngineBench first = EngineBench.acceptor(options);
      SessionOffer session = welcomed(first, hello(right, NEW));
      byte[] expected = answer(first.another(), hello(wrong, SessionOffer.NONE));
      assertRefused(expected, ErrorCode.AUTHENTICATION_FAILED);
      List<byte[]> hellos =
          List.of(
              hello(wrong, NEW),
              hello(wrong, session),
              hello(wrong, with(session, WRONG)),
              hello(wrong, new SessionOffer(60_000, WRONG, session.token())),
              hello(wrong, new SessionOffer(0, session.id(), session.token())),
              hello(wrong, session, Map.of(200, "unheard-of")));
      for (byte[] each : hellos) {
        assertThat(answer(first.another(), each)).isEqualTo(expected);
      }
      breaks(first);
      assertThat(welcomed(first.another(), hello(right, session)).id()).isEqualTo(session.id());
    }
  }
}
