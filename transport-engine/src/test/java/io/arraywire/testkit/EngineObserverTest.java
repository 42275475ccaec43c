package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionLoad;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportCounters;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryCable;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.SubscribeBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an observer is told, and when. */
class EngineObserverTest {
  private static final int WINDOW = 8 << 10;

  private final ObservedEvents events = new ObservedEvents();
  private final TransportCounters counters = TransportCounters.create();

  private TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .chunkBytes(1024)
        .inboxBytes(WINDOW)
        .connectionInboxBytes(WINDOW)
        .sendQueueBytes(4 * WINDOW)
        .observer(TransportObserver.all(events, counters));
  }

  private EngineBench bench() {
    return EngineBench.acceptor(options())
        .open(EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, 0, 64)));
  }

  private static RawFrame credit(int channel, long onChannel) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.channel = channel;
          header.tag = onChannel;
          header.count = onChannel;
        });
  }

  private static ArraySlice bytes(int count) {
    return ArraySlice.of(new byte[count]);
  }

  @Test
  void aConnectionThatOpensMovesArraysAndCloses() {
    EngineBench bench = bench();
    assertThat(events.take()).containsExactly("opened");
    var unused = bench.connection.channel(2).sendAsync(bytes(100), SendOptions.processed());
    bench.pump();
    assertThat(events.take()).containsExactly("sent 2/1 100 byte wireBytes=164");
    assertThat(counters.load()).isEqualTo(new ConnectionLoad(0, 0, 1, 0, 0, 0));
    bench.feed(RawFrame.control(FrameType.ACK, 1).with(header -> header.channel = 2));
    assertThat(events.take()).containsExactly("acknowledged 2/1 100 byte");
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3])));
    assertThat(events.take()).containsExactly("received 0/1 3 int wireBytes=76");
    assertThat(counters.connections()).containsExactly(bench.connection);
    bench.core.beginClose();
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0)).end();
    assertThat(events.take()).containsExactly("closed in order");
    bench.assertEnded(null);

    TransportCounters.Snapshot all = counters.snapshot();
    assertThat(all.connectionsOpen()).isZero();
    assertThat(all.connectionsOpened()).isEqualTo(1);
    assertThat(all.arraysSent()).isEqualTo(1);
    assertThat(all.bytesSent()).isEqualTo(100);
    assertThat(all.arraysReceived()).isEqualTo(1);
    assertThat(all.bytesReceived()).isEqualTo(12);
    assertThat(all.arraysAcknowledged()).isEqualTo(1);
    assertThat(all.acknowledgementNanos()).isPositive();
    assertThat(all.errors()).isEmpty();
    assertThat(all.load()).isEqualTo(ConnectionLoad.NONE);
    assertThat(events.connections).allMatch(each -> each == bench.connection);
  }

  @Test
  void usedUpCreditIsBackPressureUntilThereIsMore() {
    EngineBench bench = bench();
    events.take();
    var unused = bench.connection.sendAsync(bytes(2 * WINDOW), SendOptions.handedOff());
    bench.pump();
    assertThat(events.take()).containsExactly("began 0 CREDIT");
    assertThat(bench.connection.describe()).contains("channel 0 waits for credit");
    assertThat(counters.snapshot().backPressuredNow()).isEqualTo(1);
    bench.feed(credit(0, 4 * WINDOW));
    assertThat(events.take()).startsWith("ended 0 CREDIT").hasSize(2);
    assertThat(bench.connection.describe()).doesNotContain("waits for credit");
    TransportCounters.Snapshot all = counters.snapshot();
    assertThat(all.backPressuredNow()).isZero();
    assertThat(all.backPressured()).isEqualTo(1);
    assertThat(all.backPressureNanos()).isPositive();
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void aFullQueueIsBackPressureUntilHalfOfItIsFree() throws Exception {
    EngineBench bench = bench();
    events.take();
    bench.writable = 0;
    for (int i = 0; i < 4; i++) {
      var unused =
          bench.connection.channel(1).sendAsync(bytes(WINDOW - 256), SendOptions.processed());
    }
    assertThat(events.take()).isEmpty();
    var unusedStatus = bench.connection.channel(1).offer(bytes(1));
    var unusedStatus2 = bench.connection.channel(1).offer(bytes(1));
    assertThat(events.take()).containsExactly("began 1 SEND_QUEUE");
    assertThat(counters.load().queuedBytes()).isEqualTo(4 * WINDOW);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(events.take()).doesNotContain("ended 1 SEND_QUEUE");
    bench.feed(credit(1, 2 * WINDOW));
    assertThat(events.take()).contains("ended 1 SEND_QUEUE");
    // What is held up when the connection ends is told of, too.
    bench.connection.closeNow();
    bench.pump();
    assertThat(events.take()).containsExactly("ended 1 CREDIT", "closed in order");
  }

  /** The queues have room enough, but what all connections may hold is used up. */
  @Test
  void aUsedUpBudgetIsBackPressure() throws Exception {
    EngineBench bench =
        EngineBench.acceptor(options().memoryBudgetBytes(2 * WINDOW))
            .open(EngineBench.offer(new FlowOffer(8, 8 * WINDOW, 8 * WINDOW, 0, 64)));
    events.take();
    bench.writable = 0;
    assertThat(bench.connection.offer(bytes(WINDOW / 2))).isEqualTo(OfferStatus.ACCEPTED);
    assertThat(events.take()).isEmpty();
    assertThat(bench.connection.offer(bytes(WINDOW / 2))).isEqualTo(OfferStatus.BACK_PRESSURED);
    assertThat(events.take()).containsExactly("began 0 SEND_QUEUE");
    Eventually.failure(
        bench.connection.channel(1).sendAsync(bytes(WINDOW / 2), SendOptions.processed()));
    assertThat(events.take()).containsExactly("began 1 SEND_QUEUE");
    assertThat(counters.snapshot().backPressuredNow()).isEqualTo(2);
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(events.take()).contains("ended 0 SEND_QUEUE").doesNotContain("ended 1 SEND_QUEUE");
    var unused = bench.connection.channel(1).offer(bytes(WINDOW / 2));
    bench.pump();
    assertThat(events.take()).contains("ended 1 SEND_QUEUE");
    assertThat(counters.snapshot().backPressuredNow()).isZero();
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void whatCannotBePublishedForTheBudgetIsBackPressure() throws Exception {
    EngineBench bench =
        EngineBench.acceptor(options().memoryBudgetBytes(2 * WINDOW))
            .open(EngineBench.offer(new FlowOffer(8, 8 * WINDOW, 8 * WINDOW, 0, 64)));
    byte[] body = new SubscribeBody("news", LagPolicy.DROP_NEWEST, 8 * WINDOW).write();
    bench.feed(
        RawFrame.control(FrameType.SUBSCRIBE, 0, body)
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION | 3));
    events.take();
    bench.writable = 0;
    for (int i = 0; i < 3; i++) {
      var unused = bench.subjects.publish("news", bytes(WINDOW / 2), ArrayAttributes.NONE);
    }
    assertThat(events.take()).containsExactly("began -1 SEND_QUEUE");
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(events.take()).contains("ended -1 SEND_QUEUE");
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void refusalsAreToldOfOnBothSides() {
    EngineBench.Recorder refusing =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            throw new IllegalStateException("not today");
          }
        };
    EngineBench bench =
        EngineBench.acceptor(options(), refusing)
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, 0, 64)));
    events.take();
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, bytes(1)));
    assertThat(events.take())
        .singleElement()
        .asString()
        .matches(
            "rejected 0/1 here: the handler threw an exception"
                + " \\(logNumber=\\d+, cause=not today\\)");
    var sent = bench.connection.sendAsync(bytes(1), SendOptions.processed()).toCompletableFuture();
    bench.pump();
    events.take();
    byte[] why = FaultBody.write(new ArraywireException(ErrorCode.REJECTED, "no room"));
    bench.feed(RawFrame.control(FrameType.REJECTED, 1, why), RawFrame.control(FrameType.ACK, 1));
    assertThat(sent).isCompletedExceptionally();
    assertThat(events.take())
        .containsExactly(
            "rejected 0/1 by the peer: the far side refused the array: no room (channel=0, peer="
                + bench.connection.remoteAddress()
                + ")");
    assertThat(counters.snapshot().rejectedHere()).isEqualTo(1);
    assertThat(counters.snapshot().rejectedByPeers()).isEqualTo(1);
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void aFailureIsAnErrorAndThenTheEnd() {
    EngineBench bench = bench();
    events.take();
    bench.end();
    assertThat(events.take()).containsExactly("error CONNECTION_RESET", "closed CONNECTION_RESET");
    EngineBench stranger = EngineBench.acceptor(options());
    stranger.feed("GET / HTTP/1.1\r\n\r\n and so on, for as long as a preamble".getBytes());
    assertThat(events.take()).containsExactly("error BAD_MAGIC");
    assertThat(counters.snapshot().errors())
        .isEqualTo(Map.of(ErrorCode.CONNECTION_RESET, 1L, ErrorCode.BAD_MAGIC, 1L));
    assertThat(counters.snapshot().connectionsOpened()).isEqualTo(1);
  }

  @Test
  void whatReceiveCallsTakeIsToldOf() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options())
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, 0, 64)));
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, bytes(1)),
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 2, bytes(2)));
    assertThat(events.take()).containsExactly("opened");
    assertThat(counters.load()).isEqualTo(new ConnectionLoad(0, 0, 0, 2, 2 * 256 + 3, 0));
    var unused = bench.connection.receive();
    bench.connection.receiveLeased().close();
    assertThat(events.take())
        .containsExactly("received 0/1 1 byte wireBytes=65", "received 0/2 2 byte wireBytes=66");
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void whatAnObserverThrowsIsLoggedOnceAndChangesNothing() {
    try (RecordedLog log = new RecordedLog()) {
      TransportObserver broken =
          new TransportObserver() {
            @Override
            public void connectionOpened(Connection connection) {
              throw new IllegalStateException("first");
            }

            @Override
            public void arraySent(
                Connection connection,
                io.arraywire.ArrayHeader header,
                io.arraywire.Receipt receipt) {
              throw new AssertionError("second");
            }
          };
      EngineBench bench =
          EngineBench.acceptor(options().observer(TransportObserver.all(broken, events))).open();
      var sent = bench.connection.sendAsync(bytes(1), SendOptions.handedOff());
      bench.pump();
      assertThat(sent.toCompletableFuture()).isCompleted();
      assertThat(events.take()).containsExactly("opened", "sent 0/1 1 byte wireBytes=65");
      assertThat(log.with("an observer threw")).hasSize(1);
      bench.connection.closeNow();
      bench.pump();
    }
  }

  @Test
  void aSessionOpensOnceBreaksResumesAndCloses() throws Exception {
    TransportOptions there = TransportOptions.builder().sessionTimeout(Duration.ofHours(1)).build();
    TransportOptions here = there.toBuilder().observer(events).build();
    try (InMemoryTransport far = InMemoryTransport.create(there);
        InMemoryTransport near = InMemoryTransport.create(here);
        Listener listener = far.listen(MemoryAddress.free(), (ArrayHandler) (from, array) -> {});
        MemoryCable cable = new MemoryCable(listener.address())) {
      Connection connection = near.connect(cable.address());
      var unused = Eventually.get(connection.sendAsync(bytes(1), SendOptions.session()));
      cable.cut();
      // Each is told by another connection's thread.
      Eventually.until(
          "it resumes",
          () -> events.told.containsAll(List.of("broken CONNECTION_RESET", "resumed")));
      unused = Eventually.get(connection.sendAsync(bytes(2), SendOptions.session()));
      connection.close();
      Eventually.until("it closes", () -> events.told.contains("closed in order"));
      assertThat(events.told)
          .containsSubsequence(
              "opened", "acknowledged 0/1 1 byte", "broken CONNECTION_RESET", "closed in order")
          .containsSubsequence(
              "opened",
              "acknowledged 0/1 1 byte",
              "resumed",
              "acknowledged 0/1 2 byte",
              "closed in order")
          .doesNotContain("error CONNECTION_RESET");
      assertThat(events.connections).containsOnly(connection);
    }
  }

  @Test
  void aDescriptionSaysInWordsWhatWasAgreedAndWhatWaits() {
    EngineBench bench =
        EngineBench.acceptor(options().idleTimeout(Duration.ofMinutes(1)))
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, 5000, 64)));
    var unused = bench.connection.sendAsync(bytes(2 * WINDOW), SendOptions.handedOff());
    bench.pump();
    assertThat(bench.connection.describe())
        .startsWith("bench ")
        .contains(" over bench, large arrays staged, open; agreed: frames of version 2")
        .contains("sends encoding raw-le made by codec le in chunks of chunkBytes=1024")
        .contains("without checksums")
        .contains("types float int double")
        .contains("channels=8, subscriptions=64, no session, peer is a test")
        .contains("; out: arraysSent=0, ")
        .contains("queuedArrays=1")
        .contains("queuedBytes[channel 0]=" + (2 * WINDOW + 256))
        .contains("creditLeft[channel 0]=")
        .contains("; in: bytesReceived=")
        .contains("peersCredit=" + WINDOW)
        .contains("heartbeats: one check every PT1.25S, silentChecks=0, at most 13")
        .contains("idleChecks=0, at most 48");
    bench.clock.advance(Duration.ofMillis(1250));
    bench.clock.advance(Duration.ofMillis(1250));
    assertThat(bench.connection.describe()).contains("silentChecks=");
    bench.connection.closeNow();
    bench.pump();
    assertThat(bench.connection.describe()).contains("ended: ").contains("closed here");
  }
}
