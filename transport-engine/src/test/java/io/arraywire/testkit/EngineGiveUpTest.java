package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Arrays that no thread waits for, and that make no progress for {@code sendTimeout}: those of
 * {@code sendAsync}, replies, and those of a session. What was offered stays.
 */
class EngineGiveUpTest {
  private static final int WINDOW = EngineStallTest.WINDOW;
  private static final int ALL = 20 << 10;

  /** Eight times the time between two looks. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static final int LOOKS = 8;

  private static TransportOptions.Builder options() {
    return EngineStallTest.options()
        .requestTimeout(Duration.ofHours(1))
        .stallTimeout(Duration.ofHours(1))
        .sendTimeout(LIMIT);
  }

  private static Offer peer(int window) {
    return EngineBench.offer(new FlowOffer(8, window, window == WINDOW ? ALL : window, 0, 64));
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(options()).open(peer(WINDOW));
  }

  private static RawFrame credit(long onChannel) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.tag = onChannel;
          header.count = onChannel + ALL;
        });
  }

  private static CompletableFuture<Receipt> sendAsync(EngineBench bench, int channel, int bytes) {
    CompletableFuture<Receipt> sent =
        bench
            .connection
            .channel(channel)
            .sendAsync(ArraySlice.of(new byte[bytes]), SendOptions.processed())
            .toCompletableFuture();
    bench.pump();
    return sent;
  }

  private static void assertGivenUp(EngineBench bench, CompletionStage<?> sent, boolean begun)
      throws InterruptedException {
    bench.pump();
    assertThat(sent.toCompletableFuture()).isDone();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageStartingWith("the array made no progress for sendTimeout and is withdrawn; it")
        .hasMessageContaining("waited for the peer to receive: nobody at the far end")
        .hasMessageContaining("(sendTimeout=PT10S, begun=" + begun + ", channel=");
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void arraysThatStandStillAreTakenBackAndThePeerIsTold() throws Exception {
    EngineBench bench = bench();
    CompletableFuture<Receipt> large = sendAsync(bench, 0, 3 * WINDOW);
    CompletableFuture<Receipt> behind = sendAsync(bench, 0, 10);
    EngineStallTest.looks(bench, LOOKS);
    assertThat(large).isNotDone();
    assertThat(behind).isNotDone();
    bench.out.reset();
    EngineStallTest.looks(bench, 1);
    assertGivenUp(bench, large, true);
    assertGivenUp(bench, behind, false);
    assertThat(bench.frames())
        .singleElement()
        .extracting(RawFrame::type)
        .isEqualTo(FrameType.ABORT);
    CompletableFuture<Receipt> next = sendAsync(bench, 0, 10);
    bench.feed(credit(10 * WINDOW));
    RawFrame frame = bench.frame(FrameType.ARRAY);
    assertThat(frame.header().sequence).isEqualTo(2);
    bench.feed(RawFrame.control(FrameType.ACK, 2));
    assertThat(next).isCompleted();
  }

  @Test
  void anArrayThatCameLaterHasItsOwnTime() throws Exception {
    EngineBench bench = bench();
    CompletableFuture<Receipt> first = sendAsync(bench, 0, 3 * WINDOW);
    EngineStallTest.looks(bench, 4);
    CompletableFuture<Receipt> later = sendAsync(bench, 0, 3 * WINDOW);
    EngineStallTest.looks(bench, LOOKS - 3);
    assertGivenUp(bench, first, true);
    assertThat(later).isNotDone();
    EngineStallTest.looks(bench, 3);
    assertThat(later).isNotDone();
    EngineStallTest.looks(bench, 1);
    assertGivenUp(bench, later, false);
  }

  @Test
  void channelsThatMoveAndArraysThatAreThereHaveAllTheTime() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> slow = sendAsync(bench, 0, 40 * WINDOW);
    CompletableFuture<Receipt> behind = sendAsync(bench, 0, 10);
    CompletableFuture<Receipt> there = sendAsync(bench, 3, 10);
    for (int i = 1; i <= 10; i++) {
      EngineStallTest.looks(bench, LOOKS - 1);
      bench.feed(credit(WINDOW + i * 1100));
    }
    assertThat(slow).isNotDone();
    assertThat(behind).isNotDone();
    assertThat(there).isNotDone();
  }

  /** A link of a few bytes a second takes long for what is one write of this side. */
  @Test
  void anArrayOfWhichBytesAreWrittenMovesHoweverSlowly() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).open(peer(1 << 20));
    bench.writable = 0;
    CompletableFuture<Receipt> sent = sendAsync(bench, 0, 300 << 10);
    for (int i = 0; i < 10; i++) {
      EngineStallTest.looks(bench, LOOKS - 1);
      bench.writable = 100;
      bench.pump();
    }
    assertThat(sent).isNotDone();
    EngineStallTest.looks(bench, LOOKS + 1);
    bench.pump();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("it waited for the peer's machine to take bytes");
  }

  /** The same for a thread that waits, which looks at its own clock. */
  @Test
  void aSendOfWhichBytesAreWrittenMovesHoweverSlowly() throws Exception {
    Duration limit = Duration.ofSeconds(2);
    EngineBench bench = EngineBench.acceptor(options().sendTimeout(limit)).open(peer(1 << 20));
    bench.writable = 1000;
    bench.writerWoken = false;
    Running<Receipt> sending =
        Running.start(() ->
            bench.connection.send(ArraySlice.of(new byte[300 << 10]), SendOptions.handedOff()));
    Eventually.until("the array is handed in", () -> bench.writerWoken);
    long start = System.nanoTime();
    while (System.nanoTime() - start < limit.multipliedBy(2).toNanos()) {
      bench.pump();
      LockSupport.parkNanos(limit.toNanos() / 100);
      bench.writable = 100;
    }
    assertThat(sending.isDone()).isFalse();
    bench.pump();
    assertThat(sending.failure())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("it waited for the peer's machine to take bytes");
  }

  @Test
  void whatWasOfferedStays() throws Exception {
    EngineBench bench = bench();
    assertThat(bench.connection.offer(ArraySlice.of(new byte[3 * WINDOW])))
        .isEqualTo(OfferStatus.ACCEPTED);
    bench.pump();
    EngineStallTest.looks(bench, 10 * LOOKS);
    assertThat(bench.connection.isOpen()).isTrue();
    bench.feed(credit(10 * WINDOW));
    long bytes = 0;
    for (RawFrame frame : bench.frames()) {
      assertThat(frame.type()).isIn(FrameType.ARRAY, FrameType.CHUNK, FrameType.PONG);
      bytes += frame.payload().length;
    }
    assertThat(bytes).isGreaterThanOrEqualTo(3L * WINDOW);
  }

  /** Keeps what it has to answer. */
  private static final class Replier extends EngineBench.Recorder implements RequestHandler {
    @Override
    Handlers handlers() {
      return super.handlers().withRequests(this);
    }

    final List<Reply> replies = new ArrayList<>();

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
      replies.add(reply);
    }
  }

  @Test
  void aReplyThatStandsStillFails() throws Exception {
    Replier replier = new Replier();
    EngineBench bench = EngineBench.acceptor(options(), replier).open(peer(WINDOW));
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[3]))
            .withAttributes(AttributesBody.write(ArrayEnvelope.request(ArrayAttributes.NONE, 1))));
    CompletionStage<Receipt> answered =
        replier.replies.get(0).send(ArraySlice.of(new byte[3 * WINDOW]));
    bench.pump();
    EngineStallTest.looks(bench, LOOKS);
    assertThat(answered.toCompletableFuture()).isNotDone();
    EngineStallTest.looks(bench, 1);
    assertGivenUp(bench, answered, true);
  }

  // Sessions.

  private static byte[] hello(byte[] id, byte[] token) {
    return EngineBench.preambled(
        HandshakeMessage.hello(peer(WINDOW), new SessionOffer(3_600_000, id, token)));
  }

  private static EngineBench inSession(Duration limit) {
    EngineBench bench =
        EngineBench.withoutHandler(
            Role.ACCEPTOR, options().sendTimeout(limit).sessionTimeout(Duration.ofHours(1)));
    bench.feed(hello(new byte[0], new byte[0]));
    return bench;
  }

  private static CompletableFuture<Receipt> sendInSession(EngineBench bench) {
    CompletableFuture<Receipt> sent =
        bench
            .core
            .userConnection()
            .sendAsync(ArraySlice.of(new byte[3 * WINDOW]), SendOptions.session())
            .toCompletableFuture();
    bench.pump();
    return sent;
  }

  @Test
  void anArrayOfASessionThatStandsStillFails() throws Exception {
    EngineBench bench = inSession(LIMIT);
    CompletableFuture<Receipt> sent = sendInSession(bench);
    EngineStallTest.looks(bench, LOOKS);
    assertThat(sent).isNotDone();
    EngineStallTest.looks(bench, 1);
    assertGivenUp(bench, sent, true);
    assertThat(bench.core.userConnection().describe()).contains("unacknowledgedArrays=0");
  }

  /** A part of it had left over another connection: whether all of it had nobody remembers. */
  @Test
  void anArrayThatHadBegunOverAnEarlierConnectionIsInDoubt() throws Exception {
    EngineBench first = inSession(LIMIT);
    SessionOffer session = EngineBench.handshakeIn(first.outBytes()).session();
    CompletableFuture<Receipt> sent = sendInSession(first);
    first.wire.failed(new IOException("wire cut"));
    first.pump();
    EngineStallTest.looks(first, 10 * LOOKS);
    assertThat(sent).as("it may stand still while there is no connection").isNotDone();
    EngineBench second = first.another().feed(hello(session.id(), session.token()));
    EngineStallTest.looks(first, LOOKS);
    assertThat(sent).isNotDone();
    EngineStallTest.looks(first, 1);
    second.pump();
    first.pump();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageContaining("timeout=PT10S")
        .hasCauseInstanceOf(TimedOutException.class);
  }

  @Test
  void aSendOfASessionThatStandsStillFailsAndSaysWhatItWaitedFor() throws Exception {
    EngineBench bench = inSession(Duration.ofSeconds(1));
    Running<Receipt> sending =
        Running.start(() ->
            bench
                .core
                .userConnection()
                .send(ArraySlice.of(new byte[3 * WINDOW]), SendOptions.session()));
    Eventually.until(
        "it has begun",
        () -> {
          bench.pump();
          return sending.isDone() || bench.connection.describe().contains("waits for credit");
        });
    assertThat(sending.failure())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("it waited for the peer to receive")
        .hasMessageContaining("(sendTimeout=PT1S, begun=true, channel=0");
    bench.pump();
    assertThat(bench.connection.isOpen()).isTrue();
  }
}
