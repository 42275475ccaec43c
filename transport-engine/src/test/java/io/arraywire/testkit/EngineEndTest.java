package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Output;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.MemoryKind;
import io.arraywire.testkit.EngineBench.Recorder;
import io.arraywire.testkit.EngineBench.TargetingRecorder;
import io.arraywire.testkit.Takers.Taker;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end, and what becomes of what is in flight. */
class EngineEndTest {
  private static final float[] FLOATS = {1, 2, 3, 4, 5};

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED);
  }

  private static RawFrame array(long sequence) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(FLOATS));
  }

  /** Half of an array of ten thousand floats, and the other half. */
  private static byte[][] halves(long sequence) {
    float[] floats = new float[10_000];
    Arrays.fill(floats, 7);
    byte[] bytes =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(floats)).bytes();
    int half = bytes.length / 2;
    return new byte[][] {Arrays.copyOf(bytes, half), Arrays.copyOfRange(bytes, half, bytes.length)};
  }

  private static RawFrame goodbye() {
    return RawFrame.control(FrameType.GOODBYE, 0);
  }

  private static CompletableFuture<Receipt> send(EngineBench bench, Object array, SendOptions how) {
    return bench.connection.sendAsync(ArraySlice.ofArray(array), how).toCompletableFuture();
  }

  // The orderly end.

  @Test
  void aGoodbyeIsAnsweredAndEndsTheConnection() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.feed(array(1)).feed(goodbye());
    assertThat(bench.frames())
        .extracting(RawFrame::type)
        .containsExactlyInAnyOrder(FrameType.ACK, FrameType.GOODBYE);
    assertThat(bench.outputShut).isTrue();
    assertThat(bench.connection.isOpen()).isFalse();
    assertThat(send(bench, FLOATS, SendOptions.handedOff()))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ConnectionClosedException.class)
        .withMessageContaining("by the peer");
    bench.end();
    bench.assertEnded(null);
  }

  @Test
  void aGoodbyeWaitsForWhatWasAccepted() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.writable = 1000;
    CompletableFuture<Receipt> large = send(bench, new float[100_000], SendOptions.handedOff());
    CompletableFuture<Receipt> acknowledged = send(bench, FLOATS, SendOptions.processed());
    bench.feed(goodbye());
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(large).isCompleted();
    assertThat(bench.frames()).extracting(RawFrame::type).doesNotContain(FrameType.GOODBYE);
    assertThat(acknowledged).isNotDone();
    bench.feed(RawFrame.control(FrameType.ACK, 2));
    assertThat(acknowledged).isCompleted();
    assertThat(bench.frames()).extracting(RawFrame::type).containsExactly(FrameType.GOODBYE);
    assertThat(bench.outputShut).isTrue();
    bench.end();
    bench.assertEnded(null);
  }

  @Test
  void aRefusalIsAnAnswerToo() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    CompletableFuture<Receipt> refused = send(bench, FLOATS, SendOptions.processed());
    CompletableFuture<Receipt> second = send(bench, FLOATS, SendOptions.processed());
    bench.core.beginClose();
    bench.pump();
    bench.feed(
        RawFrame.control(
            FrameType.REJECTED,
            1,
            FaultBody.write(new ArraywireException(ErrorCode.REJECTED, "no", "why", 3))));
    assertThat(refused)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(RemoteRejectedException.class)
        .withMessageContaining("no (why=3)");
    assertThat(second).isNotDone();
    bench.feed(
        RawFrame.control(
            FrameType.REJECTED,
            2,
            FaultBody.write(new ArraywireException(ErrorCode.CONNECTION_CLOSED, "bye"))));
    assertThat(second)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ConnectionClosedException.class);
    assertThat(bench.frame(FrameType.GOODBYE)).isNotNull();
    bench.feed(goodbye()).end();
    bench.assertEnded(null);
  }

  @Test
  void acknowledgementsStillFollowThisSidesGoodbye() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.core.beginClose();
    bench.pump();
    assertThat(bench.frame(FrameType.GOODBYE)).isNotNull();
    assertThat(bench.outputShut).isFalse();
    bench.feed(array(1));
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.frame(FrameType.ACK).header().sequence).isEqualTo(1);
    bench.feed(goodbye());
    assertThat(bench.outputShut).isTrue();
    assertThat(bench.frames()).isEmpty();
    bench.end();
    bench.assertEnded(null);
  }

  @Test
  void nothingFollowsTheEndOfOutput() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.holdTasks = true;
    bench.feed(array(1)).feed(goodbye());
    assertThat(bench.outputShut).isTrue();
    bench.frames();
    // The handler comes to it only now.
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(Output.isEnd(bench.wire.output())).isTrue();
    bench.end();
    bench.assertEnded(null);
  }

  @Test
  void aHandlerHasEverythingThatCameBeforeTheEnd() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.holdTasks = true;
    for (int i = 1; i <= 100; i++) {
      bench.feed(array(i));
    }
    bench.feed(goodbye()).end();
    assertThat(bench.isEnded()).isTrue();
    bench.holdTasks = false;
    bench.pump();
    assertThat(bench.handler.arrays).hasSize(100);
    bench.assertEnded(null);
  }

  @Test
  void aPeerThatOnlyCloses() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    CompletableFuture<Receipt> sent = send(bench, FLOATS, SendOptions.processed());
    bench.end();
    bench.assertFailed(ErrorCode.CONNECTION_RESET);
    assertThat(bench.handler.cause)
        .hasMessageContaining("without a goodbye")
        .hasMessageContaining("peer=memory:there");
    assertThat(sent)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeliveryUnknownException.class)
        .withRootCauseInstanceOf(ConnectionLostException.class);
  }

  @Test
  void aChannelThatBreaks() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.writable = 100;
    List<CompletableFuture<Receipt>> sends =
        List.of(
            send(bench, new float[50_000], SendOptions.handedOff()),
            send(bench, FLOATS, SendOptions.handedOff()),
            send(bench, FLOATS, SendOptions.processed()));
    bench.pump();
    bench.wire.failed(new IOException("wire cut"));
    bench.assertFailed(ErrorCode.CONNECTION_RESET);
    assertThat(bench.handler.cause).hasMessageContaining("wire cut");
    for (CompletableFuture<Receipt> sent : sends.subList(0, 2)) {
      assertThat(sent)
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withCauseInstanceOf(ConnectionLostException.class);
    }
    // It was whole in the batch of which the channel took a part.
    assertThat(sends.get(2))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeliveryUnknownException.class)
        .withRootCauseInstanceOf(IOException.class)
        .withMessageContaining("wire cut");
  }

  @Test
  void howAChannelEndsAfterBothGoodbyesDoesNotMatter() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.feed(goodbye());
    bench.wire.failed(new IOException("Connection reset by peer"));
    bench.assertEnded(null);
  }

  // The end by an error.

  @Test
  void anErrorFrameComesAfterWhatWasBegunAndBeforeTheRest() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.writable = 1000;
    CompletableFuture<Receipt> large = send(bench, new float[400_000], SendOptions.handedOff());
    bench.pump();
    bench.feed(array(5));
    assertThat(large).isCompletedExceptionally();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames.get(frames.size() - 1).type()).isEqualTo(FrameType.ERROR);
    EngineBench.fault(frames.get(frames.size() - 1), ErrorCode.SEQUENCE_GAP);
    assertThat(frames.size()).isLessThan(9);
    assertThat(bench.outputShut).isTrue();
    // What the peer still sends is read and dropped, so that it gets to read the error.
    bench.feed(new byte[100_000]);
    assertThat(bench.linkClosed).isFalse();
    bench.clock.advance(Duration.ofSeconds(30));
    bench.assertFailed(ErrorCode.SEQUENCE_GAP);
  }

  @Test
  void anAcknowledgementDoesNotFollowAnError() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.holdTasks = true;
    bench.writable = 0;
    bench.feed(array(1)).feed(array(3));
    bench.holdTasks = false;
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(bench.handler.arrays).hasSize(1);
    bench.error(ErrorCode.SEQUENCE_GAP);
    bench.end();
    bench.assertFailed(ErrorCode.SEQUENCE_GAP);
  }

  @Test
  void nothingIsWrittenOnceTheConnectionHasFailed() {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.writable = 100;
    send(bench, new float[50_000], SendOptions.handedOff());
    bench.pump();
    bench.connection.closeNow();
    assertThat(bench.wire.output()).isNull();
    bench.assertEnded(null);
  }

  // Receivers.

  @Test
  void receiversAreServedInTurn() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Takers takers = new Takers(bench.connection);
    List<Taker<ReceivedArray>> waiting = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      waiting.add(takers.begin(bench.connection::receive));
    }
    for (int i = 1; i <= 5; i++) {
      bench.feed(array(i));
    }
    for (int i = 1; i <= 5; i++) {
      assertThat(waiting.get(i - 1).get().header().sequence()).isEqualTo(i);
    }
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void aTargetThatDoesNotFitLosesNothing() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Takers takers = new Takers(bench.connection);
    Taker<ReceivedArray> small =
        takers.begin(() -> bench.connection.receiveInto(ArraySlice.of(new float[4])));
    Taker<ReceivedArray> other =
        takers.begin(() -> bench.connection.receiveInto(ArraySlice.of(new int[5])));
    float[] target = new float[7];
    Taker<ReceivedArray> right =
        takers.begin(() -> bench.connection.receiveInto(ArraySlice.of(target, 1, 6)));
    bench.feed(array(1));
    assertThat(small.failure())
        .isInstanceOf(TargetMismatchException.class)
        .hasMessageContaining("count=5")
        .hasMessageContaining("room=4");
    assertThat(other.failure())
        .isInstanceOf(TargetMismatchException.class)
        .hasMessageContaining("arrayType=float")
        .hasMessageContaining("targetType=int");
    ReceivedArray received = right.get();
    assertThat(received.slice().offset()).isEqualTo(1);
    assertThat(received.count()).isEqualTo(5);
    assertThat(target).isEqualTo(new float[] {0, 1, 2, 3, 4, 5, 0});
    // The same when the array is there first.
    bench.feed(array(2));
    assertThatThrownBy(() -> bench.connection.receiveInto(ArraySlice.of(new float[4])))
        .isInstanceOf(TargetMismatchException.class);
    assertThatThrownBy(() -> bench.connection.receiveInto(ArraySlice.of(new double[5])))
        .isInstanceOf(TargetMismatchException.class);
    assertThat(bench.connection.receiveInto(ArraySlice.of(target, 0, 5)).header().sequence())
        .isEqualTo(2);
    assertThat(target).isEqualTo(new float[] {1, 2, 3, 4, 5, 5, 0});
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  /** In plain mode, where a peer is held up by not being read. */
  private static byte[] plain(int count) {
    return ByteBuffer.allocate(Integer.BYTES + count * Float.BYTES).putInt(count).array();
  }

  @Test
  void anArrayLargerThanTheBudgetWaitsForAReceiver() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(
            Role.ACCEPTOR, options().plain(ElementType.FLOAT).inboxBytes(3 * 276));
    for (int i = 1; i <= 4; i++) {
      bench.feed(plain(5));
    }
    // Three fit the budget; the fourth is where reading stops.
    assertThat(bench.isPaused()).isTrue();
    assertThat(bench.connection.describe())
        .contains("waitingArrays=3")
        .contains("reading stopped until an array is taken");
    for (int i = 1; i <= 4; i++) {
      assertThat(bench.connection.receive().header().sequence()).isEqualTo(i);
      bench.pump();
    }
    assertThat(bench.isPaused()).isFalse();
    bench.feed(plain(10_000));
    assertThat(bench.isPaused()).isTrue();
    Taker<LeasedArray> lease = new Takers(bench.connection).begin(bench.connection::receiveLeased);
    bench.pump();
    assertThat(bench.isPaused()).isFalse();
    lease.get().close();
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void aHandlerGetsItsNextArrayHoweverLarge() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.FLOAT).inboxBytes(0));
    bench.feed(plain(10_000), plain(5), plain(5));
    assertThat(bench.handler.arrays).hasSize(3);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @Test
  void anInterruptedReceiverHasItsArrayBackAtOnce() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    float[] target = new float[10_000];
    Taker<ReceivedArray> taker =
        new Takers(bench.connection)
            .begin(() -> bench.connection.receiveInto(ArraySlice.of(target)));
    byte[][] halves = halves(1);
    bench.feed(halves[0]);
    assertThat(target[0]).isEqualTo(7);
    taker.interrupt();
    assertThat(taker.failure()).isInstanceOf(InterruptedException.class);
    float[] before = target.clone();
    bench.feed(halves[1]);
    assertThat(target).as("touched after its receiver had left").isEqualTo(before);
    float[] received = bench.connection.receive().floats();
    assertThat(received).hasSize(10_000).containsOnly(7);
    bench.feed(array(2));
    assertThat(bench.connection.receive().floats()).isEqualTo(FLOATS);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  /** An array that has begun goes to the next receiver before it is whole. */
  @Test
  void interruptedReceiversOfEveryKindLoseNothing() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    long sequence = 0;
    for (int first = 0; first < 3; first++) {
      for (int second = 0; second < 3; second++) {
        Taker<?> taker = take(bench, first);
        byte[][] halves = halves(++sequence);
        bench.feed(halves[0]);
        taker.interrupt();
        assertThat(taker.failure()).isInstanceOf(InterruptedException.class);
        Taker<?> next = take(bench, second, true);
        bench.feed(halves[1]);
        Object taken = next.get();
        float[] floats;
        if (taken instanceof LeasedArray lease) {
          floats = new float[lease.header().count()];
          lease.copyTo(ArraySlice.of(floats));
          lease.close();
        } else {
          floats = ((ReceivedArray) taken).floats();
        }
        assertThat(floats).hasSize(10_000).containsOnly(7);
      }
    }
    // Nobody takes this one.
    Taker<?> taker = take(bench, 2);
    byte[][] halves = halves(++sequence);
    bench.feed(halves[0]);
    taker.interrupt();
    assertThat(taker.failure()).isInstanceOf(InterruptedException.class);
    bench.feed(halves[1]);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  private static Taker<?> take(EngineBench bench, int kind) {
    return take(bench, kind, false);
  }

  private static Taker<?> take(EngineBench bench, int kind, boolean insideArray) {
    Takers takers = new Takers(bench.connection);
    Callable<?> call =
        switch (kind) {
          case 0 -> bench.connection::receive;
          case 1 -> {
            ArraySlice target = ArraySlice.of(new float[10_000]);
            yield () -> bench.connection.receiveInto(target);
          }
          default -> bench.connection::receiveLeased;
        };
    return insideArray ? takers.beginInsideArray(call) : takers.begin(call);
  }

  @Test
  void anInterruptedReceiverLeavesTheLine() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Takers takers = new Takers(bench.connection);
    Taker<ReceivedArray> first = takers.begin(bench.connection::receive);
    Taker<ReceivedArray> second = takers.begin(bench.connection::receive);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    bench.feed(array(1));
    assertThat(second.get().header().sequence()).isEqualTo(1);
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void anAbortedArraysReceiverGetsTheNext() throws Exception {
    for (int kind = 0; kind < 3; kind++) {
      EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
      Taker<?> taker = take(bench, kind);
      float[] floats = new float[20_000];
      byte[] payload =
          RawFrame.payload(Encoding.RAW_LITTLE_ENDIAN, ArraySlice.of(floats, 0, 10_000));
      bench.feed(
          RawFrame.array(1, ElementType.FLOAT.code(), 1, 10_000, payload)
              .withPayload(Arrays.copyOf(payload, 20_000)));
      bench.feed(RawFrame.control(FrameType.ABORT, 1)).feed(array(2));
      Object taken = taker.get();
      if (taken instanceof LeasedArray lease) {
        assertThat(lease.header().sequence()).isEqualTo(2);
        assertThat(lease.floats(0).get(4)).isEqualTo(5);
        lease.close();
      } else {
        assertThat(((ReceivedArray) taken).header().sequence()).isEqualTo(2);
      }
      bench.connection.closeNow();
      bench.pump();
      bench.assertNothingLeaks();
    }
  }

  @Test
  void anAbortedArrayNeedNotHaveAReceiver() throws Exception {
    EngineBench bench = EngineBench.acceptor(options(), new TargetingRecorder()).open();
    byte[] payload = new byte[40];
    bench.feed(
        RawFrame.array(1, ElementType.FLOAT.code(), 1, 10, payload).withPayload(new byte[20]));
    bench.feed(RawFrame.control(FrameType.ABORT, 1)).feed(array(2));
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).header().sequence()).isEqualTo(2);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whatFailsInTheMiddleIsNotDelivered(int kind) throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Taker<?> taker = take(bench, kind);
    byte[][] halves = halves(1);
    bench.feed(halves[0]);
    // Something else fails while the reading thread goes on with the array.
    bench.wire.failed(new IllegalStateException("for the test"));
    bench.wire.input(ByteBuffer.wrap(halves[1]), true);
    bench.wire.input(ByteBuffer.wrap(array(2).bytes()), true);
    assertThat(taker.failure()).hasMessageContaining("for the test");
    assertThatThrownBy(bench.connection::receive)
        .isInstanceOf(ArraywireException.class)
        .hasMessageContaining("for the test");
    bench.pump();
    assertThat(bench.isEnded()).isTrue();
    bench.assertNothingLeaks();
  }

  @Test
  void whatFailsInTheMiddleWithoutAReceiverIsNotDelivered() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    byte[][] halves = halves(1);
    bench.feed(halves[0]);
    bench.wire.failed(new IllegalStateException("for the test"));
    bench.wire.input(ByteBuffer.wrap(halves[1]), true);
    assertThatThrownBy(bench.connection::receive).hasMessageContaining("for the test");
    bench.pump();
  }

  /**
   * The closing caller is told in time, though the transport's threads never give the memory back.
   */
  @Test
  void closingWaitsForNoThreadThatDoesNotReturn() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().closeTimeout(Duration.ofMillis(50)))
            .open();
    Running<Boolean> closing =
        Running.start(() -> {
          bench.connection.close();
          return true;
        });
    assertThat(closing.failure())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.CLOSE_TIMEOUT::isOf)
        .hasMessageContaining("did not say goodbye in time");
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void closingSaysThatAcknowledgementsAreMissing() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().closeTimeout(Duration.ofMillis(50)))
            .open();
    var unacknowledged =
        bench.connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.processed());
    bench.pump();
    assertThat(bench.failureOfClosing())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.CLOSE_TIMEOUT::isOf)
        .hasMessageContaining("the peer did not acknowledge everything in time");
    bench.pump();
    assertThat(unacknowledged.toCompletableFuture()).isCompletedExceptionally();
    bench.assertNothingLeaks();
  }

  @Test
  void closingRefusesWhatNobodyHasTaken() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().closeTimeout(Duration.ofSeconds(60)))
            .open();
    byte[][] halves = halves(3);
    bench.feed(array(1)).feed(array(2)).feed(halves[0]);
    assertThat(bench.connection.receive().header().sequence()).isEqualTo(1);
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(() -> {
          try {
            bench.connection.close();
          } catch (ArraywireException e) {
            throw new IllegalStateException(e);
          }
        });
    while (!bench.connection.describe().contains("closing")
        || bench.connection.describe().contains("waitingArrays=1")) {
      Thread.yield();
    }
    bench.feed(halves[1]).feed(array(4));
    List<RawFrame> frames = bench.frames();
    assertThat(frames.stream().filter(f -> f.type() == FrameType.REJECTED))
        .extracting(frame -> frame.header().sequence)
        .containsExactly(2L, 3L, 4L);
    for (RawFrame frame : frames) {
      if (frame.type() == FrameType.REJECTED) {
        EngineBench.fault(frame, ErrorCode.CONNECTION_CLOSED);
      } else if (frame.type() == FrameType.ACK) {
        assertThat(frame.header().sequence).isEqualTo(1);
      }
    }
    assertThatThrownBy(bench.connection::receive).isInstanceOf(ConnectionClosedException.class);
    bench.feed(goodbye()).end();
    closed.get();
    bench.assertNothingLeaks();
  }

  // Memory.

  @Test
  void aPoolWithoutMemoryFailsTheConnectionAlone() throws Exception {
    for (MemoryKind kind : MemoryKind.values()) {
      EngineBench bench = EngineBench.acceptor(options()).open();
      bench.memory.refuse(kind);
      CompletableFuture<Receipt> sent = send(bench, FLOATS, SendOptions.handedOff());
      bench.pump();
      if (kind == MemoryKind.DIRECT) {
        assertThat(sent)
            .failsWithin(Duration.ZERO)
            .withThrowableThat()
            .withCauseInstanceOf(NoRoomException.class);
        bench.assertFailed(ErrorCode.ALLOCATION_FAILED);
        assertThat(bench.handler.cause).hasCauseInstanceOf(OutOfMemoryError.class);
      } else {
        assertThat(sent).isCompleted();
      }
    }
  }

  @Test
  void aPoolWithoutMemoryForALease() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Taker<LeasedArray> lease = new Takers(bench.connection).begin(bench.connection::receiveLeased);
    byte[][] halves = halves(1);
    bench.feed(Arrays.copyOf(halves[0], 10));
    bench.memory.refuseLargerThan(20_000);
    bench.feed(Arrays.copyOfRange(halves[0], 10, 5000));
    assertThat(lease.failure())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf);
    bench.error(ErrorCode.ALLOCATION_FAILED);
    bench.end();
    bench.assertNothingLeaks();
  }

  @Test
  void aPoolWithoutMemoryForALeaseOfWhatIsArriving() throws Exception {
    Offer peer = EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 0, 64));
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open(peer);
    byte[][] halves = halves(1);
    bench.feed(halves[0]);
    bench.memory.refuseLargerThan(10_000);
    Running<LeasedArray> lease = Running.start(bench.connection::receiveLeased);
    assertThat(lease.failure())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf);
    bench.memory.refuseLargerThan(Integer.MAX_VALUE);
    bench.clock.advance(Duration.ofMillis(1));
    bench.pump();
    bench.error(ErrorCode.ALLOCATION_FAILED);
    bench.feed(halves[1]).end();
    bench.assertNothingLeaks();
  }

  @Test
  void anErrorFrameWithoutMemory() throws Exception {
    // Not even an error frame can be written.
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.memory.refuse(MemoryKind.DIRECT, MemoryKind.HEAP);
    bench.wire.input(ByteBuffer.wrap(array(7).bytes()), true);
    bench.pump();
    bench.assertFailed(ErrorCode.SEQUENCE_GAP);
  }

  @Test
  void remoteErrorsFailWhatWaits() throws Exception {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options()).open();
    Taker<ReceivedArray> taker = new Takers(bench.connection).begin(bench.connection::receive);
    CompletableFuture<Receipt> sent = send(bench, FLOATS, SendOptions.processed());
    bench.pump();
    bench.feed(
        RawFrame.control(
            FrameType.ERROR,
            0,
            FaultBody.write(new ProtocolException(ErrorCode.BAD_LENGTH, "too long", "limit", 7))));
    assertThat(taker.failure())
        .isInstanceOf(RemoteErrorException.class)
        .hasMessageContaining("too long (limit=7)");
    assertThat(sent)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeliveryUnknownException.class)
        .withRootCauseInstanceOf(RemoteErrorException.class);
    assertThat(bench.linkClosed).isTrue();
  }

  // Handlers.

  @Test
  void aHandlerMayCloseItsConnection() {
    for (boolean now : new boolean[] {false, true}) {
      EngineBench bench =
          EngineBench.acceptor(
                  options(),
                  new Recorder() {
                    @Override
                    public void onArray(Connection connection, ReceivedArray array)
                        throws Exception {
                      super.onArray(connection, array);
                      if (now) {
                        connection.closeNow();
                      } else {
                        connection.close();
                      }
                    }
                  })
              .open();
      bench.feed(array(1));
      if (!now) {
        bench.feed(array(2)).feed(goodbye()).end();
        assertThat(bench.handler.arrays).hasSize(2);
        assertThat(bench.frames())
            .extracting(RawFrame::type)
            .contains(FrameType.ACK, FrameType.GOODBYE);
      }
      bench.assertEnded(null);
    }
  }

  @Test
  void aHandlerMayAnswer() throws Exception {
    EngineBench bench =
        EngineBench.acceptor(
                options(),
                new Recorder() {
                  @Override
                  public void onArray(Connection connection, ReceivedArray array) throws Exception {
                    super.onArray(connection, array);
                    connection.sendAsync(array.slice(), SendOptions.handedOff());
                  }
                })
            .open();
    bench.feed(array(1)).feed(array(2));
    assertThat(bench.frames().stream().filter(f -> f.type() == FrameType.ARRAY)).hasSize(2);
    bench.connection.closeNow();
    bench.assertEnded(null);
  }

  @Test
  void onClosedThatThrowsIsSurvived() {
    EngineBench bench =
        EngineBench.acceptor(
                options(),
                new Recorder() {
                  @Override
                  public void onClosed(Connection connection, ArraywireException cause) {
                    super.onClosed(connection, cause);
                    throw new IllegalStateException("at the very end");
                  }
                })
            .open();
    bench.feed(goodbye()).end();
    bench.assertEnded(null);
  }

  static List<Runnable> executorsThatFail() {
    return List.of(
        () -> {
          throw new RejectedExecutionException("for the test");
        },
        () -> {
          throw new IllegalStateException("for the test");
        },
        () -> {
          throw new OutOfMemoryError("for the test");
        });
  }

  @ParameterizedTest
  @MethodSource
  void executorsThatFail(Runnable executor) {
    EngineBench bench = EngineBench.acceptor(options()).open();
    bench.onTask = task -> executor.run();
    CompletableFuture<Receipt> sent = send(bench, FLOATS, SendOptions.handedOff());
    bench.feed(array(1));
    bench.clock.advance(Duration.ofMillis(1));
    bench.pump();
    assertThat(bench.error(ErrorCode.INTERNAL)).contains("executor");
    bench.end();
    assertThat(bench.isEnded()).isTrue();
    assertThat(sent).isDone();
    bench.assertNothingLeaks();
  }

  static Stream<Consumer<Runnable>> inPlace() {
    return Stream.of(
        // A pool that is full may have its callers run what it cannot.
        Runnable::run,
        task -> {
          try {
            task.run();
          } catch (Throwable e) {
            throw new AssertionError("lost in an executor that catches what tasks throw", e);
          }
        });
  }

  /** The array that came and the end are told, but elsewhere. */
  @ParameterizedTest
  @MethodSource
  void inPlace(Consumer<Runnable> executor) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger ends = new AtomicInteger();
    EngineBench.Recorder handler =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            threads.add(Thread.currentThread());
          }

          @Override
          public void onClosed(Connection connection, @Nullable ArraywireException cause) {
            threads.add(Thread.currentThread());
            ends.incrementAndGet();
          }
        };
    EngineBench bench = EngineBench.acceptor(options(), handler).open();
    bench.onTask = executor;
    // What was run is not run again.
    bench.dropsTasks = true;
    bench.feed(array(1));
    bench.clock.advance(Duration.ofMillis(1));
    bench.pump();
    assertThat(bench.error(ErrorCode.INTERNAL))
        .contains("the handler executor runs tasks in the thread that hands them in");
    bench.end();
    assertThat(bench.isEnded()).isTrue();
    Eventually.until("the handler is told", () -> ends.get() > 0);
    assertThat(ends).hasValue(1);
    assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
    bench.assertNothingLeaks();
  }

  @Test
  void anExecutorThatTakesATaskAndFailsHasEachArrayHandledOnce() {
    AtomicReference<EngineBench> at = new AtomicReference<>();
    EngineBench.Recorder handler =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            super.onArray(connection, array);
            // Stands for another thread of the executor.
            Runnable other = at.get().tasks.poll();
            if (other != null) {
              other.run();
            }
          }
        };
    EngineBench bench = EngineBench.acceptor(options(), handler).open();
    at.set(bench);
    bench.holdTasks = true;
    bench.onTask =
        task -> {
          bench.tasks.add(task);
          throw new IllegalStateException("for the test");
        };
    bench.feed(array(1));
    bench.clock.advance(Duration.ofMillis(1));
    bench.pump();
    assertThat(bench.tasks).hasSize(2);
    bench.holdTasks = false;
    bench.pump();
    assertThat(handler.arrays).hasSize(1);
    assertThat(handler.closed).isEqualTo(1);
  }

  // Plain mode.

  @Test
  void plainPeersMayHalfClose() {
    EngineBench bench = EngineBench.withoutHandler(Role.ACCEPTOR, options().plain(ElementType.INT));
    bench.feed(new byte[] {0, 0, 0, 1, 0, 0, 0, 7}).end();
    assertThat(bench.linkClosed).isFalse();
    CompletableFuture<Receipt> sent = send(bench, new int[] {1, 2}, SendOptions.handedOff());
    bench.pump();
    assertThat(sent).isCompleted();
    assertThat(bench.outBytes()).containsExactly(0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2);
    bench.core.beginClose();
    bench.pump();
    assertThat(bench.isEnded()).isTrue();
    bench.assertNothingLeaks();
  }

  @Test
  void plainHandlersCloseWhenThePeerHas() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.INT));
    bench.feed(new byte[] {0, 0, 0, 1, 0, 0, 0, 7}).end();
    assertThat(bench.handler.arrays).hasSize(1);
    bench.assertEnded(null);
  }

  @Test
  void plainModeNeedsACodecForIt() {
    EngineBench bench =
        EngineBench.acceptor(
            TransportOptions.builder().codecs(EngineBench.RAW_LE).plain(ElementType.INT));
    bench.assertFailed(ErrorCode.NEGOTIATION_FAILED);
    assertThat(bench.handler.cause).hasMessageContaining("codecs=[le]");
  }

  @Test
  void plainStreamsThatAreCut() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.INT));
    bench.feed(new byte[] {0, 0, 0, 2, 0, 0, 0, 7}).end();
    bench.assertFailed(ErrorCode.TRUNCATED);
    assertThat(bench.handler.cause)
        .hasMessageContaining("received=4")
        .hasMessageContaining("expected=8");
  }
}
