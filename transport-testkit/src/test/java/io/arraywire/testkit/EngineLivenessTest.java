package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HeartbeatTimeoutException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.SlowPeerException;
import io.arraywire.TransportOptions;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.FrameType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Signs of life, given and missed, by a clock that the test moves. */
class EngineLivenessTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(false);
  }

  /** A connection with a peer that keeps credit and promises a heartbeat. */
  private static EngineBench bench(TransportOptions.Builder options, Duration peersHeartbeat) {
    return EngineBench.acceptor(options)
        .open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, peersHeartbeat.toMillis())));
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
    passSeconds(bench, 14, false);
    assertThat(sent).isNotDone();
    passSeconds(bench, 4, false);
    assertThat(sent)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeliveryUnknownException.class)
        .withRootCauseInstanceOf(HeartbeatTimeoutException.class)
        .withMessageContaining("heartbeatTimeout=PT15S")
        .withMessageContaining("peersInterval=PT5S");
    bench.assertEnded(HeartbeatTimeoutException.class);
  }

  @Test
  void aPeerWithALongIntervalIsGivenThreeOfThem() {
    EngineBench bench = bench(options(), Duration.ofSeconds(20));
    passSeconds(bench, 58, false);
    assertThat(bench.connection.isOpen()).isTrue();
    passSeconds(bench, 8, false);
    bench.assertEnded(HeartbeatTimeoutException.class);
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
      all.add(first.another().open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 5000))));
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
  void aPeerThatPromisedNothingMayBeSilent() {
    EngineBench bench = EngineBench.acceptor(options()).open();
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
    bench.assertEnded(SlowPeerException.class);
    assertThat(bench.handler.cause).hasMessageContaining("stallTimeout=PT8S");
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
    bench.assertEnded(IdleTimeoutException.class);
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
