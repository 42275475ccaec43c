package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.LagPolicy;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.SessionOffer;
import io.arraywire.wire.SubscribeBody;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever is sent in another way than by {@code send}, and does not get on, is logged after five
 * seconds, too: publications that wait for a subscriber, requests, rows, arrays of a session.
 */
class EngineWaitTest {
  private static final int WINDOW = EngineStallTest.WINDOW;
  private static final int LOOKS = EngineStallTest.LOOKS;

  private final RecordedLog log = new RecordedLog();

  @AfterEach
  void end() {
    log.close();
  }

  private static TransportOptions.Builder options() {
    return EngineStallTest.options()
        .requestTimeout(Duration.ofHours(1))
        .sendTimeout(Duration.ofHours(1));
  }

  private static Offer peer() {
    return EngineBench.offer(new FlowOffer(8, WINDOW, 20 << 10, 0, 64));
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(options()).open(peer());
  }

  /** Nothing before five seconds, one warning afterwards, of this channel. */
  private void assertIsLoggedAfterFiveSeconds(EngineBench bench, String where, String part) {
    EngineStallTest.looks(bench, LOOKS);
    assertThat(log.with("has waited")).isEmpty();
    EngineStallTest.looks(bench, 1);
    assertThat(log.with("has waited"))
        .singleElement()
        .asString()
        .startsWith("send on " + where + " has waited 5 s for " + part)
        .contains("peer=");
    EngineStallTest.looks(bench, LOOKS);
    assertThat(log.with("has waited 10 s")).hasSize(1);
  }

  /** Until a caller waits for what only the peer can give, and not for a lock on the way there. */
  private static <T> void awaitWaiting(Running<T> caller, EngineBench bench) {
    Eventually.until(
        "it waits",
        () -> {
          bench.pump();
          Thread.State state = caller.thread().getState();
          return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
              && Arrays.stream(caller.thread().getStackTrace())
                  .noneMatch(frame -> frame.getClassName().contains("ReentrantLock"));
        });
    bench.pump();
  }

  @Test
  void aPublisherThatWaitsForASubscriber() throws Exception {
    EngineBench bench = bench();
    bench.feed(
        RawFrame.control(
                FrameType.SUBSCRIBE, 0, new SubscribeBody("news", LagPolicy.BLOCK, WINDOW).write())
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION | 2));
    ArraySlice slice = ArraySlice.of(new byte[WINDOW / 2]);
    Running<PublishReceipt> publishing =
        Running.start(() -> {
          PublishReceipt last = null;
          for (int i = 0; i < 20; i++) {
            last = bench.subjects.publish("news", slice, ArrayAttributes.NONE);
          }
          return last;
        });
    // Whether the publisher waits is not enough: it does for a moment at each array.
    Eventually.until(
        "the queue is full, and stays so",
        () -> {
          bench.pump();
          return bench.connection.describe().contains("waitingSends");
        });
    assertIsLoggedAfterFiveSeconds(
        bench, "subscription 2", "the peer to receive: nobody at the far end");
    assertThat(publishing.isDone()).isFalse();
    bench.connection.closeNow();
    bench.pump();
    publishing.get();
  }

  /** Their number is limited, and so is that of all tests of this JVM together. */
  @Test
  void whatIsNotLoggedLeavesRoomForWhatIs() {
    Logger logger = Logger.getLogger("io.arraywire");
    logger.setLevel(Level.OFF);
    try {
      for (int i = 0; i < 60; i++) {
        EngineBench bench = bench();
        var unused =
            bench
                .connection
                .channel(3)
                .request(ArraySlice.of(new byte[3 * WINDOW]), RequestOptions.defaults());
        bench.pump();
        EngineStallTest.looks(bench, LOOKS + 1);
      }
    } finally {
      logger.setLevel(null);
    }
    assertThat(log.with("has waited")).isEmpty();
    aRequestThatThePeerDoesNotTake();
  }

  @Test
  void aRequestThatThePeerDoesNotTake() {
    EngineBench bench = bench();
    CompletableFuture<ReceivedArray> reply =
        bench
            .connection
            .channel(3)
            .request(ArraySlice.of(new byte[3 * WINDOW]), RequestOptions.defaults())
            .toCompletableFuture();
    bench.pump();
    assertIsLoggedAfterFiveSeconds(
        bench, "channel 3", "the peer to receive: nobody at the far end");
    assertThat(reply).isNotDone();
  }

  @Test
  void aRequestThatIsThereAndNotAnswered() {
    EngineBench bench = bench();
    CompletableFuture<ReceivedArray> reply =
        bench
            .connection
            .request(ArraySlice.of(new byte[3]), RequestOptions.defaults())
            .toCompletableFuture();
    bench.pump();
    assertIsLoggedAfterFiveSeconds(bench, "channel 0", "the far side to process an array");
    assertThat(reply).isNotDone();
  }

  @Test
  void rowsThatAreNotAcknowledged() throws Exception {
    EngineBench bench = bench();
    RowWriter rows =
        RowWriter.of(
            bench.connection.channel(1), ElementType.BYTE, 100, 1, SendOptions.processed());
    Running<Void> writing =
        Running.start(() -> {
          for (int i = 0; i < 20; i++) {
            rows.write(new byte[100], 0);
          }
          return null;
        });
    awaitWaiting(writing, bench);
    assertIsLoggedAfterFiveSeconds(bench, "channel 1", "the far side to process an array");
    assertThat(writing.isDone()).isFalse();
    bench.connection.closeNow();
    bench.pump();
    assertThat(writing.failure()).isNotNull();
  }

  @Test
  void rowsThatThePeerDoesNotTake() throws Exception {
    EngineBench bench = bench();
    RowWriter rows =
        RowWriter.of(
            bench.connection.channel(1), ElementType.BYTE, WINDOW, 3, SendOptions.handedOff());
    Running<Void> writing =
        Running.start(() -> {
          for (int i = 0; i < 20; i++) {
            rows.write(new byte[WINDOW], 0);
          }
          return null;
        });
    awaitWaiting(writing, bench);
    assertIsLoggedAfterFiveSeconds(
        bench, "channel 1", "the peer to receive: nobody at the far end");
    bench.connection.closeNow();
    bench.pump();
    assertThat(writing.failure()).isNotNull();
  }

  private static EngineBench inSession() {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().sessionTimeout(Duration.ofHours(1)));
    bench.feed(
        EngineBench.preambled(
            HandshakeMessage.hello(peer(), new SessionOffer(3_600_000, new byte[0], new byte[0]))));
    bench.out.reset();
    return bench;
  }

  @Test
  void anArrayOfASessionThatThePeerDoesNotTake() {
    EngineBench bench = inSession();
    var sent =
        bench
            .core
            .userConnection()
            .sendAsync(ArraySlice.of(new byte[3 * WINDOW]), SendOptions.handedOff())
            .toCompletableFuture();
    bench.pump();
    assertIsLoggedAfterFiveSeconds(
        bench, "channel 0", "the peer to receive: nobody at the far end");
    assertThat(sent).isNotDone();
  }

  @Test
  void anArrayOfASessionThatIsNotProcessed() {
    EngineBench bench = inSession();
    var sent =
        bench
            .core
            .userConnection()
            .sendAsync(ArraySlice.of(new byte[3]), SendOptions.processed())
            .toCompletableFuture();
    bench.pump();
    assertIsLoggedAfterFiveSeconds(bench, "channel 0", "the far side to process an array");
    assertThat(sent).isNotDone();
  }
}
