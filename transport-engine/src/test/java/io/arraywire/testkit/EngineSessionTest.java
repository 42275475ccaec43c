package io.arraywire.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.testkit.EngineBench.Recorder;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.SessionOffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions at the accepting side, frame by frame, with peers that may mean no good. */
class EngineSessionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED).sessionTimeout(TIMEOUT);
  }

  private static Offer peer() {
    return EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 0, 64));
  }

  private static byte[] hello(long millis, byte[] id, byte[] token) {
    return EngineBench.preambled(
        HandshakeMessage.hello(peer(), new SessionOffer(millis, id, token)));
  }

  private static byte[] hello(SessionOffer resumed) {
    return hello(60_000, resumed.id(), resumed.token());
  }

  private static byte[] newSession() {
    return hello(60_000, new byte[0], new byte[0]);
  }

  /** What the bench says first. */
  private static HandshakeMessage answer(EngineBench bench) throws IOException {
    HandshakeMessage answer = EngineBench.handshakeIn(bench.outBytes());
    bench.out.reset();
    return answer;
  }

  private static SessionOffer welcomed(EngineBench bench) throws IOException {
    HandshakeMessage answer = answer(bench);
    assertThat(answer.kind()).isEqualTo(HandshakeMessage.Kind.WELCOME);
    return answer.session();
  }

  private static void assertRefused(EngineBench bench, String words) throws IOException {
    HandshakeMessage answer = answer(bench);
    assertThat(answer.fault())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThat(answer.fault()).hasMessageContaining(words);
  }

  /** An array of a session. */
  private static RawFrame array(long frameSequence, long sessionSequence) {
    byte[] attributes = AttributesBody.write(ArrayEnvelope.NONE.inSession(sessionSequence));
    return RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN,
            frameSequence,
            ArraySlice.of(new int[] {(int) sessionSequence}))
        .withAttributes(attributes);
  }

  private static List<Integer> numbers(Recorder handler) {
    return handler.arrays.stream().map(array -> array.ints()[0]).toList();
  }

  /** A break of the connection, as this side sees it. */
  private static void breaks(EngineBench bench) {
    bench.wire.failed(new IOException("wire cut"));
    bench.pump();
  }

  @Test
  void aResumeWithoutATimeIsToldSo() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(bench);
    byte[] hello = hello(0, session.id(), session.token());
    assertRefused(bench.another().feed(hello), "session_millis=0");
    assertRefused(
        EngineBench.acceptor(options().sessionTimeout(null)).feed(hello), "sessionTimeout=none");
    // The session is still there.
    assertThat(welcomed(bench.another().feed(hello(session))).id()).isEqualTo(session.id());
  }

  @Test
  void aNewSessionHasANameATokenAndTheShorterTime() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(bench);
    assertThat(session.id()).hasSize(16);
    assertThat(session.token()).hasSize(16);
    assertThat(session.millis()).isEqualTo(TIMEOUT.toMillis());
    assertThat(bench.connection.agreement().sessionTimeout()).isEqualTo(TIMEOUT);
    assertThat(bench.core.userConnection()).isNotSameAs(bench.connection);
    assertThat(bench.core.isResumed()).isFalse();

    EngineBench other = bench.another().feed(hello(5000, new byte[0], new byte[0]));
    SessionOffer brief = welcomed(other);
    assertThat(brief.millis()).isEqualTo(5000);
    assertThat(brief.id()).isNotEqualTo(session.id());
    assertThat(brief.token()).isNotEqualTo(session.token());
  }

  @Test
  void anArrayOfASessionIsNotARequest() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).feed(newSession());
    assertThat(welcomed(bench).id()).hasSize(16);
    byte[] both = AttributesBody.write(ArrayEnvelope.request(ArrayAttributes.NONE, 1).inSession(1));
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1]))
            .withAttributes(both));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION))
        .contains("an array has attributes that exclude each other, or those of another channel");
  }

  @Test
  void withoutAWishOrAnOfferThereIsNoSession() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).open(peer());
    assertThat(bench.connection.agreement().sessionTimeout()).isNull();
    assertThat(bench.core.userConnection()).isSameAs(bench.connection);

    EngineBench without =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED))
            .feed(newSession());
    assertThat(welcomed(without).isNamed()).isFalse();
    assertThat(without.connection.agreement().sessionTimeout()).isNull();
  }

  @Test
  void whatWasHandedOutIsNotHandedOutAgain() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    first.feed(array(1, 1), array(2, 2));
    breaks(first);
    assertThat(numbers(first.handler)).containsExactly(1, 2);

    EngineBench second = first.another().feed(hello(session));
    assertThat(welcomed(second).id()).isEqualTo(session.id());
    assertThat(second.core.isResumed()).isTrue();
    assertThat(second.core.userConnection()).isSameAs(first.core.userConnection());
    second.feed(array(1, 2), array(2, 3));
    first.pump();
    second.pump();
    assertThat(numbers(first.handler)).containsExactly(1, 2, 3);
    assertThat(second.frames())
        .filteredOn(frame -> frame.type() == FrameType.ACK)
        .last()
        .extracting(frame -> frame.header().sequence)
        .isEqualTo(2L);
    assertThat(first.handler.closed).isZero();
  }

  @Test
  void whatWaitedOnTheOldConnectionComesAgainOnTheNew() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    first.holdTasks = true;
    first.feed(array(1, 1), array(2, 2));
    breaks(first);
    EngineBench second = first.another().feed(hello(session), array(1, 1).bytes());
    first.holdTasks = false;
    first.pump();
    second.feed(array(2, 2));
    first.pump();
    assertThat(numbers(first.handler)).containsExactly(1, 2);
  }

  @Test
  void aTokenIsGoodOnce() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    breaks(first);
    EngineBench second = first.another().feed(hello(session));
    SessionOffer next = welcomed(second);
    assertThat(next.token()).isNotEqualTo(session.token());
    // The welcome may have been lost.
    EngineBench third = first.another().feed(hello(session));
    SessionOffer last = welcomed(third);
    assertThat(second.linkClosed).isTrue();
    // A frame shows that it was not.
    third.feed(array(1, 1));
    assertRefused(first.another().feed(hello(session)), "not known");
    assertRefused(first.another().feed(hello(next)), "not known");
    assertThat(third.connection.isOpen()).isTrue();
    breaks(third);
    assertThat(welcomed(first.another().feed(hello(last))).id()).isEqualTo(session.id());
  }

  @Test
  void strangersGetNoSession() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    byte[] wrong = session.token();
    wrong[15] ^= 1;
    for (byte[] token :
        List.of(wrong, new byte[0], new byte[16], Arrays.copyOf(session.token(), 15))) {
      assertRefused(first.another().feed(hello(60_000, session.id(), token)), "not known");
    }
    assertRefused(
        first.another().feed(hello(60_000, new byte[] {1, 2, 3}, session.token())), "not known");
    assertRefused(
        first.another().feed(hello(60_000, new byte[3000], session.token())), "not known");
    assertRefused(
        first.another().feed(hello(0, session.id(), session.token())), "session_millis=0");
    assertThat(first.connection.isOpen()).isTrue();
    first.feed(array(1, 1));
    assertThat(numbers(first.handler)).containsExactly(1);
  }

  @Test
  void aPeerThatIsFoundAgainReplacesItsOldConnection() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    EngineBench second = first.another().feed(hello(session));
    welcomed(second);
    assertThat(first.linkClosed).isTrue();
    assertThat(first.connection.describe()).contains("goes on over another connection");
    assertThat(second.connection.isOpen()).isTrue();
  }

  @Test
  void aSessionThatIsNotResumedInTimeIsForgotten() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    breaks(first);
    first.clock.advance(TIMEOUT.minusMillis(1));
    first.pump();
    assertThat(first.handler.closed).isZero();
    first.clock.advance(Duration.ofMillis(2));
    first.pump();
    assertThat(first.handler.closed).isEqualTo(1);
    ArraywireException cause = first.handler.cause;
    assertThat(cause)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SESSION_EXPIRED::isOf)
        .hasMessageContaining("sessionTimeout=PT20S")
        .hasMessageContaining("wire cut");
    assertRefused(first.another().feed(hello(session)), "not known");
  }

  /** However the stream ends behind it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPeerThatHasSaidGoodbyeDoesNotComeBack(boolean ordered) throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    first.writable = ordered ? Long.MAX_VALUE : 0;
    first.feed(RawFrame.control(FrameType.GOODBYE, 0));
    if (ordered) {
      first.end();
    } else {
      breaks(first);
    }
    assertThat(first.handler.closed).isEqualTo(1);
    assertRefused(first.another().feed(hello(session)), "not known");
  }

  /** A receive call must not ask the broken connection again and again. */
  @Test
  @Timeout(20)
  void aReceiverIsToldOfTheEndWhenConnectingAgainIsOver() throws Exception {
    Connection session =
        brokenAndConnectedAgain(() -> {
          throw new ConnectionClosedException("the transport is closed");
        });
    assertThatThrownBy(session::receive).isInstanceOf(ConnectionClosedException.class);
  }

  /** Callers of the session would wait for ever for a connection that carries it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "another session"})
  @Timeout(20)
  void aListenerThatWelcomesToAnotherSessionOrNoneEndsTheOldOne(String name) throws Exception {
    SessionOffer offered =
        name.isEmpty()
            ? SessionOffer.NONE
            : new SessionOffer(60_000, name.getBytes(UTF_8), name.getBytes(UTF_8));
    Connection session =
        brokenAndConnectedAgain(() ->
            EngineBench.preambled(HandshakeMessage.welcome(peer(), FrameLayout.VERSION, offered)));
    assertThatThrownBy(session::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf)
        .hasMessageContaining(name.isEmpty() ? "with none" : "with another one");
  }

  /** What answers the hello that resumes a session. */
  @FunctionalInterface
  private interface SecondAnswer {
    byte[] get() throws ArraywireException;
  }

  /** The connecting side of a session whose first connection broke. */
  private static Connection brokenAndConnectedAgain(SecondAnswer second) throws Exception {
    EngineBench listener = EngineBench.acceptor(options());
    Engine engine =
        Engine.create(
            "dialling",
            options().handlerExecutor(task -> new Thread(task).start()).build(),
            List.of(),
            TestMemoryPool.create(),
            0,
            new ManualClock());
    AtomicReference<EngineConnection> dialled = new AtomicReference<>();
    Connection session =
        engine.connect(
            (unstarted, most) -> {
              byte[] answer = dialled.get() == null ? null : second.get();
              EngineConnection connection = engine.connection(Role.CONNECTOR, new IdleLink(), null);
              dialled.compareAndSet(null, connection);
              unstarted.accept(connection);
              connection.wire().start();
              byte[] hello = written(connection);
              if (answer == null) {
                listener.feed(hello);
                answer = listener.outBytes();
              }
              Intake unused = connection.wire().input(ByteBuffer.wrap(answer), true);
              connection.awaitOpened();
              return connection;
            },
            null);
    dialled.get().wire().failed(new IOException("wire cut"));
    return session;
  }

  private static byte[] written(EngineConnection connection) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    WireEnd wire = connection.wire();
    for (Output output = wire.output(); output != null; output = wire.output()) {
      long count = 0;
      for (int i = 0; i < output.count(); i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        all.writeBytes(bytes);
        count += bytes.length;
      }
      boolean unused = wire.wrote(count);
    }
    return all.toByteArray();
  }

  /** A channel that the test moves the bytes of. */
  private static final class IdleLink implements Link {
    @Override
    public void wakeWriter() {}

    @Override
    public void resumeReading() {}

    @Override
    public void close() {}

    @Override
    public SocketAddress localAddress() {
      return MemoryAddress.of("dialler");
    }

    @Override
    public SocketAddress remoteAddress() {
      return MemoryAddress.of("listener");
    }
  }

  /** It may have been in the middle of whatever it is that it complains of. */
  @Test
  void aPeerThatReportsAnErrorMayComeBack() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    SessionOffer session = welcomed(first);
    byte[] body = FaultBody.write(new ConnectionLostException(ErrorCode.SLOW_FRAME, "too slow"));
    first.feed(RawFrame.control(FrameType.ERROR, 0, body));
    assertThat(first.linkClosed).isTrue();
    assertThat(first.handler.closed).isZero();
    welcomed(first.another().feed(hello(session)));
  }

  @Test
  void anImpossibleNumberEndsTheConnection() throws Exception {
    EngineBench first = EngineBench.acceptor(options()).feed(newSession());
    welcomed(first);
    first.feed(array(1, -1));
    assertThat(first.error(ErrorCode.MALFORMED_PAYLOAD))
        .contains("sessionSequence=18446744073709551615");
    assertThat(first.handler.arrays).isEmpty();
  }
}
