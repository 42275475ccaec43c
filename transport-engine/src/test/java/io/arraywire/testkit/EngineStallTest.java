package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Arrays that make no progress: what is logged of them, and when a send gives up. */
class EngineStallTest {
  static final int WINDOW = 8 << 10;
  private static final int ALL = 20 << 10;
  private static final Duration LOOK = Duration.ofMillis(1250);

  /** What a wait of 5 s takes at least and at most. */
  static final int LOOKS = 4;

  private final RecordedLog log = new RecordedLog();

  @AfterEach
  void end() {
    log.close();
  }

  static TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .chunkBytes(1024)
        .inboxBytes(WINDOW)
        .heartbeatInterval(Duration.ofHours(1))
        .heartbeatTimeout(Duration.ofHours(4))
        .stallTimeout(Duration.ofHours(1));
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(options())
        .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
  }

  private static RawFrame credit(long onChannel) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.tag = onChannel;
          header.count = onChannel + ALL;
        });
  }

  private static CompletableFuture<Receipt> sendAsync(
      EngineBench bench, int channel, int bytes, SendOptions options) {
    CompletableFuture<Receipt> sent =
        bench
            .connection
            .channel(channel)
            .sendAsync(ArraySlice.of(new byte[bytes]), options)
            .toCompletableFuture();
    bench.pump();
    return sent;
  }

  static void looks(EngineBench bench, int times) {
    for (int i = 0; i < times; i++) {
      bench.clock.advance(LOOK);
    }
  }

  // Warnings.

  @Test
  void anArrayThatThePeerDoesNotReceiveIsLoggedAfterFiveSeconds() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> sent = sendAsync(bench, 3, 3 * WINDOW, SendOptions.handedOff());
    looks(bench, LOOKS);
    assertThat(log.with("has waited")).isEmpty();
    looks(bench, 1);
    assertThat(log.with("has waited"))
        .singleElement()
        .asString()
        .startsWith(
            "send on channel 3 has waited 5 s for the peer to receive: nobody at the far end")
        .contains("receive()", "accept()", "peer=")
        .hasSizeLessThan(300);
    looks(bench, 3);
    assertThat(log.with("has waited")).as("said once").hasSize(1);
    looks(bench, LOOKS);
    assertThat(log.with("has waited 10 s")).hasSize(1);
    assertThat(sent).as("sendTimeout is not over").isNotDone();
  }

  @Test
  void anArrayThatMovesNowAndThenIsNotLogged() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> sent = sendAsync(bench, 0, 8 * WINDOW, SendOptions.handedOff());
    for (int i = 1; i <= 20; i++) {
      looks(bench, 3);
      bench.feed(credit(WINDOW + i * 1100));
    }
    assertThat(log.with("has waited")).isEmpty();
    assertThat(sent).isNotDone();
  }

  @Test
  void anArrayThatTheFarHandlerDoesNotFinishIsLogged() {
    EngineBench bench = bench();
    CompletableFuture<Receipt> sent = sendAsync(bench, 0, 10, SendOptions.processed());
    looks(bench, LOOKS + 1);
    assertThat(log.with("has waited 5 s"))
        .singleElement()
        .asString()
        .contains("for the far side to process an array", "its handler has not returned");
    assertThat(sent).isNotDone();
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    assertThat(sent).isCompleted();
  }

  @Test
  void whatChannelsHoldTogetherIsNamed() {
    EngineBench bench = bench();
    for (int channel = 0; channel < 4; channel++) {
      sendAsync(bench, channel, WINDOW / 2 + 1024, SendOptions.handedOff());
    }
    looks(bench, LOOKS + 1);
    assertThat(log.with("for the peer to receive on other channels")).isNotEmpty();
  }

  @Test
  void aReceiveIsLoggedThatWaitsWhileArraysWaitOnAnotherChannel() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options())
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    Takers.Taker<ReceivedArray> taker =
        new Takers(bench.connection).begin(() -> bench.connection.receive());
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[7]))
            .with(header -> header.channel = 3));
    bench.clock.advance(Duration.ofSeconds(4));
    assertThat(log.with("receive on channel")).isEmpty();
    for (int i = 0; i < 8; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(log.with("receive on channel"))
        .as("said once")
        .singleElement()
        .asString()
        .startsWith("receive on channel 0 has waited 5 s, while 1 arrays wait on channel 3")
        .contains("channel(3).receive()", "peer=")
        .hasSizeLessThan(300);
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[5])));
    assertThat(taker.get().header().count()).isEqualTo(5);
  }

  /** A server waits for hours; what keeps a program from getting its answer is its own array. */
  @Test
  void aReceiveThatWaitsIsNotLoggedButWhatItsProgramCannotSendIs() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options())
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    Takers.Taker<ReceivedArray> taker =
        new Takers(bench.connection).begin(() -> bench.connection.receive());
    looks(bench, 100 * LOOKS);
    assertThat(log.with("has waited")).isEmpty();
    CompletableFuture<Receipt> sent = sendAsync(bench, 0, 3 * WINDOW, SendOptions.handedOff());
    looks(bench, LOOKS + 1);
    assertThat(log.with("has waited"))
        .singleElement()
        .asString()
        .startsWith("send on channel 0 has waited 5 s for the peer to receive: nobody at the far")
        .contains("to send to yourself, use two threads");
    assertThat(sent).isNotDone();
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[5])));
    assertThat(taker.get().header().count()).isEqualTo(5);
  }

  @Test
  void nothingIsLookedAfterWhenNothingWaits() {
    EngineBench bench = bench();
    int before = bench.clock.waiting();
    assertThat(sendAsync(bench, 0, 10, SendOptions.handedOff())).isCompleted();
    assertThat(bench.clock.waiting()).isEqualTo(before + 1);
    looks(bench, 2);
    assertThat(bench.clock.waiting()).isEqualTo(before);
    assertThat(log.with("has waited")).isEmpty();
  }

  /** Sends back what it gets, and waits for that. */
  private static final class Echo extends EngineBench.Recorder {
    volatile @Nullable Throwable thrown;

    @Override
    public void onArray(Connection connection, ReceivedArray array) throws Exception {
      try {
        connection.send(array.slice(), SendOptions.processed());
      } catch (Exception e) {
        thrown = e;
        throw e;
      }
    }
  }

  @Test
  void aHandlerThatWaitsForTheFarSideIsNamed() throws Exception {
    Echo echo = new Echo();
    EngineBench bench =
        EngineBench.acceptor(options(), echo)
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    bench.holdTasks = true;
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[3])));
    Runnable task = bench.tasks.remove();
    bench.writerWoken = false;
    Running<Void> handler =
        Running.start(() -> {
          task.run();
          return null;
        });
    Eventually.until("the handler sends", () -> bench.writerWoken);
    Eventually.until(
        "the handler waits for the array, and not for a lock on the way there",
        () ->
            (handler.thread().getState() == Thread.State.TIMED_WAITING
                    || handler.thread().getState() == Thread.State.WAITING)
                && Arrays.stream(handler.thread().getStackTrace())
                    .anyMatch(frame -> frame.getClassName().endsWith(".ReusableFuture")));
    bench.pump();
    looks(bench, LOOKS + 1);
    assertThat(log.with("has waited 5 s"))
        .singleElement()
        .asString()
        .contains("handler EngineStallTest.Echo of channel 0 itself waits here", "use sendAsync");
    bench.feed(RawFrame.control(FrameType.ACK, 1));
    handler.get();
    assertThat(echo.thrown).isNull();
  }

  // Giving up.

  @Test
  void aSendThatMovesSlowlyGoesOnLongAfterItsTimeout() throws Exception {
    Duration timeout = Duration.ofSeconds(2);
    EngineBench bench =
        EngineBench.acceptor(options().sendTimeout(timeout))
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    bench.writerWoken = false;
    Running<Receipt> sending =
        Running.start(
            () -> bench.connection.send(ArraySlice.of(new byte[1 << 20]), SendOptions.handedOff()));
    Eventually.until("the array is handed in", () -> bench.writerWoken);
    long start = System.nanoTime();
    for (int i = 1; System.nanoTime() - start < timeout.multipliedBy(2).toNanos(); i++) {
      bench.feed(credit(WINDOW + 1100L * i));
      bench.out.reset();
      LockSupport.parkNanos(timeout.toNanos() / 100);
    }
    assertThat(sending.isDone()).isFalse();
    bench.feed(credit(4 << 20));
    assertThat(sending.get().elements()).isEqualTo(1 << 20);
  }

  @Test
  void aSendThatStandsStillIsTakenBackAndThePeerIsTold() throws Exception {
    EngineBench bench =
        EngineBench.acceptor(options().sendTimeout(Duration.ofMillis(100)))
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    bench.writerWoken = false;
    Running<Receipt> sending =
        Running.start(
            () -> bench.connection.send(ArraySlice.of(new byte[1 << 20]), SendOptions.handedOff()));
    Eventually.until("the array is handed in", () -> bench.writerWoken);
    bench.pump();
    assertThat(sending.failure())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageStartingWith("the array made no progress for sendTimeout and is withdrawn; it")
        .hasMessageContaining("waited for the peer to receive: nobody at the far end")
        .hasMessageContaining(
            "to send to yourself, use two threads (sendTimeout=PT0.1S, begun=true,")
        .hasMessageContaining("begun=true, channel=0");
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames.get(frames.size() - 1).type()).isEqualTo(FrameType.ABORT);
    assertThat(bench.connection.isOpen()).isTrue();
  }
}
