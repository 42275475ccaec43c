package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ConnectionLostException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.NoRoomException;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
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
import io.arraywire.wire.SubscribeBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscriptions, frame by frame. */
class EngineSubscribeTest {
  private static final int WINDOW = 64 << 10;

  /** An array of so many bytes costs 10,000 of credit and queue, and somewhat more. */
  private static final int LARGE = (10_000 - FrameLayout.ARRAY_COST) / 4;

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED).chunkBytes(1024).inboxBytes(WINDOW);
  }

  private static Offer peer() {
    return EngineBench.offer(new FlowOffer(8, WINDOW, 1 << 20, 0, 64));
  }

  private static EngineBench publisher() {
    return publisher(options());
  }

  private static EngineBench publisher(TransportOptions.Builder options) {
    return EngineBench.acceptor(options).open(peer());
  }

  private static RawFrame subscribe(int channel, LagPolicy policy, long queueBytes) {
    return body(channel, new SubscribeBody("news", policy, queueBytes).write());
  }

  private static RawFrame body(int channel, byte... body) {
    return on(channel, FrameType.SUBSCRIBE, body);
  }

  private static RawFrame on(int channel, FrameType type, byte... body) {
    return RawFrame.control(type, 0, body)
        .with(header -> header.channel = FrameLayout.SUBSCRIPTION | channel);
  }

  private static RawFrame published(int channel, long sequence, long number, int... elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(elements))
        .withAttributes(
            AttributesBody.write(ArrayEnvelope.publication(ArrayAttributes.NONE, number)))
        .with(header -> header.channel = FrameLayout.SUBSCRIPTION | channel);
  }

  private static PublishReceipt publish(EngineBench bench, int... elements) {
    try {
      PublishReceipt receipt =
          bench.subjects.publish("news", ArraySlice.of(elements), ArrayAttributes.NONE);
      bench.pump();
      return receipt;
    } catch (ArraywireException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static long publication(RawFrame frame) {
    try {
      return Envelopes.read(0, frame.attributes()).publication();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<FrameType> types(EngineBench bench) {
    return bench.frames().stream().map(RawFrame::type).toList();
  }

  private static RawFrame credit(int channel, long bytes) {
    return on(channel, FrameType.CREDIT)
        .with(header -> {
          header.tag = bytes;
          header.count = 1 << 20;
        });
  }

  private static void assertNothingIsLeft(EngineBench bench) {
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
    assertThat(bench.subjects.subscribers("news")).isZero();
  }

  // Publishing.

  /** Refusals cost the refusing side memory, while the peer reads none. */
  @Test
  void manyRefusedSubscriptionsAreAFlood() {
    EngineBench bench = EngineBench.connector(options()).open(peer());
    bench.writable = 0;
    for (int i = 0; i < 2000 && !bench.linkClosed && bench.connection.isOpen(); i++) {
      bench.feed(subscribe(1, LagPolicy.BLOCK, 1000), on(1, FrameType.UNSUBSCRIBE));
    }
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    bench.end();
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("SUBSCRIBE");
    bench.assertFailed(ErrorCode.CONTROL_FLOOD);
  }

  @Test
  void aConnectionHasSoManySubscriptions() {
    EngineBench bench = publisher(options().maxChannels(1).maxSubscriptions(2));
    bench.feed(subscribe(0, LagPolicy.BLOCK, 1000), subscribe(1, LagPolicy.BLOCK, 1000));
    assertThat(types(bench)).containsExactly(FrameType.SUBSCRIBED, FrameType.SUBSCRIBED);
    assertThat(bench.subjects.subscribers("news")).isEqualTo(2);
    // One in the place of another.
    bench.feed(on(1, FrameType.UNSUBSCRIBE), subscribe(1, LagPolicy.BLOCK, 1000));
    assertThat(types(bench)).containsExactly(FrameType.UNSUBSCRIBED, FrameType.SUBSCRIBED);
    bench.feed(subscribe(2, LagPolicy.BLOCK, 1000));
    assertThat(bench.error(ErrorCode.UNKNOWN_CODE))
        .contains("channel=subscription 2, subscriptions=2");
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void aRefusedSubscriberIsToldThatThereAreTooMany() throws Exception {
    EngineBench bench = connector();
    Running<Subscription> running = subscribing(bench);
    bench.feed(
        on(
            0,
            FrameType.UNSUBSCRIBED,
            FaultBody.write(
                new NoRoomException(
                    ErrorCode.TOO_MANY_SUBSCRIPTIONS, "too many", "maxSubscriptions", 2))));
    assertThat(running.failure())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_SUBSCRIPTIONS::isOf)
        .hasMessageContaining("maxSubscriptions=2");
    bench.connection.closeNow();
    bench.pump();
  }

  /** What waits for all subscriptions of a connection is no more than one send queue. */
  @Test
  void theSubscriptionsOfAConnectionShareOneSendQueue() {
    EngineBench bench = publisher(options().sendQueueBytes(20 * 300));
    for (int channel = 1; channel < 5; channel++) {
      bench.feed(subscribe(channel, LagPolicy.DISCONNECT, Long.MAX_VALUE));
    }
    bench.frames();
    bench.writable = 0;
    int ended = 0;
    for (int i = 0; i < 30; i++) {
      ended += publish(bench, i).disconnected();
      assertThat(bench.connection.load().queuedBytes()).isLessThanOrEqualTo(20 * 300);
    }
    assertThat(ended).isEqualTo(4);
    assertThat(bench.subjects.subscribers("news")).isZero();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(
            bench.frames().stream()
                .filter(frame -> frame.type() == FrameType.UNSUBSCRIBED)
                .map(frame -> EngineBench.fault(frame, ErrorCode.SLOW_SUBSCRIBER)))
        .hasSize(4);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  /** A publisher that waits for a connection goes on when another subscription of it does. */
  @Test
  void aPublisherThatWaitsForTheQueueOfAllSubscriptionsGoesOn() throws Exception {
    EngineBench bench = publisher(options().sendQueueBytes(3 * 300));
    bench.feed(subscribe(1, LagPolicy.DROP_NEWEST, Long.MAX_VALUE));
    bench.frames();
    bench.writable = 0;
    while (publish(bench, 1).dropped() == 0) {}
    bench.feed(subscribe(2, LagPolicy.BLOCK, Long.MAX_VALUE));
    Running<PublishReceipt> publishing =
        Running.start(
            () -> bench.subjects.publish("news", ArraySlice.of(new int[1]), ArrayAttributes.NONE));
    Eventually.until(
        "it waits for room", () -> publishing.thread().getState() == Thread.State.TIMED_WAITING);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(publishing.get().timedOut()).isZero();
    bench.pump();
    assertThat(bench.frames())
        .filteredOn(frame ->
            frame.type() == FrameType.ARRAY
                && frame.header().channel == (FrameLayout.SUBSCRIPTION | 2))
        .hasSize(1);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  /** What there was no room for when its publisher was interrupted is not sent later. */
  @Test
  void whatAnInterruptedPublisherWaitedWithIsTakenBack() throws Exception {
    EngineBench bench = publisher();
    bench.feed(subscribe(0, LagPolicy.BLOCK, 35_000));
    var unused = bench.frame(FrameType.SUBSCRIBED);
    bench.writable = 0;
    for (int i = 0; i < 3; i++) {
      publish(bench, new int[LARGE]);
    }
    Running<PublishReceipt> publishing =
        Running.start(() ->
            bench.subjects.publish("news", ArraySlice.of(new int[LARGE]), ArrayAttributes.NONE));
    Eventually.until(
        "the publisher waits for room",
        () -> publishing.thread().getState() == Thread.State.TIMED_WAITING);
    publishing.interrupt();
    assertThat(publishing.failure()).isInstanceOf(InterruptedException.class);
    bench.writable = Long.MAX_VALUE;
    publish(bench, 9);
    assertThat(bench.frames())
        .filteredOn(frame -> frame.type() == FrameType.ARRAY)
        .extracting(EngineSubscribeTest::publication)
        .containsExactly(1L, 2L, 3L, 5L);
    assertNothingIsLeft(bench);
  }

  @Test
  void aSubscriptionIsAnsweredAndItsArraysAreNumbered() {
    EngineBench bench = publisher();
    assertThat(publish(bench, 1)).isEqualTo(new PublishReceipt(0, 0, 0, 0, 0, 0));
    bench.feed(subscribe(0, LagPolicy.BLOCK, Long.MAX_VALUE));
    RawFrame answer = bench.frame(FrameType.SUBSCRIBED);
    assertThat(answer.header().channel).isEqualTo(FrameLayout.SUBSCRIPTION);
    assertThat(answer.payload()).isEmpty();
    assertThat(publish(bench, 2)).isEqualTo(new PublishReceipt(1, 1, 0, 0, 0, 1));
    publish(bench, 3);
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(frame -> frame.header().channel)
        .containsExactly(FrameLayout.SUBSCRIPTION, FrameLayout.SUBSCRIPTION);
    assertThat(frames).extracting(frame -> frame.header().sequence).containsExactly(1L, 2L);
    assertThat(frames).extracting(EngineSubscribeTest::publication).containsExactly(1L, 2L);
    bench.feed(on(0, FrameType.UNSUBSCRIBE));
    assertThat(bench.frame(FrameType.UNSUBSCRIBED).payload()).isEmpty();
    // The numbers of arrays go on, those of publications begin again.
    bench.feed(subscribe(0, LagPolicy.BLOCK, Long.MAX_VALUE));
    publish(bench, 4);
    RawFrame next = bench.frame(FrameType.ARRAY);
    assertThat(next.header().sequence).isEqualTo(3);
    assertThat(publication(next)).isEqualTo(1);
    assertNothingIsLeft(bench);
  }

  @Test
  void theNewestAreDroppedWhileThereIsNoRoom() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.DROP_NEWEST, 25_000));
    bench.writable = 0;
    List<Integer> dropped = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      dropped.add(publish(bench, new int[LARGE]).dropped());
    }
    assertThat(dropped).containsExactly(0, 0, 1, 1);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    publish(bench, 5);
    assertThat(bench.frames().stream().filter(frame -> frame.type() == FrameType.ARRAY))
        .extracting(EngineSubscribeTest::publication)
        .containsExactly(1L, 2L, 5L);
    assertNothingIsLeft(bench);
  }

  @Test
  void theOldestThatHaveNotBegunAreDropped() {
    EngineBench bench = publisher(options().chunkBytes(1024));
    // The first begins, and stops where the credit ends.
    bench.feed(subscribe(3, LagPolicy.DROP_OLDEST, 25_000));
    publish(bench, new int[(WINDOW - 5000) / 4]);
    List<Integer> dropped = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      dropped.add(publish(bench, new int[LARGE]).dropped());
    }
    bench.frames();
    // The first of these has begun and stays.
    assertThat(dropped).containsExactly(0, 0, 1, 1, 1);
    bench.feed(credit(3, 1 << 20));
    assertThat(bench.frames().stream().filter(frame -> frame.type() == FrameType.ARRAY))
        .extracting(EngineSubscribeTest::publication)
        .containsExactly(6L);
    assertNothingIsLeft(bench);
  }

  @Test
  void aDisconnectedSubscriberIsToldBehindWhatHadBegun() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.DISCONNECT, 25_000));
    publish(bench, new int[(WINDOW - 5000) / 4]);
    publish(bench, new int[LARGE]);
    publish(bench, new int[LARGE]);
    bench.frames();
    PublishReceipt receipt = publish(bench, new int[LARGE]);
    assertThat(receipt).isEqualTo(new PublishReceipt(1, 0, 2, 0, 1, 1));
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(RawFrame::type)
        .containsExactly(FrameType.ABORT, FrameType.UNSUBSCRIBED);
    assertThat(EngineBench.fault(frames.get(1), ErrorCode.SLOW_SUBSCRIBER))
        .contains("subject=news", "policy=DISCONNECT", "dropped=3", "queueBytes=25000");
    bench.assertNothingLeaks();
    assertThat(bench.subjects.subscribers("news")).isZero();
    // The subscriber's own end may have crossed it; then the channel is free.
    bench.feed(on(3, FrameType.UNSUBSCRIBE), subscribe(3, LagPolicy.BLOCK, 1));
    assertThat(types(bench)).containsExactly(FrameType.SUBSCRIBED);
    assertNothingIsLeft(bench);
  }

  @Test
  void aWaitInVainForRoomIsCountedAndTheArrayIsMissing() {
    EngineBench bench = publisher(options().sendTimeout(Duration.ofMillis(1)));
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1), subscribe(4, LagPolicy.DROP_OLDEST, 1 << 20));
    bench.writable = 0;
    assertThat(publish(bench, 1)).isEqualTo(new PublishReceipt(2, 2, 0, 0, 0, 1));
    assertThat(publish(bench, 2)).isEqualTo(new PublishReceipt(2, 1, 0, 1, 0, 1));
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    publish(bench, 3);
    assertThat(
            bench.frames().stream()
                .filter(frame -> frame.header().channel == (FrameLayout.SUBSCRIPTION | 3)))
        .extracting(EngineSubscribeTest::publication)
        .containsExactly(0L, 1L, 3L);
    assertNothingIsLeft(bench);
  }

  @Test
  void unsubscribingGivesTheMemoryBack() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1 << 20));
    publish(bench, new int[(WINDOW - 5000) / 4]);
    publish(bench, new int[LARGE]);
    publish(bench, new int[LARGE]);
    assertThat(bench.memory.acquiredBytes()).isPositive();
    bench.frames();
    bench.feed(on(3, FrameType.UNSUBSCRIBE));
    assertThat(types(bench)).containsExactly(FrameType.ABORT, FrameType.UNSUBSCRIBED);
    bench.assertNothingLeaks();
    assertNothingIsLeft(bench);
  }

  @Test
  void aGoodbyeOfTheSubscriberEndsItsSubscriptions() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1 << 20));
    for (int i = 0; i < 8; i++) {
      publish(bench, new int[LARGE]);
    }
    bench.frames();
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0));
    assertThat(bench.subjects.subscribers("news")).isZero();
    assertThat(types(bench)).containsExactly(FrameType.ABORT, FrameType.GOODBYE);
    // What it sends before its stream ends does no harm.
    bench.feed(on(3, FrameType.UNSUBSCRIBE)).end().assertEnded(null);
  }

  @Test
  void aClosedListenerEndsSubscriptionsBehindTheirArrays() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1 << 20));
    for (int i = 0; i < 7; i++) {
      publish(bench, new int[LARGE]);
    }
    bench.frames();
    bench.subjects.close();
    bench.pump();
    assertThat(bench.frames()).isEmpty();
    bench.feed(subscribe(4, LagPolicy.BLOCK, 1 << 20));
    assertThat(types(bench)).containsExactly(FrameType.UNSUBSCRIBED);
    bench.feed(credit(3, 1 << 20));
    List<RawFrame> frames = bench.frames();
    RawFrame last = frames.get(frames.size() - 1);
    assertThat(last.header().channel).isEqualTo(FrameLayout.SUBSCRIPTION | 3);
    assertThat(EngineBench.fault(last, ErrorCode.CONNECTION_CLOSED)).contains("listener");
    assertNothingIsLeft(bench);
  }

  @Test
  void whatDoesNotFitAPeerIsDroppedForItAlone() {
    EngineBench bench = publisher(options().maxArrayBytes(1024));
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1 << 20));
    assertThat(publish(bench, new int[1000])).isEqualTo(new PublishReceipt(1, 0, 1, 0, 0, 0));
    assertNothingIsLeft(bench);
  }

  @Test
  void whatCannotBePublishedIsRefusedBeforeAnybodyHasIt() {
    EngineBench bench = publisher();
    bench.feed(subscribe(3, LagPolicy.BLOCK, 1 << 20));
    bench.frames();
    ArraySlice slice = ArraySlice.of(new int[6]);
    for (String subject :
        new String[] {"", "a\nb", "\u0000", "x".repeat(256), "\u00fc".repeat(128), "\ud800"}) {
      assertThatThrownBy(() -> bench.subjects.publish(subject, slice, ArrayAttributes.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bytes=");
    }
    ArrayAttributes shaped = ArrayAttributes.of(0, new long[] {7}, Map.of());
    assertThatThrownBy(() -> bench.subjects.publish("news", slice, shaped))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=6");
    bench.memory.refuseLargerThan(1);
    assertThatThrownBy(() -> bench.subjects.publish("news", slice, ArrayAttributes.NONE))
        .hasMessageContaining("bytes=24");
    bench.memory.refuseLargerThan(Integer.MAX_VALUE);
    publish(bench, 1);
    assertThat(publication(bench.frame(FrameType.ARRAY))).isEqualTo(1);
    assertNothingIsLeft(bench);
  }

  // Subscribing.

  private static EngineBench connector() {
    return connector(options());
  }

  private static EngineBench connector(TransportOptions.Builder options) {
    return EngineBench.withoutHandler(Role.CONNECTOR, options).open(peer());
  }

  private static Running<Subscription> subscribing(EngineBench bench) {
    return subscribing(
        bench, () -> bench.connection.subscribe("news", SubscribeOptions.defaults()));
  }

  private static Running<Subscription> subscribing(
      EngineBench bench, Callable<Subscription> subscribe) {
    Running<Subscription> running = Running.start(subscribe);
    Eventually.until(
        "it subscribes",
        () -> {
          bench.pump();
          return bench.outBytes().length > 0;
        });
    return running;
  }

  private static Subscription subscribed(EngineBench bench) throws Exception {
    return confirmed(bench, subscribing(bench));
  }

  private static Subscription subscribed(EngineBench bench, ArrayHandler handler) throws Exception {
    return confirmed(
        bench,
        subscribing(
            bench, () -> bench.connection.subscribe("news", SubscribeOptions.defaults(), handler)));
  }

  private static Subscription confirmed(EngineBench bench, Running<Subscription> running)
      throws Exception {
    int channel = bench.frame(FrameType.SUBSCRIBE).header().channel;
    bench.feed(on(channel, FrameType.SUBSCRIBED));
    return running.get();
  }

  @Test
  void theLowestFreeNumberIsTakenAndGivenBack() throws Exception {
    EngineBench bench = connector();
    Running<Subscription> first = subscribing(bench);
    RawFrame frame = bench.frame(FrameType.SUBSCRIBE);
    assertThat(frame.header().channel).isEqualTo(FrameLayout.SUBSCRIPTION);
    assertThat(SubscribeBody.read(frame.payload()))
        .isEqualTo(new SubscribeBody("news", LagPolicy.BLOCK, Long.MAX_VALUE));
    assertThat(first.isDone()).isFalse();
    bench.feed(on(0, FrameType.SUBSCRIBED));
    Subscription subscription = first.get();
    Running<Subscription> second = subscribing(bench);
    assertThat(bench.frame(FrameType.SUBSCRIBE).header().channel)
        .isEqualTo(FrameLayout.SUBSCRIPTION | 1);
    bench.feed(on(1, FrameType.SUBSCRIBED));
    second.get();
    subscription.close();
    subscription.close();
    bench.pump();
    assertThat(bench.frame(FrameType.UNSUBSCRIBE).header().channel)
        .isEqualTo(FrameLayout.SUBSCRIPTION);
    // Arrays that were in flight are dropped, and their credit is given again.
    bench.feed(published(0, 1, 1, new int[9000]));
    assertThat(bench.frame(FrameType.CREDIT).header().channel).isEqualTo(FrameLayout.SUBSCRIPTION);
    Running<Subscription> third = subscribing(bench);
    assertThat(bench.frame(FrameType.SUBSCRIBE).header().channel)
        .isEqualTo(FrameLayout.SUBSCRIPTION | 2);
    bench.feed(on(2, FrameType.SUBSCRIBED), on(0, FrameType.UNSUBSCRIBED));
    third.get();
    Subscription again = subscribed(bench);
    bench.feed(published(0, 2, 3, 30));
    ReceivedArray array = again.receive();
    assertThat(array.ints()).containsExactly(30);
    assertThat(array.header().dropped()).isEqualTo(2);
    assertThat(again.dropped()).isEqualTo(2);
    bench.connection.closeNow();
    bench.pump();
    assertThatThrownBy(again::receive).isInstanceOf(ConnectionClosedException.class);
    bench.assertNothingLeaks();
  }

  @Test
  void aPublisherThatEndsItIsAnsweredAndWhatCameIsTakenFirst() throws Exception {
    EngineBench bench = connector();
    Subscription subscription = subscribed(bench);
    bench.feed(
        published(0, 1, 1, 10),
        on(
            0,
            FrameType.UNSUBSCRIBED,
            FaultBody.write(new ConnectionLostException(ErrorCode.SLOW_SUBSCRIBER, "too slow"))));
    assertThat(types(bench)).containsExactly(FrameType.UNSUBSCRIBE);
    assertThat(subscription.isOpen()).isFalse();
    assertThat(subscription.receive().ints()).containsExactly(10);
    assertThatThrownBy(subscription::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_SUBSCRIBER::isOf)
        .hasMessageContaining("too slow");
    subscription.close();
    bench.pump();
    assertThat(types(bench)).doesNotContain(FrameType.UNSUBSCRIBE);
    assertThat(bench.connection.isOpen()).isTrue();
  }

  /**
   * Another thread may close a connection at once that has failed and has yet to tell so, while the
   * array that a caller waits for comes whole. The handler's task stands for that moment.
   */
  @Test
  void aWaitingCallHearsOfAFailureDuringWhichTheConnectionIsClosed() throws Exception {
    EngineBench bench = connector(options());
    Subscription other = subscribed(bench);
    // Of a channel with a lower number, and so told first.
    subscribed(bench, new EngineBench.Recorder());
    Running<ReceivedArray> waiting = Running.start(other::receive);
    Eventually.until("it waits", () -> bench.connection.describe().contains("waitingReceivers=1"));
    byte[] array = published(0, 1, 1, new int[1000]).bytes();
    bench.feed(Arrays.copyOf(array, 2000));
    bench.onTask =
        task -> {
          bench.connection.closeNow();
          bench.wire.input(ByteBuffer.wrap(array, 2000, array.length - 2000), true);
        };
    bench.wire.failed(new IllegalStateException("for the test"));
    assertThat(waiting.failure()).hasRootCauseMessage("for the test");
  }

  /** A subscription whose publisher has ended it, before the handler was given what had come. */
  private static EngineBench endedBeforeItIsHandled(
      TransportOptions.Builder options, ArrayHandler handler) throws Exception {
    EngineBench bench = connector(options);
    subscribed(bench, handler);
    bench.holdTasks = true;
    bench.feed(
        published(0, 1, 1, 10),
        published(0, 2, 2, 20),
        on(
            0,
            FrameType.UNSUBSCRIBED,
            FaultBody.write(new ConnectionLostException(ErrorCode.SLOW_SUBSCRIBER, "too slow"))));
    return bench;
  }

  /** The time that it would wait is short, so that this fails instead of hanging. */
  @Test
  void aHandlerThatClosesBehindTheEndOfItsSubscriptionDoesNotWait() throws Exception {
    List<String> told = new ArrayList<>();
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) throws Exception {
            told.add("array " + array.ints()[0]);
            from.close();
            told.add("closed");
          }

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            try {
              from.close();
              told.add("over");
            } catch (ArraywireException e) {
              told.add(e.toString());
            }
          }
        };
    EngineBench bench =
        endedBeforeItIsHandled(options().closeTimeout(Duration.ofMillis(10)), handler);
    bench.holdTasks = false;
    bench.pump();
    assertThat(told).containsExactly("array 10", "closed", "array 20", "closed", "over");
    assertNothingIsLeft(bench);
  }

  @Test
  void closingNowDropsWhatAnEndedSubscriptionStillHas() throws Exception {
    EngineBench.Recorder handler = new EngineBench.Recorder();
    EngineBench bench = endedBeforeItIsHandled(options(), handler);
    assertThat(bench.connection.load().waitingArrays()).isEqualTo(2);
    bench.connection.closeNow();
    bench.holdTasks = false;
    bench.pump();
    assertThat(handler.arrays).isEmpty();
    assertThat(handler.closed).isEqualTo(1);
    assertThat(handler.cause)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_SUBSCRIBER::isOf);
    assertThat(bench.connection.load()).isEqualTo(ConnectionLoad.NONE);
    bench.assertNothingLeaks();
  }

  @Test
  void whatWasDoneWithAnEndedSubscriptionIsForgotten() throws Exception {
    EngineBench bench = endedBeforeItIsHandled(options(), new EngineBench.Recorder());
    assertThat(bench.connection.describe())
        .contains("channel=subscription 0, arraysTaken=0, waitingArrays=2");
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.connection.describe()).doesNotContain("arraysTaken=2");
    assertNothingIsLeft(bench);
  }

  @Test
  void aRefusalIsThrownBySubscribe() throws Exception {
    EngineBench bench = connector();
    Running<Subscription> running = subscribing(bench);
    bench.frames();
    bench.feed(
        on(
            0,
            FrameType.UNSUBSCRIBED,
            FaultBody.write(new ArraywireException(ErrorCode.REJECTED, "not here"))));
    assertThat(running.failure())
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("not here");
    assertThat(types(bench)).containsExactly(FrameType.UNSUBSCRIBE);
    subscribed(bench);
  }

  @Test
  void aSubscriberWithoutAnAnswerGivesUp() throws Exception {
    EngineBench bench = connector(options().requestTimeout(Duration.ofMillis(1)));
    Running<Subscription> running =
        Running.start(() -> bench.connection.subscribe("news", SubscribeOptions.defaults()));
    assertThat(running.failure())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("subject=news")
        .hasMessageContaining("timeout=PT0.001S");
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.SUBSCRIBE, FrameType.UNSUBSCRIBE);
    // The answers cross it.
    bench.feed(on(0, FrameType.SUBSCRIBED), published(0, 1, 1, 1), on(0, FrameType.UNSUBSCRIBED));
    assertThat(bench.connection.isOpen()).isTrue();
  }

  /** One channel for subscriptions, whose subscription was closed and is not yet over there. */
  private static EngineBench withOneThatIsClosing(TransportOptions.Builder options)
      throws Exception {
    EngineBench bench =
        EngineBench.connector(options)
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, 1 << 20, 0, 1)));
    Running<Subscription> first = subscribing(bench);
    bench.feed(on(0, FrameType.SUBSCRIBED));
    first.get().close();
    bench.pump();
    assertThat(types(bench)).containsExactly(FrameType.SUBSCRIBE, FrameType.UNSUBSCRIBE);
    return bench;
  }

  private static Running<Subscription> waitingForAChannel(EngineBench bench) {
    Running<Subscription> running =
        Running.start(() -> bench.connection.subscribe("news", SubscribeOptions.defaults()));
    Eventually.until(
        "it waits for a channel", () -> running.thread().getState() == Thread.State.TIMED_WAITING);
    return running;
  }

  @Test
  void aClosedSubscriptionLeavesItsPlaceToAnother() throws Exception {
    EngineBench bench = withOneThatIsClosing(options());
    Running<Subscription> second = waitingForAChannel(bench);
    bench.pump();
    assertThat(types(bench)).isEmpty();
    bench.feed(on(0, FrameType.UNSUBSCRIBED));
    Eventually.until(
        "it has the number",
        () -> {
          bench.pump();
          return types(bench).contains(FrameType.SUBSCRIBE);
        });
    bench.feed(on(0, FrameType.SUBSCRIBED));
    assertThat(second.get().isOpen()).isTrue();
    // All numbers are in use now, and none will be free.
    assertThatThrownBy(() -> bench.connection.subscribe("news", SubscribeOptions.defaults()))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_SUBSCRIPTIONS::isOf)
        .hasMessageContaining("subscriptions=1")
        .hasMessageContaining("agreed=1");
  }

  @Test
  void aChannelThatIsNotFreeInTimeIsNone() throws Exception {
    EngineBench bench = withOneThatIsClosing(options().requestTimeout(Duration.ofSeconds(1)));
    long begin = System.nanoTime();
    assertThatThrownBy(() -> bench.connection.subscribe("news", SubscribeOptions.defaults()))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_SUBSCRIPTIONS::isOf)
        .hasMessageContaining("closing=1");
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
    assertThat(types(bench)).isEmpty();
  }

  /** In whatever order the channels become free. */
  @Test
  void eachOfThoseWhoWaitForAChannelGetsOne() throws Exception {
    EngineBench bench = EngineBench.connector(options().maxSubscriptions(2)).open(peer());
    for (int channel : new int[] {0, 1}) {
      Running<Subscription> one = subscribing(bench);
      bench.feed(on(channel, FrameType.SUBSCRIBED));
      one.get().close();
      bench.pump();
      assertThat(types(bench)).contains(FrameType.UNSUBSCRIBE);
    }
    List<Running<Subscription>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiting.add(waitingForAChannel(bench));
    }
    for (int channel : new int[] {1, 0}) {
      bench.feed(on(channel, FrameType.UNSUBSCRIBED));
      Eventually.until(
          "one has the channel",
          () -> {
            bench.pump();
            return bench.frames().stream()
                .anyMatch(frame ->
                    frame.type() == FrameType.SUBSCRIBE
                        && frame.header().channel == (FrameLayout.SUBSCRIPTION | channel));
          });
      bench.feed(on(channel, FrameType.SUBSCRIBED));
    }
    for (Running<Subscription> each : waiting) {
      assertThat(each.get().isOpen()).isTrue();
    }
  }

  @Test
  void aCallThatWaitsForAChannelHearsOfTheEnd() throws Exception {
    EngineBench bench = withOneThatIsClosing(options());
    Running<Subscription> second = waitingForAChannel(bench);
    bench.connection.closeNow();
    assertThat(second.failure()).isInstanceOf(ConnectionClosedException.class);
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void aPeerThatTakesNoneIsNotAsked() {
    Offer none = EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, 0, 0));
    EngineBench bench = EngineBench.acceptor(options()).open(none);
    assertThat(bench.connection.agreement().subscriptions()).isZero();
    assertThatThrownBy(() -> bench.connection.subscribe("news", SubscribeOptions.defaults()))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_SUBSCRIPTIONS::isOf)
        .hasMessageContaining("agreed=0");
    bench.feed(subscribe(0, LagPolicy.BLOCK, 1));
    assertThat(bench.error(ErrorCode.UNKNOWN_CODE)).contains("subscription 0, subscriptions=0");
  }

  // What a hostile peer may try.

  private static void assertRefused(
      EngineBench bench, ErrorCode code, String words, RawFrame... frames) {
    bench.feed(frames);
    assertThat(bench.error(code)).contains(words);
    bench.assertNothingLeaks();
    assertThat(bench.subjects.subscribers("news")).isZero();
  }

  @Test
  void hostileSubscriptions() {
    RawFrame good = subscribe(3, LagPolicy.BLOCK, 1);
    assertRefused(publisher(), ErrorCode.PROTOCOL_VIOLATION, "channel=subscription 3", good, good);
    assertRefused(
        publisher(),
        ErrorCode.PROTOCOL_VIOLATION,
        "a subscription has the number of a channel (channel=3)",
        subscribe(3, LagPolicy.BLOCK, 1).with(header -> header.channel = 3));
    assertRefused(
        publisher(),
        ErrorCode.UNKNOWN_CODE,
        "channel=subscription 64, subscriptions=64",
        subscribe(64, LagPolicy.BLOCK, 1));
    assertRefused(
        publisher(),
        ErrorCode.PROTOCOL_VIOLATION,
        "channel=subscription 4",
        good,
        on(4, FrameType.UNSUBSCRIBE));
    assertRefused(
        publisher(),
        ErrorCode.PROTOCOL_VIOLATION,
        "channel=subscription 3",
        good,
        on(3, FrameType.UNSUBSCRIBE),
        on(3, FrameType.UNSUBSCRIBE));
    for (LagPolicy policy : LagPolicy.values()) {
      byte[] body = new SubscribeBody("news", policy, 1).write();
      // Its second field.
      int at = 2 + 4 + 1;
      for (byte code : new byte[] {0, 5, 127}) {
        byte[] wrong = body.clone();
        wrong[at] = code;
        assertRefused(publisher(), ErrorCode.UNKNOWN_CODE, "policy=" + code, body(3, wrong));
      }
    }
    for (String subject : new String[] {"", "a\tb", "x".repeat(256)}) {
      byte[] body = new SubscribeBody(subject, LagPolicy.BLOCK, 1).write();
      assertRefused(publisher(), ErrorCode.MALFORMED_PAYLOAD, "1 to 255 bytes", body(3, body));
    }
    assertRefused(
        publisher(), ErrorCode.MALFORMED_PAYLOAD, "queueBytes=0", subscribe(3, LagPolicy.BLOCK, 0));
    assertRefused(
        publisher(), ErrorCode.MALFORMED_PAYLOAD, "subscription", body(3, (byte) -1, (byte) -1));
    assertRefused(
        publisher(),
        ErrorCode.FRAME_TOO_LARGE,
        "declared=1025",
        body(3, Arrays.copyOf(new byte[0], 1025)));
  }

  @ParameterizedTest
  @EnumSource(
      value = FrameType.class,
      names = {"SUBSCRIBED", "UNSUBSCRIBED"})
  void answersToNothing(FrameType type) throws Exception {
    assertRefused(connector(), ErrorCode.PROTOCOL_VIOLATION, "channel=subscription 0", on(0, type));
    EngineBench bench = connector();
    subscribed(bench);
    // A second answer; an end without a reason.
    assertRefused(bench, ErrorCode.PROTOCOL_VIOLATION, "channel=subscription 0", on(0, type));
  }

  @Test
  void hostilePublications() throws Exception {
    assertRefused(
        connector(), ErrorCode.PROTOCOL_VIOLATION, "channel=subscription 0", published(0, 1, 1, 1));
    EngineBench bench = connector();
    subscribed(bench);
    assertRefused(
        bench,
        ErrorCode.PROTOCOL_VIOLATION,
        "publication=2, before=2",
        published(0, 1, 2, 1),
        published(0, 2, 2, 1));
    bench = connector();
    subscribed(bench);
    assertRefused(bench, ErrorCode.MALFORMED_PAYLOAD, "publication=", published(0, 1, -1, 1));
    bench = connector();
    subscribed(bench);
    RawFrame begun = published(0, 1, 1, 1, 2);
    byte[] half = Arrays.copyOf(begun.payload(), 4);
    assertRefused(
        bench,
        ErrorCode.PROTOCOL_VIOLATION,
        "inside an array",
        begun.withPayload(half),
        on(
            0,
            FrameType.UNSUBSCRIBED,
            FaultBody.write(new ConnectionLostException(ErrorCode.SLOW_SUBSCRIBER, "x"))));
  }
}
