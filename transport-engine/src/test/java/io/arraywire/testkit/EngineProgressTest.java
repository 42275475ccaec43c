package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays that begin and do not go on, by a clock that the test moves. */
class EngineProgressTest {
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int LARGE = 1 << 20;

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED);
  }

  /** A peer that keeps credit, and promises a heartbeat or none. */
  private static EngineBench bench(TransportOptions.Builder options, int heartbeatMillis) {
    return EngineBench.acceptor(options).open(peer(heartbeatMillis));
  }

  private static io.arraywire.wire.Offer peer(int heartbeatMillis) {
    return EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, heartbeatMillis, 64));
  }

  /** The first frame of an array of 1 MiB. */
  private static RawFrame begun(int channel, long sequence, int payload) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new byte[LARGE]))
        .with(header -> {
          header.channel = channel;
          header.payloadBytes = payload;
        })
        .withPayload(new byte[payload]);
  }

  private static RawFrame chunk(int channel, RawFrame first, long offset, int payload) {
    return RawFrame.chunk(first, offset, new byte[payload])
        .with(header -> header.channel = channel);
  }

  private static void pass(EngineBench bench, int seconds, boolean heartbeats) {
    for (int i = 0; i < 4 * seconds && !bench.linkClosed; i++) {
      bench.clock.advance(LOOK);
      bench.pump();
      if (heartbeats && i % 4 == 0 && bench.connection.isOpen()) {
        bench.feed(RawFrame.control(FrameType.PONG, 0));
      }
    }
  }

  private static void assertOpen(EngineBench bench) {
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  private static void assertStalled(EngineBench bench, String... facts) {
    assertThat(bench.error(ErrorCode.STALLED_ARRAY)).contains(facts);
    bench.end();
    bench.assertFailed(ErrorCode.STALLED_ARRAY);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5000})
  void anArrayThatIsDeclaredAndNeverSentEndsTheConnection(int heartbeatMillis) {
    EngineBench bench = bench(options(), heartbeatMillis);
    bench.feed(begun(0, 1, 1024));
    pass(bench, 28, heartbeatMillis > 0);
    assertOpen(bench);
    pass(bench, 6, heartbeatMillis > 0);
    assertStalled(bench, "received=1024", "expected=1048576", "least=1280", "stallTimeout=PT30S");
  }

  @Test
  void soDoesOneThatTricklesInFramesOfItsOwn() {
    EngineBench bench = bench(options().stallTimeout(Duration.ofSeconds(20)), 5000);
    RawFrame first = begun(3, 1, 1024);
    bench.feed(first);
    for (int i = 0; i < 25 && bench.connection.isOpen(); i++) {
      bench.feed(chunk(3, first, 1024 + 60L * i, 60));
      pass(bench, 1, true);
    }
    assertStalled(bench, "channel=3", "sequence=1", "stallTimeout=PT20S");
  }

  @Test
  void anArrayThatGoesOnALittleIsBorne() {
    EngineBench bench = bench(options(), 5000);
    RawFrame first = begun(0, 1, 1024);
    bench.feed(first);
    for (int i = 0; i < 20; i++) {
      bench.feed(chunk(0, first, 1024 + 600L * i, 600));
      pass(bench, 10, true);
      assertOpen(bench);
    }
  }

  /** 1 Mbit/s, and frames of 64 KiB. */
  @Test
  void aSlowLinkIsBorne() {
    EngineBench bench = bench(options(), 5000);
    RawFrame first = begun(0, 1, 64 << 10);
    byte[] bytes = first.bytes();
    for (int frame = 0; frame < 8; frame++) {
      for (int at = 0; at < bytes.length; at += 31_250) {
        bench.feed(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 31_250)));
        bench.clock.advance(LOOK);
      }
      bytes = chunk(0, first, (frame + 1) * (64L << 10), 64 << 10).bytes();
    }
    pass(bench, 20, true);
    assertOpen(bench);
  }

  @Test
  void aPeerWithoutCreditIsNotBlamed() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options().inboxBytes(8192)).open(peer(5000));
    RawFrame first = begun(0, 1, 7000);
    bench.feed(first);
    pass(bench, 300, true);
    assertOpen(bench);
    Running<ReceivedArray> receive = Running.start(() -> bench.connection.receive());
    Eventually.until(
        "the rest is allowed",
        () -> {
          bench.pump();
          return bench.frames().stream().anyMatch(frame -> frame.type() == FrameType.CREDIT);
        });
    pass(bench, 40, true);
    assertThat(receive.failure()).hasMessageContaining("received=7000");
  }

  @Test
  void aChannelThatWaitsForItsTurnIsNotBlamedUnlessItIsPassedOver() {
    EngineBench bench = bench(options(), 5000);
    bench.feed(begun(1, 1, 1024));
    int turns = 0;
    for (; turns < 64; turns++) {
      bench.feed(
          RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, turns + 1, ArraySlice.of(new byte[64 << 10]))
              .with(header -> header.channel = 2));
      pass(bench, 2, true);
      assertOpen(bench);
    }
    for (; turns < 100 && bench.connection.isOpen(); turns++) {
      bench.feed(
          RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, turns + 1, ArraySlice.of(new byte[64 << 10]))
              .with(header -> header.channel = 2));
      pass(bench, 2, true);
    }
    assertStalled(bench, "channel=1");
  }

  @Test
  void theTimeInWhichThisProcessStoodStillDoesNotCount() {
    EngineBench bench = bench(options(), 0);
    bench.feed(begun(0, 1, 1024));
    for (int i = 0; i < 10; i++) {
      bench.clock.advance(Duration.ofMinutes(10));
    }
    assertOpen(bench);
  }

  /** The heartbeats tell whether it is gone. */
  @Test
  void nothingCountsWhileAPeerThatPromisedHeartbeatsIsSilentAltogether() {
    EngineBench bench = bench(options().heartbeatTimeout(Duration.ofMinutes(5)), 5000);
    bench.feed(begun(0, 1, 1024));
    pass(bench, 120, false);
    assertOpen(bench);
  }

  @Test
  void anArrayInFramesOfAByteEndsTheConnection() {
    EngineBench bench = bench(options(), 5000);
    RawFrame first = begun(0, 1, 1);
    bench.feed(first);
    for (int i = 1; i < 190; i++) {
      bench.feed(chunk(0, first, i, 1));
    }
    assertOpen(bench);
    for (int i = 190; i < 230 && bench.connection.isOpen(); i++) {
      bench.feed(chunk(0, first, i, 1));
    }
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("type=CHUNK");
    bench.end();
    bench.assertFailed(ErrorCode.CONTROL_FLOOD);
  }

  /** Frames of the least size that may be agreed, and arrays of an element. */
  @Test
  void smallFramesAndSmallArraysDoNot() {
    EngineBench bench = bench(options(), 5000);
    RawFrame first = begun(0, 1, 512);
    bench.feed(first);
    for (int i = 1; i < LARGE / 512; i++) {
      bench.feed(chunk(0, first, 512L * i, 512));
    }
    for (int i = 2; i < 1000; i++) {
      bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, i, ArraySlice.of(new byte[1])));
      bench.pump();
    }
    assertOpen(bench);
    assertThat(bench.handler.arrays).hasSize(999);
  }

  @Test
  void aPeerThatPromisedNothingIsAskedAndEndsIfItDoesNotAnswer() {
    EngineBench bench = bench(options(), 0);
    for (int i = 0; i < 20; i++) {
      pass(bench, 17, false);
      assertThat(bench.frames()).extracting(RawFrame::type).contains(FrameType.PING);
      bench.feed(RawFrame.control(FrameType.PONG, 0));
      bench.out.reset();
    }
    pass(bench, 58, false);
    assertOpen(bench);
    pass(bench, 6, false);
    bench.assertFailed(ErrorCode.HEARTBEAT_TIMEOUT);
    assertThat(bench.handler.cause).hasMessageContaining("answers no ping");
  }

  @Test
  void inPlainModeAnArrayOfWhichNothingComesEndsTheConnection() {
    EngineBench bench = EngineBench.acceptor(options().plain(ElementType.INT));
    bench.feed(new byte[] {0, 0, 0, 50, 0, 0, 0, 1});
    pass(bench, 28, false);
    assertOpen(bench);
    pass(bench, 6, false);
    bench.end();
    bench.assertFailed(ErrorCode.STALLED_ARRAY);
    assertThat(bench.handler.cause).hasMessageContaining("received=4");
  }

  @Test
  void inPlainModeAnArrayThatNobodyTakesIsNotThePeersFault() {
    EngineBench bench =
        EngineBench.withoutHandler(
            Role.ACCEPTOR, options().plain(ElementType.INT).inboxBytes(4096));
    bench.feed(new byte[] {0, 0, (byte) 200, 0, 0, 0, 0, 1});
    assertThat(bench.isPaused()).isTrue();
    pass(bench, 300, false);
    assertOpen(bench);
  }
}
