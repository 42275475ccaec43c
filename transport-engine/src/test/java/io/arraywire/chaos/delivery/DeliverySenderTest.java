package io.arraywire.chaos.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sender, receiver and checker together, over memory; the programs run over real transports. */
final class DeliverySenderTest {
  private static final Duration LONG = Duration.ofSeconds(100);
  private static final DeliveryLoad LOAD = DeliveryLoad.of(5, 11).arrays(3000);

  private final DeliveryChecker checker = DeliveryChecker.create();
  private final MemoryAddress address = MemoryAddress.free();

  @Test
  void everythingArrivesOnce() throws Exception {
    DeliveryReceiver receiver = DeliveryReceiver.create(checker);
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener = transport.listen(address, receiver)) {
      assertThat(DeliverySender.create(transport, listener.address(), checker, LOAD).run())
          .isTrue();
    }
    DeliveryTotals totals = checker.verdict().assertHolds().totals();
    assertThat(totals.invoked()).isEqualTo(3000);
    assertThat(totals.ok()).isEqualTo(3000);
    assertThat(receiver.damaged()).isZero();
    assertThat(receiver.toString()).contains("arrays=3000");
  }

  @Test
  void aFullQueueFailsForCertainAndConnectionsThatBreakLeaveUnknowns() throws Exception {
    DeliveryReceiver receiver = DeliveryReceiver.create(checker);
    AtomicInteger arrays = new AtomicInteger();
    TransportOptions tight = TransportOptions.builder().sendQueueBytes(1 << 16).build();
    try (InMemoryTransport transport = InMemoryTransport.create(tight);
        Listener listener =
            transport.listen(
                address,
                (connection, array) -> {
                  receiver.onArray(connection, array);
                  if (arrays.incrementAndGet() % 200 == 0) {
                    connection.closeNow();
                  }
                })) {
      assertThat(DeliverySender.create(transport, listener.address(), checker, LOAD).run())
          .isTrue();
    }
    DeliveryTotals totals = checker.verdict().assertHolds().totals();
    assertThat(totals.invoked()).isEqualTo(3000);
    assertThat(totals.ok()).isPositive();
    assertThat(totals.failed()).isPositive();
    assertThat(totals.unknown()).isPositive();
    assertThat(totals.withoutOutcome()).isZero();
  }

  @Test
  void aReceiverThatDropsArraysIsFound() throws Exception {
    DeliveryVerdict verdict = verdictOn((receiver, connection, array) -> {});
    assertThat(verdict.count(ViolationKind.LOST)).isEqualTo(verdict.totals().ok()).isPositive();
  }

  @Test
  void aReceiverThatGetsArraysTwiceIsFound() throws Exception {
    DeliveryVerdict verdict =
        verdictOn((receiver, connection, array) -> {
          receiver.onArray(connection, array);
          receiver.onArray(connection, array);
        });
    assertThat(verdict.count(ViolationKind.DUPLICATED)).isEqualTo(100);
  }

  @Test
  void aChangedElementIsFound() throws Exception {
    DeliveryVerdict verdict =
        verdictOn((receiver, connection, array) -> {
          ArraySlice slice = array.slice();
          if (slice.length() > 0) {
            long bits = ElementBits.get(slice.type(), slice.array(), 0);
            ElementBits.set(slice.type(), slice.array(), 0, bits ^ 1);
          }
          receiver.onArray(connection, array);
        });
    assertThat(verdict.count(ViolationKind.HASH_DIFFERS)).isPositive();
  }

  @FunctionalInterface
  private interface Wrong {
    void onArray(DeliveryReceiver receiver, Connection connection, ReceivedArray array);
  }

  private DeliveryVerdict verdictOn(Wrong wrong) throws Exception {
    DeliveryReceiver receiver = DeliveryReceiver.create(checker);
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(
                address, (connection, array) -> wrong.onArray(receiver, connection, array))) {
      DeliverySender.create(transport, listener.address(), checker, LOAD.arrays(100)).run();
    }
    assertThat(checker.verdict().holds()).isFalse();
    return checker.verdict();
  }

  @Test
  void anArrayWithoutAStampIsAPhantom() throws Exception {
    DeliveryReceiver receiver = DeliveryReceiver.create(checker);
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener = transport.listen(address, receiver);
        Connection connection = transport.connect(listener.address())) {
      connection.send(new int[3]);
      await().atMost(LONG).until(() -> checker.verdict().count(ViolationKind.PHANTOM) == 1);
      assertThat(checker.verdict().toString()).contains("sender=-1");
    }
  }

  @Test
  void anInterruptedSenderLeavesNoSendWithoutOutcome() throws Exception {
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults())) {
      // Closed with the transport: its own close would report the connection that broke.
      Listener listener = transport.listen(address, DeliveryReceiver.create(checker));
      DeliverySender sender =
          DeliverySender.create(transport, listener.address(), checker, DeliveryLoad.of(1, 1));
      Thread thread =
          new Thread(() -> {
            try {
              sender.run();
            } catch (Throwable e) {
              end.complete(e);
            }
          });
      thread.start();
      await().atMost(LONG).until(() -> checker.verdict().totals().ok() > 100);
      thread.interrupt();
      thread.join();
      assertThat(end.getNow(null)).isInstanceOf(InterruptedException.class);
    }
    // Stages are completed by an executor, soon.
    await().atMost(LONG).until(() -> checker.verdict().totals().withoutOutcome() == 0);
    checker.verdict().assertHolds();
  }

  @Test
  void aSenderThatFindsNobodyGivesUp() throws Exception {
    DeliveryLoad impatient = new DeliveryLoad(1, 1, 10, LONG, 1, 100, 1, Duration.ofMillis(20));
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults())) {
      assertThat(DeliverySender.create(transport, address, checker, impatient).run()).isFalse();
    }
  }

  @Test
  void onlyWhatIsDocumentedToComeBeforeTheFirstByteIsCertain() {
    assertThat(Outcomes.of(null)).isEqualTo(DeliveryEvent.OK);
    assertThat(Outcomes.of(new NoRoomException(ErrorCode.SEND_QUEUE_FULL, "")))
        .isEqualTo(DeliveryEvent.FAILED);
    assertThat(Outcomes.of(new TimedOutException(ErrorCode.SEND_TIMEOUT, "")))
        .isEqualTo(DeliveryEvent.FAILED);
    assertThat(Outcomes.of(new ArrayTooLargeException(""))).isEqualTo(DeliveryEvent.FAILED);
    assertThat(
            Outcomes.of(new CompletionException(new TimedOutException(ErrorCode.SEND_TIMEOUT, ""))))
        .isEqualTo(DeliveryEvent.FAILED);
    assertThat(Outcomes.of(new ConnectionClosedException(""))).isEqualTo(DeliveryEvent.UNKNOWN);
    assertThat(Outcomes.of(new ConnectionLostException(ErrorCode.CONNECTION_RESET, "")))
        .isEqualTo(DeliveryEvent.UNKNOWN);
    assertThat(Outcomes.of(new RemoteRejectedException(ErrorCode.REJECTED, "")))
        .isEqualTo(DeliveryEvent.UNKNOWN);
    assertThat(Outcomes.of(new InterruptedException())).isEqualTo(DeliveryEvent.UNKNOWN);
    assertThat(Outcomes.of(new OutOfMemoryError())).isEqualTo(DeliveryEvent.UNKNOWN);
  }

  @Test
  void hashesTellTypesCountsAndEveryBitApart() {
    assertThat(ArrayHash.of(ArraySlice.of(new int[2])))
        .isNotEqualTo(ArrayHash.of(ArraySlice.of(new int[3])))
        .isNotEqualTo(ArrayHash.of(ArraySlice.of(new float[2])));
    DeliveryStamp stamp = new DeliveryStamp(new DeliveryStream(1, 2, 3), 4, 5);
    for (ElementType type : ElementType.values()) {
      ArraySlice array = stamp.array(type, 10);
      long hash = ArrayHash.of(array);
      assertThat(ArrayHash.of(stamp.array(type, 10))).isEqualTo(hash);
      int bits = type == ElementType.BOOLEAN ? 1 : type.bytes() * 8;
      for (int bit = 0; bit < 10 * bits; bit++) {
        long before = ElementBits.get(type, array.array(), bit / bits);
        ElementBits.set(type, array.array(), bit / bits, before ^ 1L << bit % bits);
        assertThat(ArrayHash.of(array)).isNotEqualTo(hash);
        ElementBits.set(type, array.array(), bit / bits, before);
      }
      assertThat(ArrayHash.of(array)).isEqualTo(hash);
    }
  }
}
