package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ConnectionLostException;
import io.arraywire.Delivery;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heartbeats, sent and missed, by a clock that the test moves. */
class EngineLivenessTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED);
  }

  /** A connection with a peer that keeps credit and promises a heartbeat. */
  private static EngineBench bench(TransportOptions.Builder options, Duration peersHeartbeat) {
    return EngineBench.acceptor(options)
        .open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, peersHeartbeat.toMillis(), 64)));
  }

  private static int passSeconds(EngineBench bench, int seconds, boolean peerLives) {
    int heartbeats = 0;
    for (int i = 0; i < 4 * seconds; i++) {
      bench.clock.advance(Duration.ofMillis(250));
      bench.pump();
      if (bench.linkClosed) {
        return heartbeats;
      }
      heartbeats +=
          (int) bench.frames().stream().filter(frame -> frame.type() == FrameType.PONG).count();
      if (peerLives && i % 4 == 0) {
        bench.feed(RawFrame.control(FrameType.PONG, 0));
      }
    }
    return heartbeats;
  }

  @Test
  void aQuietConnectionGivesSignsOfLifeInTime() {
    EngineBench bench = bench(options(), Duration.ofSeconds(5));
    int heartbeats = passSeconds(bench, 60, true);
    // At least every 5 s, and not much more often.
    assertThat(heartbeats).isBetween(12, 20);
  }

  @Test
  void aBusyOneNeedsNone() {
    EngineBench bench = bench(options(), Duration.ofSeconds(5));
    int heartbeats = 0;
    for (int i = 0; i < 60; i++) {
      var unused = bench.connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.handedOff());
      bench.feed(RawFrame.control(FrameType.PONG, 0));
      heartbeats += passSeconds(bench, 1, false);
    }
    assertThat(heartbeats).isZero();
  }

  @Test
  void aPeerThatFallsSilentIsTakenForDead() {
    EngineBench bench = bench(options(), Duration.ofSeconds(5));
    CompletableFuture<Receipt> sent =
        bench
            .connection
            .sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())
            .toCompletableFuture();
    try (RecordedLog log = new RecordedLog()) {
      passSeconds(bench, 9, false);
      assertThat(log.with("a peer has been silent")).isEmpty();
      passSeconds(bench, 5, false);
      assertThat(log.with("a peer has been silent"))
          .singleElement()
          .asString()
          .startsWith(
              "a peer has been silent for 10 s, though it promised a heartbeat every PT5S; the"
                  + " connection ends when its silence lasts 15 s (peer=");
    }
    assertThat(sent).isNotDone();
    passSeconds(bench, 4, false);
    assertThat(sent)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeliveryUnknownException.class)
        .withRootCauseInstanceOf(ConnectionLostException.class)
        .withMessageContaining("heartbeatTimeout=PT15S")
        .withMessageContaining("peersInterval=PT5S");
    bench.assertFailed(ErrorCode.HEARTBEAT_TIMEOUT);
  }

  @Test
  void aPeerThatPromisesNothingAndAnswersNoPingIsWarnedOf() {
    EngineBench bench = bench(options(), Duration.ZERO);
    try (RecordedLog log = new RecordedLog()) {
      passSeconds(bench, 38, false);
      assertThat(log.with("a peer has been silent")).isEmpty();
      passSeconds(bench, 4, false);
      assertThat(log.with("a peer has been silent"))
          .singleElement()
          .asString()
          .startsWith(
              "a peer has been silent for 40 s, and it answers no ping; the connection ends when"
                  + " its silence lasts 60 s (peer=");
    }
  }

  @Test
  void aPeerWithALongIntervalIsGivenThreeOfThem() {
    EngineBench bench = bench(options(), Duration.ofSeconds(20));
    passSeconds(bench, 58, false);
    assertThat(bench.connection.isOpen()).isTrue();
    passSeconds(bench, 8, false);
    bench.assertFailed(ErrorCode.HEARTBEAT_TIMEOUT);
  }

  @Test
  void theTimeInWhichThisProcessStoodStillIsNotThePeersFault() {
    EngineBench bench = bench(options(), Duration.ofSeconds(5));
    for (int i = 0; i < 10; i++) {
      bench.clock.advance(Duration.ofMinutes(10));
      bench.pump();
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  /**
   * Connections of one transport are looked after together, whenever they began: none too late, and
   * none taken for idle too soon.
   */
  @Test
  void connectionsThatBeginAtDifferentTimesAreLookedAfterTogether() {
    Duration offset = Duration.ofMillis(10);
    int idleSeconds = 20;
    int several = 200;
    EngineBench first =
        bench(options().idleTimeout(SECOND.multipliedBy(idleSeconds)), Duration.ofSeconds(5));
    List<EngineBench> all = new ArrayList<>(List.of(first));
    while (all.size() < several) {
      first.clock.advance(offset);
      all.add(
          first.another().open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 5000, 64))));
    }
    // Not one timer for each.
    assertThat(first.clock.waiting()).isLessThan(10);
    Map<EngineBench, Duration> ends = new HashMap<>();
    Map<EngineBench, Integer> heartbeats = new HashMap<>();
    for (Duration now = offset.multipliedBy(several);
        now.toSeconds() < 2 * idleSeconds;
        now = now.plus(offset)) {
      first.clock.advance(offset);
      for (EngineBench each : all) {
        each.pump();
        if (!each.connection.isOpen()) {
          ends.putIfAbsent(each, now);
        } else {
          each.frames().stream()
              .filter(frame -> frame.type() == FrameType.PONG)
              .forEach(frame -> heartbeats.merge(each, 1, Integer::sum));
          if (now.toMillis() % 1000 == 0) {
            each.feed(RawFrame.control(FrameType.PONG, 0));
          }
        }
      }
    }
    for (int i = 0; i < several; i++) {
      EngineBench each = all.get(i);
      assertThat(heartbeats).containsKey(each);
      assertThat(heartbeats.get(each)).isGreaterThanOrEqualTo(idleSeconds / 5 - 1);
      assertThat(ends).containsKey(each);
      // No sooner than was asked for, and later by no more than one look.
      assertThat(ends.get(each).minus(offset.multipliedBy(i)))
          .isBetween(
              Duration.ofSeconds(idleSeconds).minus(offset.multipliedBy(2)),
              Duration.ofSeconds(idleSeconds + 5));
    }
    assertThat(first.clock.waiting()).isZero();
  }

  @Test
  void aPeerInPlainModeMayBeSilent() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.FLOAT));
    assertThat(passSeconds(bench, 300, false)).isZero();
    assertThat(bench.connection.isOpen()).isTrue();
  }

  @Test
  void aPeerThatReadsNothingIsTooSlow() {
    EngineBench bench = bench(options().stallTimeout(Duration.ofSeconds(8)), Duration.ofSeconds(5));
    bench.writable = 1000;
    var unused = bench.connection.sendAsync(ArraySlice.of(new int[5000]), SendOptions.handedOff());
    bench.pump();
    bench.out.reset();
    passSeconds(bench, 6, true);
    // It moves, if only a little.
    bench.writable = 1;
    bench.pump();
    bench.out.reset();
    for (int i = 0; i < 28; i++) {
      bench.clock.advance(Duration.ofMillis(250));
      if (i % 4 == 0) {
        bench.feed(RawFrame.control(FrameType.PONG, 0));
      }
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    for (int i = 0; i < 12; i++) {
      bench.clock.advance(Duration.ofMillis(250));
    }
    bench.assertFailed(ErrorCode.SLOW_PEER);
    assertThat(bench.handler.cause).hasMessageContaining("stallTimeout=PT8S");
  }

  /** A frame of 40 KiB; its header is 64 bytes long. */
  private static byte[] longFrame() {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[10_000])).bytes();
  }

  /** Feeds bytes of a frame from some place on, so many in each second; returns the next place. */
  private static int trickle(
      EngineBench bench, byte[] frame, int from, int perSecond, int seconds) {
    int at = from;
    for (int i = 0; i < 4 * seconds && !bench.linkClosed; i++) {
      int portion = perSecond * (i + 1) / 4 - perSecond * i / 4;
      bench.feed(Arrays.copyOfRange(frame, at, at + portion));
      at += portion;
      bench.clock.advance(Duration.ofMillis(250));
      bench.pump();
    }
    return at;
  }

  /** From the first byte on, in the middle of the header, and in that of the elements. */
  @ParameterizedTest
  @ValueSource(ints = {0, 40, 64, 5000})
  void aFrameThatTricklesEndsTheConnection(int begun) {
    for (Duration heartbeat : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
      EngineBench bench = bench(options(), heartbeat);
      byte[] frame = longFrame();
      bench.feed(Arrays.copyOf(frame, begun));
      int at = trickle(bench, frame, begun, 1, 9);
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
      trickle(bench, frame, at, 1, 4);
      assertThat(bench.error(ErrorCode.SLOW_FRAME)).contains("least=1280", "time=PT10S");
      bench.end();
      bench.assertFailed(ErrorCode.SLOW_FRAME);
      assertThat(bench.handler.cause)
          .isInstanceOfSatisfying(
              ConnectionLostException.class,
              slow -> assertThat(slow.facts()).containsKeys("peer", "received", "least", "time"))
          .hasMessageContaining("received=1");
    }
  }

  /** Whatever else is looked at less often does not give such a peer more time. */
  @Test
  void itDoesNotMatterHowLongTheOtherTimeoutsAre() {
    Duration hour = Duration.ofHours(1);
    EngineBench bench =
        bench(
            options().heartbeatInterval(hour).heartbeatTimeout(hour).stallTimeout(hour),
            Duration.ZERO);
    trickle(bench, longFrame(), 0, 1, 13);
    bench.end();
    bench.assertFailed(ErrorCode.SLOW_FRAME);
  }

  @Test
  void howFastAFrameBeganDoesNotExcuseThatItTricklesLater() {
    EngineBench bench = bench(options(), Duration.ZERO);
    int at = trickle(bench, longFrame(), 0, 2000, 9);
    trickle(bench, longFrame(), at, 100, 21);
    bench.end();
    bench.assertFailed(ErrorCode.SLOW_FRAME);
  }

  @Test
  void aFrameThatComesAtTheLeastRateIsBorne() {
    EngineBench bench = bench(options(), Duration.ZERO);
    byte[] frame = longFrame();
    trickle(bench, frame, 0, 128, frame.length / 128);
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    bench.feed(Arrays.copyOfRange(frame, frame.length / 128 * 128, frame.length));
    assertThat(bench.handler.arrays).hasSize(1);
  }

  /** Each of them takes 8 s: a peer that says little is none that leaves something unfinished. */
  @Test
  void shortFramesMayComeSlowly() {
    EngineBench bench = bench(options(), Duration.ZERO);
    byte[] frame = RawFrame.control(FrameType.PONG, 0).bytes();
    for (int i = 0; i < 10; i++) {
      trickle(bench, frame, 0, 8, frame.length / 8);
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  /** A stopped process, or a link that was cut: the heartbeats, if it promised any, will tell. */
  @Test
  void aPeerThatStandsStillInsideAFrameIsNotTooSlow() {
    EngineBench bench = bench(options().stallTimeout(SECOND.multipliedBy(90)), Duration.ZERO);
    byte[] frame = longFrame();
    int at = 0;
    while (at < frame.length) {
      // Between the pauses a segment of the least size that networks have.
      int end = Math.min(frame.length, at + 536);
      bench.feed(Arrays.copyOfRange(frame, at, end));
      at = end;
      passSeconds(bench, 20, false);
    }
    assertThat(bench.handler.arrays).hasSize(1);
    for (int i = 0; i < 3; i++) {
      bench.feed(Arrays.copyOfRange(frame, i, i + 1));
      passSeconds(bench, 50, false);
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    passSeconds(bench, 60, false);
    // Not by the frame, but since it answers no ping.
    bench.assertFailed(ErrorCode.HEARTBEAT_TIMEOUT);
  }

  @Test
  void theTimeInWhichThisProcessStoodStillDoesNotMakeAFrameSlow() {
    EngineBench bench = bench(options(), Duration.ZERO);
    byte[] frame = longFrame();
    for (int i = 0; i < 7; i++) {
      bench.feed(Arrays.copyOfRange(frame, i, i + 1));
      bench.clock.advance(Duration.ofMinutes(10));
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  /** A peer that writes elements as it makes them has no frame to finish. */
  @Test
  void anArrayInPlainModeMayTrickle() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.INT));
    byte[] array = new byte[204];
    array[3] = 50;
    trickle(bench, array, 0, 1, array.length);
    assertThat(bench.handler.arrays).hasSize(1);
  }

  @Test
  void aConnectionThatNobodyUsesEndsIfThatIsWanted() {
    EngineBench bench =
        bench(options().idleTimeout(SECOND.multipliedBy(20)), Duration.ofSeconds(5));
    passSeconds(bench, 15, true);
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1])));
    passSeconds(bench, 15, true);
    assertThat(bench.connection.isOpen()).isTrue();
    for (int i = 0; i < 40 && bench.connection.isOpen(); i++) {
      bench.clock.advance(Duration.ofMillis(250));
      bench.feed(RawFrame.control(FrameType.PONG, 0));
    }
    assertThat(bench.error(ErrorCode.IDLE_TIMEOUT)).contains("idleTimeout=PT20S");
    bench.end();
    bench.assertFailed(ErrorCode.IDLE_TIMEOUT);
  }

  /** One on which some seconds without any array are too many, and whose peer gives credit. */
  private static EngineBench soonIdle() {
    return bench(options().idleTimeout(SECOND.multipliedBy(20)), Duration.ofSeconds(5));
  }

  private static void assertIdleAfter(EngineBench bench, int atLeast, int atMost) {
    passSeconds(bench, atLeast, true);
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    for (int i = 0; i < 4 * (atMost - atLeast) && bench.connection.isOpen(); i++) {
      bench.clock.advance(Duration.ofMillis(250));
      bench.feed(RawFrame.control(FrameType.PONG, 0));
    }
    assertThat(bench.error(ErrorCode.IDLE_TIMEOUT)).contains("idleTimeout=PT20S");
    bench.holdTasks = false;
    bench.end();
    bench.assertFailed(ErrorCode.IDLE_TIMEOUT);
  }

  @ParameterizedTest
  @EnumSource(names = {"HANDED_OFF", "PROCESSED"})
  void aSideThatOnlySendsIsNotIdle(Delivery delivery) {
    EngineBench bench = soonIdle();
    SendOptions how = new SendOptions(ArrayAttributes.NONE, delivery);
    for (int sequence = 1; sequence <= 10; sequence++) {
      var unused = bench.connection.sendAsync(ArraySlice.of(new int[1]), how);
      bench.pump();
      bench.feed(RawFrame.control(FrameType.ACK, sequence));
      passSeconds(bench, 15, true);
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    }
    assertIdleAfter(bench, 1, 10);
  }

  @Test
  void inPlainModeWhoOnlySendsIsNotIdle() {
    EngineBench bench =
        EngineBench.acceptor(options().plain(ElementType.INT).idleTimeout(SECOND.multipliedBy(20)));
    for (int i = 0; i < 10; i++) {
      var unused = bench.connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.handedOff());
      bench.pump();
      bench.clock.advance(SECOND);
      for (int look = 0; look < 60; look++) {
        bench.clock.advance(Duration.ofMillis(250));
      }
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    }
  }

  @Test
  void anArrayThatLeavesSlowlyIsMoving() {
    EngineBench bench = soonIdle();
    bench.writable = 0;
    var unused = bench.connection.sendAsync(ArraySlice.of(new int[5_000]), SendOptions.handedOff());
    for (int i = 0; i < 10; i++) {
      bench.writable = 1_000;
      bench.pump();
      bench.out.reset();
      for (int look = 0; look < 60; look++) {
        bench.clock.advance(Duration.ofMillis(250));
        if (look % 4 == 0) {
          bench.feed(RawFrame.control(FrameType.PONG, 0));
        }
      }
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    }
  }

  @Test
  void anArrayThatComesSlowlyIsMoving() {
    EngineBench bench = soonIdle();
    byte[] frame = longFrame();
    for (int at = 0; at < 20_000; at += 2_000) {
      bench.feed(Arrays.copyOfRange(frame, at, at + 2_000));
      passSeconds(bench, 15, false);
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    }
  }

  /** What this side sent may be a long way off yet when the channel has taken all of it. */
  @Test
  void creditThatIsGivenForArraysShowsThatTheyMove() {
    EngineBench bench = soonIdle();
    var unused =
        bench.connection.sendAsync(ArraySlice.of(new int[50_000]), SendOptions.processed());
    bench.pump();
    bench.out.reset();
    for (int i = 1; i <= 10; i++) {
      long more = (1 << 20) + i * 20_000;
      bench.feed(
          RawFrame.control(FrameType.CREDIT, 0)
              .with(header -> {
                header.tag = more;
                header.count = more;
              }));
      passSeconds(bench, 15, true);
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    }
  }

  /** Neither that something is due nor a heartbeat is a movement. */
  @Test
  void whatWaitsForThePeerDoesNotMove() {
    EngineBench bench = soonIdle();
    var unacknowledged =
        bench.connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.processed());
    var waitsForCredit =
        bench.connection.sendAsync(ArraySlice.of(new int[500_000]), SendOptions.processed());
    bench.pump();
    bench.out.reset();
    assertIdleAfter(bench, 15, 30);
    assertThat(unacknowledged.toCompletableFuture()).isCompletedExceptionally();
    assertThat(waitsForCredit.toCompletableFuture()).isCompletedExceptionally();
  }

  /** In whose hand an array is does not matter either: handlers may hang. */
  @Test
  void whatWaitsForAHandlerDoesNotMove() {
    EngineBench bench = soonIdle();
    bench.holdTasks = true;
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1])));
    assertIdleAfter(bench, 15, 30);
  }

  @ParameterizedTest
  @EnumSource(names = {"PING", "PONG", "CREDIT"})
  void aFloodOfFramesWithoutEffectEndsTheConnection(FrameType type) {
    EngineBench bench = bench(options(), Duration.ZERO);
    RawFrame frame = RawFrame.control(type, 0);
    if (type == FrameType.CREDIT) {
      frame =
          frame.with(header -> {
            header.tag = 1 << 20;
            header.count = 1 << 20;
          });
    }
    for (int i = 0; i < 200; i++) {
      bench.feed(frame);
    }
    assertThat(bench.connection.isOpen()).isTrue();
    bench.frames();
    bench.feed(frame);
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("type=" + type, "200 in 30 s");
  }

  @Test
  void theAllowanceForThemGrowsAgain() {
    EngineBench bench = bench(options(), Duration.ZERO);
    for (int second = 0; second < 300; second++) {
      for (int i = 0; i < 6; i++) {
        bench.feed(RawFrame.control(FrameType.PING, 0));
      }
      passSeconds(bench, 1, false);
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  @Test
  void heartbeatsThatWerePromisedAreNoFlood() {
    EngineBench bench = bench(options(), Duration.ofMillis(20));
    RawFrame heartbeat = RawFrame.control(FrameType.PONG, 0);
    for (int i = 0; i < 6000; i++) {
      // A side that keeps a promise is somewhat early.
      bench.clock.advance(Duration.ofMillis(15));
      bench.feed(heartbeat);
      if (i % 50 == 0) {
        bench.pump();
        bench.frames();
      }
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    // What came in half a minute in which this process stood still.
    for (int i = 0; i < 2000; i++) {
      bench.feed(heartbeat);
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    bench.frames();
    for (int i = 0; i < 3000 && bench.connection.isOpen(); i++) {
      bench.feed(heartbeat);
    }
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("type=PONG", "4700 in 30 s");
  }

  @Test
  void theLastOfSeveralPingsIsAnsweredOnceThePeerReads() {
    EngineBench bench = bench(options(), Duration.ZERO);
    bench.writable = 0;
    for (int tag = 1; tag <= 100; tag++) {
      long number = tag;
      bench.feed(RawFrame.control(FrameType.PING, 0).with(header -> header.tag = number));
    }
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(bench.frames().stream().map(frame -> frame.header().tag))
        .endsWith(100L)
        .hasSizeLessThan(4);
  }
}
