package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FlowOffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The window of a channel grows where the peer would wait for credit for a round trip. */
class EngineWindowTest {
  private static final int WINDOW = 8 << 10;
  private static final int ALL = 40 << 10;
  private static final int COST = 256;

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .inboxBytes(WINDOW)
        .connectionInboxBytes(ALL);
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(options())
        .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
  }

  private static RawFrame array(int channel, long sequence, int bytes) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new byte[bytes]))
        .with(header -> header.channel = channel);
  }

  private static RawFrame begun(RawFrame whole, int bytes) {
    return whole.withPayload(Arrays.copyOf(whole.payload(), bytes));
  }

  private static RawFrame pong(long tag) {
    return RawFrame.control(FrameType.PONG, 0).with(header -> header.tag = tag);
  }

  private static RawFrame last(List<RawFrame> frames, FrameType type) {
    List<RawFrame> all = frames.stream().filter(frame -> frame.type() == type).toList();
    assertThat(all).as("frames of the type %s", type).isNotEmpty();
    return all.get(all.size() - 1);
  }

  /** Sends an array of which so much comes before the PONG; returns the credit of the channel. */
  private static long grantedAfter(
      EngineBench bench, int channel, long sequence, int bytes, int beforePong) {
    RawFrame whole = array(channel, sequence, bytes);
    RawFrame first = begun(whole, 100);
    bench.feed(first);
    List<RawFrame> frames = new ArrayList<>(bench.frames());
    long tag = last(frames, FrameType.PING).header().tag;
    assertThat(tag).isNotZero();
    bench.feed(RawFrame.chunk(first, 100, new byte[beforePong - 100]));
    bench.feed(pong(tag));
    bench.feed(RawFrame.chunk(first, beforePong, new byte[bytes - beforePong]));
    bench.pump();
    frames.addAll(bench.frames());
    return last(frames, FrameType.CREDIT).header().tag;
  }

  @Test
  void aWindowOfWhichAllComesWithinARoundTripGrows() {
    EngineBench bench = bench();
    int came = WINDOW - COST;
    long granted = grantedAfter(bench, 3, 1, 20_000, came);
    // Twice what came after the PING was sent, but for its lowest bit.
    assertThat(granted - 20_000 - COST).isBetween(2L * (came - 100) - 2, 2L * (came - 100) + 2);
  }

  @Test
  void aWindowOfWhichLittleComesWithinARoundTripStays() {
    EngineBench bench = bench();
    long granted = grantedAfter(bench, 0, 1, 20_000, WINDOW / 2);
    assertThat(granted - 20_000 - COST).isEqualTo(WINDOW);
    // That holds for a while: the peer is not asked again at once.
    bench.feed(array(0, 2, WINDOW - COST));
    assertThat(bench.frames()).noneMatch(frame -> frame.type() == FrameType.PING);
  }

  @Test
  void itGrowsAgainAndNeverBeyondTheWindowOfTheConnection() {
    EngineBench bench = bench();
    long received = 0;
    long window = WINDOW;
    for (int sequence = 1; sequence <= 4 && window < ALL; sequence++) {
      int bytes = 60_000;
      long granted = grantedAfter(bench, 1, sequence, bytes, (int) window - COST);
      received += bytes + COST;
      assertThat(granted - received).isGreaterThan(window * 4 / 3).isLessThanOrEqualTo(ALL);
      window = granted - received;
    }
    assertThat(window).isEqualTo(ALL);
  }

  @Test
  void arraysThatNobodyTakesDoNotLetTheWindowGrow() {
    EngineBench bench =
        EngineBench.withoutHandler(Role.ACCEPTOR, options())
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, ALL, 0, 64)));
    bench.feed(array(0, 1, WINDOW - 2 * COST));
    bench.feed(array(0, 2, 0));
    assertThat(bench.frames())
        .noneMatch(frame -> frame.type() == FrameType.PING || frame.type() == FrameType.CREDIT);
    bench.connection.closeNow();
    bench.pump();
  }

  @Test
  void aPongThatWasNotAskedForChangesNothingAndCountsAsAFrameWithoutEffect() {
    EngineBench bench = bench();
    bench.feed(begun(array(2, 1, 20_000), 100));
    long tag = last(bench.frames(), FrameType.PING).header().tag;
    long forged = tag + 2;
    long ofAnotherChannel = tag + (1L << 32);
    for (int i = 0; i < 400 && bench.connection.isOpen(); i++) {
      bench.feed(pong(i % 2 == 0 ? forged : ofAnotherChannel));
    }
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("PONG");
  }
}
