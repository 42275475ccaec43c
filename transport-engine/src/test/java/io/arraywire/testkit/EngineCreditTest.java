package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Channels, credit and bounded queues, frame by frame. */
class EngineCreditTest {
  private static final int WINDOW = 8 << 10;
  private static final int ALL = 20 << 10;

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .chunkBytes(1024)
        .inboxBytes(WINDOW)
        .connectionInboxBytes(ALL);
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(options()).open(peer(WINDOW, ALL));
  }

  private static Offer peer(long onChannel, long onAll) {
    return EngineBench.offer(new FlowOffer(8, onChannel, onAll, 0, 64));
  }

  private static long cost(List<RawFrame> frames) {
    return frames.stream()
        .filter(frame -> frame.type().carriesElements())
        .mapToLong(frame ->
            frame.payload().length + (frame.type() == FrameType.ARRAY ? FrameLayout.ARRAY_COST : 0))
        .sum();
  }

  private static RawFrame credit(int channel, long onChannel, long onAll) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.channel = channel;
          header.tag = onChannel;
          header.count = onAll;
        });
  }

  private static RawFrame array(int channel, long sequence, int bytes) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new byte[bytes]))
        .with(header -> header.channel = channel);
  }

  private static CompletableFuture<Receipt> send(EngineBench bench, int channel, int bytes) {
    CompletableFuture<Receipt> sent =
        bench
            .connection
            .channel(channel)
            .sendAsync(ArraySlice.of(new byte[bytes]), SendOptions.handedOff())
            .toCompletableFuture();
    bench.pump();
    return sent;
  }

  // Sending.

  @Test
  void nothingIsSentBeyondTheCreditOfAChannel() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> sent = send(bench, 0, 3 * WINDOW);
    long cost = cost(bench.frames());
    assertThat(cost).isLessThanOrEqualTo(WINDOW).isGreaterThan(WINDOW / 2);
    assertThat(sent).isNotDone();
    bench.feed(credit(0, WINDOW + 2048, ALL + 2048));
    cost += cost(bench.frames());
    assertThat(cost).isLessThanOrEqualTo(WINDOW + 2048).isGreaterThan(WINDOW);
    bench.feed(credit(0, 4 * WINDOW, 4L * ALL));
    cost += cost(bench.frames());
    assertThat(cost).isEqualTo(3 * WINDOW + FrameLayout.ARRAY_COST);
    assertThat(sent).isCompleted();
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void nothingIsSentBeyondTheCreditOfAllChannels() {
    EngineBench bench = bench();
    List<CompletableFuture<Receipt>> sent = new ArrayList<>();
    for (int channel = 0; channel < 4; channel++) {
      sent.add(send(bench, channel, 7000));
    }
    long cost = cost(bench.frames());
    assertThat(cost).isLessThanOrEqualTo(ALL).isGreaterThan(ALL - 2048);
    assertThat(sent.get(3)).isNotDone();
    // Said on any channel, it holds for all.
    bench.feed(credit(7, WINDOW, 2L * ALL));
    assertThat(cost + cost(bench.frames())).isEqualTo(4 * 7256);
    assertThat(sent).allMatch(CompletableFuture::isDone);
  }

  @Test
  void anArrayThatFitsIntoTheRestOfTheCreditIsSent() {
    EngineBench bench = bench();
    assertThat(send(bench, 0, WINDOW - 1024)).isCompleted();
    assertThat(send(bench, 0, 1024 - 2 * FrameLayout.ARRAY_COST)).isCompleted();
    assertThat(cost(bench.frames())).isEqualTo(WINDOW);
    assertThat(send(bench, 0, 0)).isNotDone();
    bench.feed(credit(0, WINDOW + FrameLayout.ARRAY_COST, ALL + FrameLayout.ARRAY_COST));
    assertThat(cost(bench.frames())).isEqualTo(FrameLayout.ARRAY_COST);
  }

  @Test
  void channelsTakeTurnsFrameByFrame() {
    EngineBench bench = EngineBench.acceptor(options()).open(peer(1 << 20, 1 << 20));
    bench.writable = 0;
    send(bench, 1, 10 * 1024);
    send(bench, 2, 16);
    send(bench, 3, 3 * 1024);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames.stream().map(frame -> frame.header().channel).limit(7))
        .containsExactly(1, 2, 3, 1, 3, 1, 3);
    assertThat(cost(frames)).isEqualTo(13 * 1024 + 16 + 3 * 256);
  }

  @Test
  void aChannelWithoutCreditHoldsUpNoOther() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> stuck = send(bench, 1, 2 * WINDOW);
    CompletableFuture<Receipt> lively = send(bench, 2, 100);
    assertThat(stuck).isNotDone();
    assertThat(lively).isCompleted();
    assertThat(bench.connection.describe()).contains("creditLeft[channel 1]=");
  }

  @Test
  void creditIsNotTakenBack() {
    EngineBench bench = bench();
    bench.feed(credit(0, WINDOW - 1, ALL));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains("channelCredit=8191");
    bench = bench();
    bench.feed(credit(0, WINDOW, -1));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION))
        .contains("connectionCredit=18446744073709551615");
  }

  @Test
  void acknowledgementsAndRefusalsAreThoseOfTheirChannel() {
    EngineBench bench = bench();
    List<CompletableFuture<Receipt>> sent =
        IntStream.range(0, 3)
            .mapToObj(channel ->
                bench
                    .connection
                    .channel(channel)
                    .sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())
                    .toCompletableFuture())
            .toList();
    bench.pump();
    bench.feed(RawFrame.control(FrameType.ACK, 1).with(header -> header.channel = 1));
    assertThat(sent).extracting(CompletableFuture::isDone).containsExactly(false, true, false);
    bench.feed(
        credit(2, WINDOW, ALL + 1)
            .with(header -> {
              header.flags = FrameLayout.FLAG_ACKNOWLEDGES;
              header.acknowledged = 1;
            }));
    assertThat(sent).extracting(CompletableFuture::isDone).containsExactly(false, true, true);
    bench.feed(RawFrame.control(FrameType.ACK, 2).with(header -> header.channel = 1));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains("acknowledged=2");
  }

  @Test
  void thereIsNoSuchChannel() {
    EngineBench bench = bench();
    assertThat(bench.connection.agreement().channels()).isEqualTo(8);
    assertThat(bench.connection.channel(7).id()).isEqualTo(7);
    assertThat(bench.connection.channel(7)).isSameAs(bench.connection.channel(7));
    for (int id : new int[] {-1, 8, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> bench.connection.channel(id))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("channel=" + id)
          .hasMessageContaining("channels=8");
    }
    bench.feed(array(8, 1, 1));
    assertThat(bench.error(ErrorCode.UNKNOWN_CODE)).contains("channel=8, channels=8");
  }

  @Test
  void aPeerWithOneChannelHasNoOther() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    assertThat(bench.connection.agreement().channels()).isEqualTo(1);
    bench.feed(credit(1, 1 << 30, 1 << 30));
    assertThat(bench.error(ErrorCode.UNKNOWN_CODE)).contains("channel=1, channels=1");
  }

  @Test
  void goodbyeComesAfterTheArraysOfAllChannels() {
    EngineBench bench = bench();
    send(bench, 1, 2 * WINDOW);
    send(bench, 2, 10);
    bench.core.beginClose();
    bench.pump();
    assertThat(bench.frames()).noneMatch(frame -> frame.type() == FrameType.GOODBYE);
    bench.feed(credit(1, 4 * WINDOW, 4L * ALL));
    List<RawFrame> frames = bench.frames();
    assertThat(frames.get(frames.size() - 1).type()).isEqualTo(FrameType.GOODBYE);
  }

  // Receiving.

  @Test
  void aPeerThatExceedsItsCreditIsRefusedBeforeMemoryIsTaken() {
    EngineBench bench = bench();
    bench.holdTasks = true;
    bench.feed(array(3, 1, 4000)); // The handler's own, from the next on they are held.
    for (int sequence = 2; sequence < 5; sequence++) {
      bench.feed(array(3, sequence, 2000));
    }
    bench.feed(array(3, 5, 2000));
    assertThat(bench.error(ErrorCode.CREDIT_EXCEEDED)).contains("channel=3, bytes=2256, allowed=");
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.handler.arrays).hasSize(4);
    bench.end();
    bench.assertFailed(ErrorCode.CREDIT_EXCEEDED);
  }

  @Test
  void emptyArraysThatNobodyTakesAreCountedToo() {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer(WINDOW, ALL));
    for (int sequence = 1; sequence <= WINDOW / 256; sequence++) {
      bench.feed(array(0, sequence, 0));
    }
    assertThat(bench.connection.isOpen()).isTrue();
    bench.feed(array(0, 1 + WINDOW / 256, 0));
    assertThat(bench.error(ErrorCode.CREDIT_EXCEEDED)).contains("bytes=256, allowed=0");
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void aSlowHandlerWithholdsCreditAndAFreeOneGivesIt() {
    EngineBench bench = bench();
    bench.holdTasks = true;
    bench.feed(array(0, 1, 100));
    bench.feed(array(0, 2, 3000));
    bench.feed(array(0, 3, 3000));
    assertThat(bench.frames()).isEmpty();
    bench.holdTasks = false;
    bench.pump();
    RawFrame credit = bench.frame(FrameType.CREDIT);
    long received = 3 * 256 + 6100;
    assertThat(credit.header().tag).isEqualTo(received + WINDOW);
    assertThat(credit.header().count).isEqualTo(received + ALL);
    assertThat(credit.header().has(FrameLayout.FLAG_ACKNOWLEDGES)).isTrue();
  }

  @Test
  void theWholeOfAnArrayThatIsWaitedForIsAllowedAtOnce() {
    EngineBench bench = bench();
    RawFrame whole = array(0, 1, 1 << 20);
    byte[] payload = whole.payload();
    RawFrame first = whole.withPayload(Arrays.copyOf(payload, 1000));
    bench.feed(first);
    RawFrame credit = bench.frame(FrameType.CREDIT);
    assertThat(credit.header().tag).isEqualTo(256 + (1 << 20) + WINDOW);
    int at = 1000;
    while (at < payload.length) {
      int length = Math.min(100_000, payload.length - at);
      bench.feed(RawFrame.chunk(first, at, new byte[length]));
      at += length;
    }
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).count()).isEqualTo(1 << 20);
  }

  @Test
  void arraysOfSeveralChannelsArriveInterleaved() {
    EngineBench bench = bench();
    RawFrame one =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[] {1, 2, 3, 4}))
            .with(header -> header.channel = 1);
    RawFrame other =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[] {5, 6, 7}))
            .with(header -> header.channel = 2);
    byte[] ones = one.payload();
    byte[] others = other.payload();
    RawFrame oneBegins = one.withPayload(Arrays.copyOf(ones, 4));
    RawFrame otherBegins = other.withPayload(Arrays.copyOf(others, 8));
    bench.feed(oneBegins).feed(otherBegins);
    bench.feed(RawFrame.chunk(oneBegins, 1, Arrays.copyOfRange(ones, 4, 12)));
    bench.feed(RawFrame.chunk(otherBegins, 2, Arrays.copyOfRange(others, 8, 12)));
    bench.feed(RawFrame.chunk(oneBegins, 3, Arrays.copyOfRange(ones, 12, 16)));
    assertThat(bench.handler.arrays).hasSize(2);
    assertThat(bench.handler.arrays.get(0).ints()).containsExactly(5, 6, 7);
    assertThat(bench.handler.arrays.get(0).header().channel()).isEqualTo(2);
    assertThat(bench.handler.arrays.get(1).ints()).containsExactly(1, 2, 3, 4);
    bench.feed(RawFrame.chunk(oneBegins, 1, new byte[4]));
    bench.error(ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void aTargetIsAskedForWhileTheArrayArrives() {
    EngineBench.TargetingRecorder handler = new EngineBench.TargetingRecorder();
    EngineBench bench = EngineBench.acceptor(options(), handler).open(peer(WINDOW, ALL));
    bench.holdTasks = true;
    RawFrame whole =
        RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(IntStream.range(0, 5000).toArray()));
    byte[] payload = whole.payload();
    RawFrame first = whole.withPayload(Arrays.copyOf(payload, 4000));
    bench.feed(first);
    assertThat(handler.asked).isEmpty();
    bench.holdTasks = false;
    bench.pump();
    assertThat(handler.asked).hasSize(1);
    assertThat(bench.frame(FrameType.CREDIT).header().tag).isEqualTo(256 + 20_000 + WINDOW);
    bench.feed(RawFrame.chunk(first, 1000, Arrays.copyOfRange(payload, 4000, 20_000)));
    assertThat(handler.arrays.get(0).ints()).isEqualTo(IntStream.range(0, 5000).toArray());
    // Decoded once, and what had come before the answer copied once more.
    assertThat(handler.arrays.get(0).receipt().copiedBytes()).isEqualTo(20_000 + 4000);
  }

  @Test
  void onceThisSideClosesWhatStillComesIsReadPast() {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer(WINDOW, ALL));
    RawFrame whole = array(0, 1, 4 * WINDOW);
    RawFrame first = whole.withPayload(Arrays.copyOf(whole.payload(), 1000));
    bench.feed(first);
    assertThat(bench.frames()).isEmpty();
    bench.core.beginClose();
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  // Queues.

  @Test
  void theSendQueueIsBounded() {
    EngineBench bench =
        EngineBench.acceptor(options().sendQueueBytes(10_000)).open(peer(WINDOW, ALL));
    bench.writable = 0;
    assertThat(send(bench, 0, 9000)).isNotDone();
    assertThat(send(bench, 0, 9000))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(NoRoomException.class)
        .withMessageContaining("wait for some of it, or use send, which waits (bytes=9000")
        .withMessageContaining("queuedBytes=9256")
        .withMessageContaining("sendQueueBytes=10000")
        .withMessageContaining("leftOfMemoryBudget=");
    // Another channel has a queue of its own, and an array larger than it is taken into an empty
    // one.
    CompletableFuture<Receipt> large = send(bench, 1, 12_000);
    assertThat(large).isNotDone();
    bench.feed(credit(0, 1 << 20, 1 << 20)).feed(credit(1, 1 << 20, 1 << 20));
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(large).isCompleted();
    assertThat(send(bench, 0, 9000)).isCompleted();
  }

  @Test
  void anOfferedArrayIsCopiedAndTheQueuesStateIsTheAnswer() throws Exception {
    EngineBench bench = EngineBench.acceptor(options().sendQueueBytes(300)).open(peer(WINDOW, ALL));
    bench.writable = 0;
    int[] array = {1, 2, 3};
    assertThat(bench.connection.offer(ArraySlice.of(array))).isEqualTo(OfferStatus.ACCEPTED);
    array[0] = 99;
    assertThat(bench.connection.offer(ArraySlice.of(array))).isEqualTo(OfferStatus.BACK_PRESSURED);
    assertThatThrownBy(() -> bench.connection.offer(ArraySlice.of(new byte[200])))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("bytes=200")
        .hasMessageContaining("sendQueueBytes=300");
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    RawFrame frame = bench.frame(FrameType.ARRAY);
    assertThat(frame.payload()).containsExactly(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
    assertThat(bench.connection.offer(ArraySlice.of(array))).isEqualTo(OfferStatus.ACCEPTED);
    bench.connection.closeNow();
    assertThat(bench.connection.offer(ArraySlice.of(array))).isEqualTo(OfferStatus.CLOSED);
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void whereThereIsNoMemoryForACopyThatIsSaidAndNothingElseHappens() throws Exception {
    EngineBench bench = EngineBench.acceptor(options()).open(peer(WINDOW, ALL));
    int[] array = new int[1500];
    bench.memory.refuseLargerThan(3000);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> bench.connection.offer(ArraySlice.of(array)))
          .isInstanceOf(NoRoomException.class)
          .matches(ErrorCode.ALLOCATION_FAILED::isOf)
          .hasMessageContaining("bytes=6000, queuedBytes=0")
          .hasCauseInstanceOf(OutOfMemoryError.class);
    }
    bench.memory.refuseLargerThan(Integer.MAX_VALUE);
    assertThat(bench.connection.offer(ArraySlice.of(array))).isEqualTo(OfferStatus.ACCEPTED);
    bench.pump();
    assertThat(bench.frames().stream().mapToInt(frame -> frame.payload().length).sum())
        .isEqualTo(6000);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void refusalsDoNotPileUpBeforeAPeerThatDoesNotRead() {
    EngineBench.Recorder refusing =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            throw new IllegalStateException("no".repeat(400));
          }
        };
    EngineBench bench =
        EngineBench.acceptor(options().inboxBytes(1 << 20), refusing).open(peer(WINDOW, ALL));
    bench.writable = 0;
    for (int sequence = 1; sequence < 3000 && bench.connection.isOpen(); sequence++) {
      bench.feed(array(0, sequence, 0));
      bench.clock.advance(Duration.ofNanos(1));
    }
    // It is told, and does not read that either.
    bench.clock.advance(Duration.ofSeconds(3));
    bench.assertFailed(ErrorCode.SLOW_PEER);
    assertThat(refusing.cause).hasMessageContaining("does not read the acknowledgements");
  }

  // The budget of all connections.

  private static final int QUEUED = 10_000;

  private static TransportOptions.Builder budget(long bytes) {
    return options().memoryBudgetBytes(bytes);
  }

  @Test
  void aConnectionForWhoseInboxThereIsNoPlaceIsRefused() {
    EngineBench first = EngineBench.acceptor(budget(2 * ALL + ALL / 2)).open(peer(WINDOW, ALL));
    EngineBench second = first.another().open(peer(WINDOW, ALL));
    EngineBench third = first.another();
    third.feed(EngineBench.preambled(HandshakeMessage.hello(peer(WINDOW, ALL))));
    HandshakeMessage reject = third.handshake();
    third.end();
    first.pump();
    third.assertFailed(ErrorCode.MEMORY_BUDGET);
    assertThat(reject.fault())
        .hasFieldOrPropertyWithValue("code", ErrorCode.MEMORY_BUDGET)
        .hasMessageContaining("needed=" + ALL)
        .hasMessageContaining("taken=" + 2 * ALL)
        .hasMessageContaining("memoryBudgetBytes=" + (2 * ALL + ALL / 2));
    second.connection.closeNow();
    second.pump();
    EngineBench fourth = first.another().open(peer(WINDOW, ALL));
    assertThat(fourth.connection.isOpen()).isTrue();
  }

  @Test
  void whatAllConnectionsQueueIsBounded() throws Exception {
    EngineBench one =
        EngineBench.acceptor(budget(2 * ALL + 3 * QUEUED)).open(peer(1 << 20, 1 << 20));
    EngineBench other = one.another().open(peer(1 << 20, 1 << 20));
    ArraySlice slice = ArraySlice.of(new byte[QUEUED - FrameLayout.ARRAY_COST]);
    assertThat(one.connection.offer(slice)).isEqualTo(OfferStatus.ACCEPTED);
    assertThat(one.connection.offer(slice)).isEqualTo(OfferStatus.ACCEPTED);
    assertThat(other.connection.offer(slice)).isEqualTo(OfferStatus.ACCEPTED);
    for (EngineBench each : List.of(one, other)) {
      assertThat(each.connection.offer(slice)).isEqualTo(OfferStatus.BACK_PRESSURED);
      assertThat(Eventually.failure(each.connection.sendAsync(slice, SendOptions.processed())))
          .isInstanceOf(NoRoomException.class)
          .matches(ErrorCode.SEND_QUEUE_FULL::isOf)
          .hasMessageContaining("leftOfMemoryBudget=0");
    }
    Running<Receipt> waiting =
        Running.start(() -> other.connection.send(slice, SendOptions.handedOff()));
    Eventually.until(
        "the sender waits", () -> waiting.thread().getState() == Thread.State.TIMED_WAITING);
    assertThat(other.connection.describe()).contains("queuedBytes[channel 0]=" + QUEUED);
    // What one connection gives back is the other's at once, though its peer reads next to nothing.
    other.writable = 1;
    other.writerWoken = false;
    one.pump();
    assertThat(other.writerWoken).isTrue();
    other.pump();
    assertThat(other.connection.describe()).contains("queuedBytes[channel 0]=" + 2 * QUEUED);
    other.writable = Long.MAX_VALUE;
    other.pump();
    assertThat(waiting.get().elements()).isEqualTo(slice.length());
    for (EngineBench each : List.of(one, other)) {
      each.connection.closeNow();
      each.pump();
    }
    one.assertNothingLeaks();
  }

  /** None stands still for what others hold. */
  @Test
  void eachConnectionMaySendOneArrayInAnyCase() throws Exception {
    EngineBench one = EngineBench.acceptor(budget(2 * ALL)).open(peer(1 << 20, 1 << 20));
    EngineBench other = one.another().open(peer(1 << 20, 1 << 20));
    ArraySlice slice = ArraySlice.of(new byte[QUEUED]);
    for (EngineBench each : List.of(one, other)) {
      assertThat(each.connection.offer(slice)).isEqualTo(OfferStatus.ACCEPTED);
      assertThat(each.connection.offer(slice)).isEqualTo(OfferStatus.BACK_PRESSURED);
      each.pump();
      assertThat(each.connection.offer(slice)).isEqualTo(OfferStatus.ACCEPTED);
    }
  }
}
