package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.Envelopes;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests and replies, frame by frame. */
class EngineRequestTest {
  private static final int WINDOW = 64 << 10;

  /** Keeps what it has to answer. */
  private static final class Replier extends EngineBench.Recorder implements RequestHandler {
    @Override
    Handlers handlers() {
      return super.handlers().withRequests(this);
    }

    final List<ReceivedArray> requests = new ArrayList<>();
    final List<Reply> replies = new ArrayList<>();
    @Nullable Exception thrown;

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply)
        throws Exception {
      requests.add(request);
      replies.add(reply);
      if (thrown != null) {
        throw thrown;
      }
    }
  }

  private final Replier replier = new Replier();

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED).chunkBytes(1024).inboxBytes(WINDOW);
  }

  private static Offer peer() {
    return EngineBench.offer(new FlowOffer(8, WINDOW, 1 << 20, 0, 64));
  }

  private static EngineBench requester() {
    return requester(options());
  }

  private static EngineBench requester(TransportOptions.Builder options) {
    return EngineBench.acceptor(options).open(peer());
  }

  private EngineBench answering() {
    return answering(options());
  }

  private EngineBench answering(TransportOptions.Builder options) {
    return EngineBench.acceptor(options, replier).open(peer());
  }

  private static CompletableFuture<ReceivedArray> request(EngineBench bench, int... elements) {
    return request(bench, RequestOptions.defaults(), elements);
  }

  private static CompletableFuture<ReceivedArray> request(
      EngineBench bench, RequestOptions options, int... elements) {
    CompletableFuture<ReceivedArray> stage =
        bench.connection.request(ArraySlice.of(elements), options).toCompletableFuture();
    bench.pump();
    return stage;
  }

  private static RawFrame enveloped(long sequence, ArrayEnvelope envelope, int... elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(elements))
        .withAttributes(AttributesBody.write(envelope));
  }

  private static RawFrame plain(long sequence, int... elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(elements));
  }

  private static RawFrame reply(long sequence, long number, int... elements) {
    return enveloped(sequence, ArrayEnvelope.reply(ArrayAttributes.NONE, number, null), elements);
  }

  private static RawFrame fault(long sequence, long number, int... elements) {
    RemoteErrorException fault = new RemoteErrorException(ErrorCode.REQUEST_FAILED, "no luck");
    return enveloped(sequence, ArrayEnvelope.reply(ArrayAttributes.NONE, number, fault), elements);
  }

  private static RawFrame request(long sequence, long number, int... elements) {
    return enveloped(sequence, ArrayEnvelope.request(ArrayAttributes.NONE, number), elements);
  }

  private static RawFrame cancel(long number) {
    return RawFrame.control(FrameType.CANCEL, 0).with(header -> header.tag = number);
  }

  private static ArrayEnvelope envelope(RawFrame frame) {
    try {
      return Envelopes.read(frame.header().tag, frame.attributes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it has completed with; waits for nothing. */
  private static ReceivedArray answer(CompletableFuture<ReceivedArray> stage) {
    assertThat(stage).isCompleted();
    return stage.join();
  }

  private static Throwable failure(CompletableFuture<?> stage) {
    assertThat(stage).isDone();
    try {
      throw new AssertionError("should have failed: " + stage.get());
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** How far the other side's arrays of channel 0 are acknowledged in frames. */
  private static long acknowledged(List<RawFrame> frames) {
    long most = 0;
    for (RawFrame frame : frames) {
      if (frame.type() == FrameType.ACK) {
        most = Math.max(most, frame.header().sequence);
      } else if (frame.header().has(FrameLayout.FLAG_ACKNOWLEDGES)) {
        most = Math.max(most, frame.header().acknowledged);
      }
    }
    return most;
  }

  private static List<FrameType> types(EngineBench bench) {
    return bench.frames().stream().map(RawFrame::type).toList();
  }

  private static void assertNothingIsLeft(EngineBench bench) {
    bench.connection.closeNow();
    bench.pump();
    bench.assertEnded(null);
    assertThat(bench.connection.describe()).doesNotContain("openRequests");
  }

  // Asking.

  @Test
  void repliesComeInAnyOrderAndToNobodyElse() {
    EngineBench bench = requester();
    List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      stages.add(request(bench, i));
    }
    assertThat(bench.frames())
        .extracting(frame -> envelope(frame).request())
        .containsExactly(1L, 2L, 3L);
    bench.feed(reply(1, 3, 30), reply(2, 1, 10));
    assertThat(acknowledged(bench.frames())).isEqualTo(2);
    assertThat(stages).extracting(CompletableFuture::isDone).containsExactly(true, false, true);
    bench.feed(reply(3, 2, 20));
    for (int i = 0; i < 3; i++) {
      assertThat(answer(stages.get(i)).ints()).containsExactly(10 * (i + 1));
    }
    assertThat(bench.handler.arrays).isEmpty();
    assertNothingIsLeft(bench);
  }

  @Test
  void aReplyOvertakesAHandlerAndIsAcknowledgedInItsTurn() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.frames();
    bench.holdTasks = true;
    bench.feed(plain(1, 7), reply(2, 1, 8), plain(3, 9));
    assertThat(acknowledged(bench.frames())).isZero();
    bench.holdTasks = false;
    bench.tasks.addLast(bench.tasks.removeFirst()); // The reply's completion first.
    bench.tasks.removeFirst().run();
    assertThat(answer(stage).ints()).containsExactly(8);
    assertThat(bench.handler.arrays).isEmpty();
    bench.pump();
    assertThat(acknowledged(bench.frames())).isEqualTo(3);
    assertThat(bench.handler.arrays).hasSize(2);
  }

  @Test
  void aReplyIsForNoReceiver() {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer());
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    Running<ReceivedArray> receive = Running.start(bench.connection::receive);
    Eventually.until(
        "somebody waits", () -> bench.connection.describe().contains("waitingReceivers=1"));
    bench.feed(reply(1, 1, 5));
    assertThat(answer(stage).ints()).containsExactly(5);
    assertThat(receive.isDone()).isFalse();
    bench.connection.closeNow();
  }

  @Test
  void aFaultFailsTheRequestAlone() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.feed(fault(1, 1));
    assertThat(failure(stage))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContaining("no luck")
        .hasMessageContaining("request=1");
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void aReplyIsPutIntoItsTargetIfItFits() {
    EngineBench bench = requester();
    int[] target = {9, 9, 9, 9};
    RequestOptions into = RequestOptions.defaults().target(ArraySlice.of(target, 1, 2));
    CompletableFuture<ReceivedArray> stage = request(bench, into, 1);
    bench.feed(reply(1, 1, 5, 6));
    assertThat(answer(stage).slice().array()).isSameAs(target);
    assertThat(answer(stage).ints()).containsExactly(5, 6);
    assertThat(target).containsExactly(9, 5, 6, 9);
    stage = request(bench, into, 1);
    bench.feed(reply(2, 2, 1, 2, 3));
    assertThat(failure(stage))
        .isInstanceOf(TargetMismatchException.class)
        .hasMessageContaining("count=3, room=2");
    assertThat(target).containsExactly(9, 5, 6, 9);
    stage = request(bench, RequestOptions.defaults().target(ArraySlice.of(new float[9])), 1);
    bench.feed(reply(3, 3, 1));
    assertThat(failure(stage)).hasMessageContaining("replyType=int, targetType=float");
    bench.frames();
    bench.feed(plain(4, 1));
    assertThat(acknowledged(bench.frames())).isEqualTo(4);
    assertNothingIsLeft(bench);
  }

  @Test
  void aRequestHasItsTime() {
    EngineBench bench = requester(options().requestTimeout(Duration.ofSeconds(3)));
    CompletableFuture<ReceivedArray> first = request(bench, 1);
    CompletableFuture<ReceivedArray> second =
        request(bench, RequestOptions.defaults().timeout(Duration.ofSeconds(2)), 1);
    bench.frames();
    bench.clock.advance(Duration.ofSeconds(2));
    bench.pump();
    assertThat(bench.frame(FrameType.CANCEL).header().tag).isEqualTo(2);
    assertThat(failure(second))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("request=2, timeout=PT2S");
    assertThat(first).isNotDone();
    // A reply that crosses the cancellation is dropped.
    bench.feed(reply(1, 2, 1), reply(2, 1, 2));
    assertThat(acknowledged(bench.frames())).isEqualTo(2);
    assertThat(answer(first).ints()).containsExactly(2);
    bench.clock.advance(Duration.ofSeconds(9));
    bench.pump();
    assertThat(types(bench)).doesNotContain(FrameType.CANCEL);
  }

  @Test
  void aRequestThatIsLateSaysWhatIsKnownOfIt() {
    Duration time = Duration.ofSeconds(3);
    EngineBench bench = requester(options().requestTimeout(time));
    CompletableFuture<ReceivedArray> acknowledged = request(bench, 1);
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    CompletableFuture<ReceivedArray> whole = request(bench, 2);
    CompletableFuture<ReceivedArray> large = request(bench, new int[WINDOW]);
    bench.clock.advance(time);
    bench.pump();
    assertThat(failure(acknowledged))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("the far handler has returned without an answer");
    assertThat(failure(whole))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("it has left whole, and the far handler has not returned");
    assertThat(failure(large))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("it has not left whole, and waited for the peer to receive");
  }

  @Test
  void aRequestThatAHandlerLeavesOpenIsSpokenOfAndThenRefused() {
    Duration half = Duration.ofSeconds(10);
    EngineBench bench = answering(options().requestTimeout(half.multipliedBy(2)));
    try (RecordedLog log = new RecordedLog()) {
      bench.feed(request(1, 1, 5), request(2, 2, 6));
      replier.replies.get(1).send(ArraySlice.of(new int[] {7}), SendOptions.handedOff());
      bench.pump();
      bench.frames();
      bench.clock.advance(half);
      assertThat(log.with("returned without answering"))
          .singleElement()
          .asString()
          .contains("nobody has answered for PT10S", "request=1, channel=0", "peer=");
      assertThat(types(bench)).isEmpty();
      bench.clock.advance(half);
      bench.pump();
      assertThat(log.with("a request was refused: the handler returned without answering"))
          .hasSize(1);
      ArrayEnvelope answer = envelope(bench.frame(FrameType.ARRAY));
      assertThat(answer.reply()).isEqualTo(1);
      assertThat(String.valueOf(answer.fault())).contains("nobody answered within requestTimeout");
    }
    assertThatThrownBy(() -> replier.replies.get(0).fail("late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("answered before");
    bench.clock.advance(half.multipliedBy(9));
    bench.pump();
    assertThat(types(bench)).doesNotContain(FrameType.ARRAY);
  }

  /** Long before its time is over, which goes on only when the test says so. */
  @Test
  void aReplyThatIsDroppedIsRefusedOnceTheCollectorFindsIt() {
    EngineBench bench = answering();
    try (RecordedLog log = new RecordedLog()) {
      bench.feed(request(1, 1, 5), request(2, 2, 6));
      bench.frames();
      Reply kept = replier.replies.get(1);
      replier.replies.clear();
      List<RawFrame> answers = new ArrayList<>();
      Eventually.until(
          "the collector finds the reply",
          () -> {
            System.gc();
            bench.pump();
            answers.addAll(bench.frames());
            return !answers.isEmpty();
          });
      assertThat(answers).extracting(RawFrame::type).containsExactly(FrameType.ARRAY);
      ArrayEnvelope answer = envelope(answers.get(0));
      assertThat(answer.reply()).isEqualTo(1);
      assertThat(String.valueOf(answer.fault()))
          .contains("the handler returned without answering; its Reply was dropped")
          .contains("request=1, channel=0, requestTimeout=PT30S");
      // By the thread that heard of it from the collector, behind the answer.
      String refused = "a request was refused: the handler returned without answering; its";
      Eventually.until("it is logged", () -> !log.with(refused).isEmpty());
      assertThat(log.with(refused)).singleElement().asString().contains("peer=");
      kept.fail("no");
      bench.pump();
      assertThat(envelope(bench.frame(FrameType.ARRAY)).reply()).isEqualTo(2);
    }
    assertNothingIsLeft(bench);
  }

  @Test
  void whatHasNotLeftIsWithdrawnWithoutAWord() {
    EngineBench bench = requester();
    bench.writable = 0;
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    // The batch is made when it is asked for, so only the second has not begun.
    CompletableFuture<ReceivedArray> behind = request(bench, new int[2000]);
    assertThat(behind.cancel(true)).isTrue();
    assertThat(stage.cancel(true)).isTrue();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(types(bench)).isEmpty();
    assertNothingIsLeft(bench);
  }

  @Test
  void whatHasLeftInPartIsAborted() {
    EngineBench bench = requester();
    int[] elements = new int[WINDOW];
    CompletableFuture<ReceivedArray> stage = request(bench, elements);
    bench.frames();
    stage.cancel(true);
    Arrays.fill(elements, 7);
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.ABORT);
    assertNothingIsLeft(bench);
  }

  @Test
  void whateverCompletesTheStageCancelsTheRequest() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.frames();
    stage.completeExceptionally(new IllegalStateException("enough"));
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.CANCEL);
    stage.cancel(true);
    bench.pump();
    assertThat(types(bench)).isEmpty();
  }

  @Test
  void theTargetIsTheCallersAgainInTheMiddleOfTheReply() {
    EngineBench bench = requester();
    int[] target = new int[600];
    CompletableFuture<ReceivedArray> stage =
        request(bench, RequestOptions.defaults().target(ArraySlice.of(target)), 1);
    int[] ones = new int[600];
    Arrays.fill(ones, 1);
    byte[] payload = RawFrame.payload(Encoding.RAW_LITTLE_ENDIAN, ArraySlice.of(ones));
    RawFrame first = reply(1, 1, ones).withPayload(Arrays.copyOf(payload, 1000));
    bench.feed(first);
    assertThat(target[249]).isOne();
    stage.cancel(true);
    Arrays.fill(target, 7);
    bench.frames();
    bench.feed(RawFrame.chunk(first, 250, Arrays.copyOfRange(payload, 1000, 2400)));
    assertThat(target).containsOnly(7);
    assertThat(acknowledged(bench.frames())).isEqualTo(1);
    assertNothingIsLeft(bench);
  }

  @Test
  void aReplyThatIsWithdrawnMayBeGivenAgain() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    RawFrame first = reply(1, 1, new int[600]).withPayload(new byte[1000]);
    bench.feed(first).feed(RawFrame.control(FrameType.ABORT, 1));
    assertThat(stage).isNotDone();
    bench.feed(reply(2, 1, 4));
    assertThat(answer(stage).ints()).containsExactly(4);
  }

  @Test
  void aSecondReplyIsDropped() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.frames();
    RawFrame first = reply(1, 1, new int[600]).withPayload(new byte[1200]);
    RawFrame second = reply(1, 1, 5).with(header -> header.channel = 1);
    bench.feed(first).feed(second).feed(RawFrame.chunk(first, 300, new byte[1200]));
    bench.feed(reply(2, 1, 6));
    assertThat(answer(stage).ints()).hasSize(600);
    assertThat(bench.handler.arrays).isEmpty();
    assertThat(bench.frames())
        .filteredOn(frame -> frame.type() == FrameType.ACK)
        .extracting(frame -> frame.header().channel, frame -> frame.header().sequence)
        .contains(
            org.assertj.core.groups.Tuple.tuple(1, 1L), org.assertj.core.groups.Tuple.tuple(0, 2L));
  }

  @Test
  void onlySoManyRequestsAreMade() {
    EngineBench bench = requester(options().maxOpenRequests(2));
    CompletableFuture<ReceivedArray> first = request(bench, 1);
    request(bench, 1);
    assertThat(failure(request(bench, 1)))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_REQUESTS::isOf)
        .hasMessageContaining("openRequests=2, maxOpenRequests=2");
    first.cancel(true);
    assertThat(request(bench, 1)).isNotDone();
  }

  @Test
  void aRefusedRequestFailsWithWhatThePeerSays() {
    EngineBench bench = requester();
    List<CompletableFuture<ReceivedArray>> stages =
        List.of(request(bench, 1), request(bench, 1), request(bench, 1));
    ErrorCode[] codes = {
      ErrorCode.REJECTED, ErrorCode.TOO_MANY_REQUESTS, ErrorCode.CONNECTION_CLOSED
    };
    for (int i = 0; i < 3; i++) {
      byte[] body = FaultBody.write(new RemoteErrorException(codes[i], "not so " + i));
      bench.feed(RawFrame.control(FrameType.REJECTED, i + 1, body));
    }
    assertThat(failure(stages.get(0)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("not so 0");
    assertThat(failure(stages.get(1)))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_REQUESTS::isOf)
        .hasMessageContaining("not so 1");
    assertThat(failure(stages.get(2))).isInstanceOf(ConnectionClosedException.class);
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void theEndOfTheConnectionFailsWhatIsOpen() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    List<Throwable> ends = new ArrayList<>();
    stage.whenComplete((reply, thrown) -> ends.add(thrown));
    bench.end();
    assertThat(failure(stage))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf);
    assertThat(ends).hasSize(1);
    bench.assertFailed(ErrorCode.CONNECTION_RESET);
    assertThat(failure(request(bench, 1)))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf);
  }

  @Test
  void aGoodbyeFailsWhatIsOpen() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.feed(RawFrame.control(FrameType.ACK, 1), RawFrame.control(FrameType.GOODBYE, 0));
    assertThat(failure(stage))
        .as("the far handler has had it")
        .isInstanceOf(ConnectionLostException.class)
        .hasMessageContaining("before the request was answered")
        .hasMessageContaining("by the peer");
    assertThat(types(bench)).contains(FrameType.GOODBYE);
    bench.end().assertEnded(null);
  }

  /** A peer acknowledges all that it took before it says goodbye. */
  @Test
  void aGoodbyeWithoutAnAcknowledgementRefusesWhatIsOpen() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0));
    assertThat(failure(stage))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("by the peer");
  }

  @Test
  void closingAtOnceLeavesInDoubtWhatHadLeft() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.connection.closeNow();
    bench.pump();
    assertThat(failure(stage))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf)
        .hasMessageContaining("closed here");
  }

  @Test
  void closingAtOnceTakesBackWhatHadNotLeft() {
    EngineBench bench = requester();
    bench.writable = 1000;
    CompletableFuture<ReceivedArray> stage = request(bench, new int[1_000_000]);
    bench.connection.closeNow();
    bench.pump();
    assertThat(failure(stage)).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void closingWaitsForTheReply() {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer());
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    CompletableFuture<ReceivedArray> other = request(bench, 2);
    bench.feed(RawFrame.control(FrameType.ACK, 2));
    int[] ones = new int[600];
    Arrays.fill(ones, 1);
    byte[] payload = RawFrame.payload(Encoding.RAW_LITTLE_ENDIAN, ArraySlice.of(ones));
    RawFrame first = reply(1, 1, ones).withPayload(Arrays.copyOf(payload, 1000));
    bench.feed(first);
    Running<@Nullable Void> close =
        Running.start(() -> {
          bench.connection.close();
          return null;
        });
    Eventually.until("it closes", () -> bench.connection.describe().contains("closing"));
    // Only once it waits it has made up its mind about the GOODBYE.
    Eventually.until("it waits", () -> close.thread().getState() == Thread.State.TIMED_WAITING);
    bench.pump();
    assertThat(types(bench)).doesNotContain(FrameType.GOODBYE);
    assertThat(failure(request(bench, 3))).isInstanceOf(ConnectionClosedException.class);
    bench.feed(RawFrame.chunk(first, 250, Arrays.copyOfRange(payload, 1000, 2400)));
    assertThat(answer(stage).ints()).containsOnly(1);
    assertThat(types(bench)).doesNotContain(FrameType.GOODBYE);
    other.cancel(true);
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.CANCEL, FrameType.GOODBYE);
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0)).end();
    assertThat(close.isDone() || bench.isEnded()).isTrue();
  }

  @Test
  void closingSaysThatAReplyIsMissing() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().closeTimeout(Duration.ofMillis(50)))
            .open(peer());
    CompletableFuture<ReceivedArray> stage = request(bench, 1);
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    assertThat(bench.failureOfClosing())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.CLOSE_TIMEOUT::isOf)
        .hasMessageContaining("not every request was answered in time")
        .hasMessageContaining("openRequests=1");
    bench.pump();
    assertThat(failure(stage))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.CLOSE_TIMEOUT::isOf);
    bench.assertNothingLeaks();
  }

  // Answering.

  @Test
  void answersGoOutInAnyOrder() {
    EngineBench bench = answering();
    bench.feed(request(1, 11, 1), request(2, 22, 2), plain(3, 3));
    assertThat(replier.requests).extracting(array -> array.ints()[0]).containsExactly(1, 2);
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(acknowledged(bench.frames())).isEqualTo(3);
    replier.replies.get(1).send(ArraySlice.of(new int[] {20}));
    replier.replies.get(0).fail("no such thing");
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames).extracting(frame -> envelope(frame).reply()).containsExactly(22L, 11L);
    assertThat(frames.get(1).header().count).isZero();
    assertThat(envelope(frames.get(1)).fault())
        .hasMessageContaining("no such thing")
        .extracting(RemoteErrorException::code)
        .isEqualTo(ErrorCode.REQUEST_FAILED);
    assertThat(replier.replies.get(0).channel()).isSameAs(bench.connection.channel(0));
    for (Reply each : replier.replies) {
      assertThatThrownBy(() -> each.send(ArraySlice.of(new int[1])))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("answered before");
      assertThatThrownBy(() -> each.fail("again")).isInstanceOf(IllegalStateException.class);
    }
    bench.feed(RawFrame.control(FrameType.ACK, 2));
    assertNothingIsLeft(bench);
  }

  @Test
  void aHandlerThatThrowsRefusesTheRequest() {
    EngineBench bench = answering();
    replier.thrown = new IOException("disk full");
    bench.feed(request(1, 1, 1));
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(RawFrame::type)
        .containsExactly(FrameType.REJECTED, FrameType.ACK);
    assertThat(EngineBench.fault(frames.get(0), ErrorCode.REJECTED)).contains("disk full");
    assertThatThrownBy(() -> replier.replies.get(0).fail("late"))
        .isInstanceOf(IllegalStateException.class);
    assertNothingIsLeft(bench);
  }

  @ParameterizedTest
  @EnumSource
  void withoutARequestHandlerRequestsAreRefused(Who who) {
    EngineBench bench =
        switch (who) {
          case HANDLER -> requester();
          case TARGETING ->
              EngineBench.acceptor(options(), new EngineBench.TargetingRecorder()).open(peer());
          case NOBODY -> EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer());
        };
    bench.feed(request(1, 1, 1, 2, 3));
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(RawFrame::type)
        .containsExactly(FrameType.REJECTED, FrameType.ACK);
    assertThat(EngineBench.fault(frames.get(0), ErrorCode.REJECTED))
        .contains("there is no request handler");
    assertThat(bench.handler.arrays).isEmpty();
    assertThat(bench.connection.describe()).contains("waitingArrays=0");
  }

  enum Who {
    HANDLER,
    TARGETING,
    NOBODY
  }

  @Test
  void aRefusalIsAcknowledgedBehindWhatWaitsItsTurn() {
    EngineBench bench = requester();
    bench.holdTasks = true;
    bench.feed(plain(1, 1), request(2, 1, 1));
    assertThat(types(bench)).containsExactly(FrameType.REJECTED);
    bench.holdTasks = false;
    bench.pump();
    assertThat(acknowledged(bench.frames())).isEqualTo(2);
  }

  @Test
  void onlySoManyRequestsAreTaken() {
    EngineBench bench = answering(options().maxOpenRequests(2));
    bench.feed(request(1, 1, 1), request(2, 2, 2), request(3, 3, 3));
    assertThat(EngineBench.fault(bench.frame(FrameType.REJECTED), ErrorCode.TOO_MANY_REQUESTS))
        .contains("maxOpenRequests=2");
    assertThat(replier.requests).hasSize(2);
    bench.feed(cancel(1)).feed(request(4, 4, 4));
    assertThat(replier.requests).hasSize(3);
  }

  /** Answers are no open requests any more, and would pile up before a peer that does not read. */
  @Test
  void onlySoManyAnswersWaitForAPeerThatDoesNotRead() {
    EngineBench bench = answering(options().maxOpenRequests(2).sendQueueBytes(1000));
    bench.writable = 0;
    int taken = 0;
    for (int i = 1; i <= 50; i++) {
      bench.feed(request(i, i, 1));
      if (replier.replies.size() > taken) {
        var unused = replier.replies.get(taken++).send(ArraySlice.of(new int[10]));
      }
    }
    // Those that fit the queue, one more, and those that wait.
    assertThat(taken).isBetween(3, 8);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(
            bench.frames().stream()
                .filter(frame -> frame.type() == FrameType.REJECTED)
                .map(frame -> EngineBench.fault(frame, ErrorCode.TOO_MANY_REQUESTS)))
        .hasSize(50 - taken)
        .allMatch(text -> text.contains("waitingAnswers=2, maxOpenRequests=2"));
    bench.feed(request(51, 51, 1));
    assertThat(replier.replies).hasSize(taken + 1);
  }

  @Test
  void aCancelledRequestIsNotAnswered() {
    EngineBench bench = answering();
    bench.feed(request(1, 1, 1));
    bench.frames();
    List<String> told = new ArrayList<>();
    Reply reply = replier.replies.get(0);
    reply.onCancel(() -> told.add("cancelled"));
    assertThat(reply.isCancelled()).isFalse();
    bench.feed(cancel(1));
    assertThat(reply.isCancelled()).isTrue();
    reply.onCancel(() -> told.add("afterwards"));
    bench.pump();
    assertThat(told).containsExactly("cancelled", "afterwards");
    assertThat(reply.send(ArraySlice.of(new int[1])).toCompletableFuture())
        .isCompletedExceptionally()
        .isCancelled();
    assertThatThrownBy(() -> reply.send(ArraySlice.of(new int[1])).toCompletableFuture().join())
        .isInstanceOfAny(IllegalStateException.class, CancellationException.class);
    bench.pump();
    assertThat(types(bench)).isEmpty();
    assertNothingIsLeft(bench);
  }

  @Test
  void aRequestThatIsCancelledBeforeItsTurnIsNotHandled() {
    EngineBench bench = answering();
    bench.holdTasks = true;
    bench.feed(request(1, 1, 1)).feed(cancel(1));
    bench.holdTasks = false;
    bench.pump();
    assertThat(replier.requests).isEmpty();
    assertThat(acknowledged(bench.frames())).isEqualTo(1);
  }

  @Test
  void aRequestThatIsWithdrawnIsForgotten() {
    EngineBench bench = answering();
    RawFrame half = request(1, 1, new int[600]).withPayload(new byte[1000]);
    bench.feed(half).feed(RawFrame.control(FrameType.ABORT, 1));
    bench.feed(request(2, 1, 5));
    assertThat(replier.requests).hasSize(1);
  }

  @Test
  void theEndOfTheConnectionCancelsWhatIsOwed() {
    EngineBench bench = answering();
    bench.feed(request(1, 1, 1));
    List<String> told = new ArrayList<>();
    replier.replies.get(0).onCancel(() -> told.add("cancelled"));
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0));
    assertThat(told).containsExactly("cancelled");
    assertThat(types(bench)).contains(FrameType.GOODBYE);
    bench.end().assertEnded(null);
  }

  @Test
  void everybodyIsToldOfAnEndThoughTheExecutorFails() {
    EngineBench bench = answering();
    bench.feed(request(1, 1, 1));
    List<String> told = new ArrayList<>();
    replier.replies.get(0).onCancel(() -> told.add("cancelled"));
    bench.writable = 0;
    CompletableFuture<?> sent =
        bench
            .connection
            .sendAsync(ArraySlice.of(new int[7]), SendOptions.processed())
            .toCompletableFuture();
    bench.onTask =
        task -> {
          throw new IllegalStateException("for the test");
        };
    bench.wire.failed(new IOException("reset by the test"));
    assertThat(told).containsExactly("cancelled");
    assertThat(sent).isCompletedExceptionally();
    assertThat(bench.linkClosed).isTrue();
  }

  @Test
  void closingWaitsForTheAnswerAndTakesNoMoreRequests() {
    EngineBench bench = answering();
    bench.feed(request(1, 1, 1));
    bench.frames();
    bench.core.beginClose();
    bench.pump();
    bench.feed(request(2, 2, 2));
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(RawFrame::type)
        .containsExactly(FrameType.REJECTED, FrameType.ACK);
    assertThat(EngineBench.fault(frames.get(0), ErrorCode.CONNECTION_CLOSED)).isNotEmpty();
    replier.replies.get(0).send(ArraySlice.of(new int[1]), SendOptions.processed());
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.ARRAY);
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    assertThat(types(bench)).containsExactly(FrameType.GOODBYE);
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0)).end().assertEnded(null);
  }

  // What a hostile peer may try.

  private static void assertViolation(EngineBench bench, String words, RawFrame... frames) {
    for (RawFrame frame : frames) {
      bench.feed(frame);
    }
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains(words);
    bench.assertNothingLeaks();
  }

  @Test
  void aReplyToARequestThatWasNotMadeEndsTheConnection() {
    assertViolation(requester(), "reply=1, lastRequest=0", reply(1, 1, 1));
    EngineBench bench = requester();
    request(bench, 1);
    assertViolation(bench, "reply=2, lastRequest=1", reply(1, 2, 1));
  }

  @Test
  void aReplyToARequestThatHasNotLeftEndsTheConnection() {
    EngineBench bench = requester();
    CompletableFuture<ReceivedArray> stage = request(bench, new int[WINDOW]);
    assertViolation(bench, "reply=1", reply(1, 1, 1));
    assertThat(stage).isCompletedExceptionally();
  }

  @Test
  void theNumberOfAnOpenRequestIsNotUsedAgain() {
    assertViolation(answering(), "request=5", request(1, 5, 1), request(2, 5, 1));
    assertThat(replier.requests).hasSize(1);
  }

  @Test
  void onlyWhatCameIsCancelledAndOnce() {
    assertViolation(answering(), "request=1, highestRequest=0", cancel(1));
    assertViolation(answering(), "request=6, highestRequest=5", request(1, 5, 1), cancel(6));
    assertViolation(answering(), "request=0", request(1, 5, 1), cancel(0));
    assertViolation(answering(), "request=5", request(1, 5, 1), cancel(5), cancel(5));
    // One that crosses the answer has no effect.
    EngineBench bench = answering();
    bench.feed(request(1, 1, 1));
    replier.replies.get(replier.replies.size() - 1).fail("no");
    bench.feed(cancel(1));
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void envelopesThatContradictThemselvesEndTheConnection() {
    EngineBench bench = requester();
    request(bench, 1);
    assertViolation(bench, "count=1", fault(1, 1, 9));
    RemoteErrorException fault = new RemoteErrorException(ErrorCode.REQUEST_FAILED, "no");
    assertViolation(
        requester(),
        "reply=0",
        enveloped(1, new ArrayEnvelope(ArrayAttributes.NONE, 0, 1, 0, fault)));
    assertViolation(
        requester(),
        "request=1, reply=1",
        enveloped(1, new ArrayEnvelope(ArrayAttributes.NONE, 0, 1, 1, null), 1));
    bench = requester();
    bench.feed(request(1, -1, 1));
    assertThat(bench.error(ErrorCode.MALFORMED_PAYLOAD)).contains("request=18446744073709551615");
  }
}
