package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.arraywire.codec.CompressionReason;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is compressed over which link, on the clock of {@link SlowLink}. */
class BlockChoiceTest {
  private static final double MEGA = 1e6;
  private static final double GIGABIT = 118 * MEGA;
  private static final double TENTH = 11.8 * MEGA;
  private static final long LARGE = 8 << 20;

  /** As docs/encodings.md has them for floats of sensors. */
  private static SlowLink sensors(double rate) {
    return new SlowLink(rate, "lz4", 320 * MEGA, 1 / 1.95, "zstd", 162 * MEGA, 1 / 3.02);
  }

  private static SlowLink noise(double rate) {
    return new SlowLink(rate, "lz4", 1820 * MEGA, 1.0, "zstd", 838 * MEGA, 1.0);
  }

  private static String name(Codec codec) {
    return codec == null ? "none" : codec.name();
  }

  @Test
  void aFastLinkIsLeftAlone() {
    SlowLink link = sensors(1180 * MEGA);
    assertThat(link.send(2)).isGreaterThan(0.98 * 1180 * MEGA);
    assertThat(link.choice.compressed()).isZero();
    assertThat(name(link.chosen(LARGE))).isEqualTo("none");
    assertThat(link.choice.describe()).startsWith("none: the link takes 11").contains("MB/s");
  }

  @Test
  void theSlowestOfThreeDecidesWhichCodec() {
    SlowLink slow = sensors(TENTH);
    assertThat(slow.send(20)).isGreaterThan(2.6 * TENTH);
    assertThat(name(slow.chosen(LARGE))).isEqualTo("zstd");
    assertThat(slow.choice.describe())
        .matches(
            "zstd: the link takes 11\\.\\d MB/s; with zstd, ratio 3\\.0\\d, elements arrive at 35\\.\\d"
                + " MB/s, compressedBlocks=\\d+ of \\d+, blockBytes=\\d+ as \\d+, losses=0");

    SlowLink faster = sensors(GIGABIT);
    assertThat(faster.send(20)).isGreaterThan(1.8 * GIGABIT);
    assertThat(name(faster.chosen(LARGE))).isEqualTo("lz4");
  }

  @Test
  void noiseTravelsRawAndCostsNothing() {
    for (double rate : new double[] {TENTH, GIGABIT, 400 * MEGA}) {
      SlowLink link = noise(rate);
      assertThat(link.send(20)).isGreaterThan(0.98 * rate);
      assertThat(link.choice.compressed()).isZero();
      assertThat(link.choice.describe()).startsWith("none: the link takes ");
    }
  }

  /** Weights at 1 Gbit/s shrink by less than what encoding costs. */
  @Test
  void whatDoesNotPayTravelsRaw() {
    SlowLink link = new SlowLink(GIGABIT, "zstd", 100 * MEGA, 1 / 1.18);
    assertThat(link.send(20)).isGreaterThan(0.98 * GIGABIT);
    assertThat(link.choice.compressed()).isZero();
  }

  /** Whether or not the channel says when it is full. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theChoiceFollowsTheLink(boolean blocking) {
    SlowLink link = sensors(TENTH);
    link.blocking = blocking;
    link.send(10);
    link.rate = 1180 * MEGA;
    link.send(10);
    assertThat(link.send(10)).as("faster: raw").isGreaterThan(0.98 * 1180 * MEGA);
    assertThat(name(link.chosen(LARGE))).isEqualTo("none");
    link.rate = TENTH;
    link.send(10);
    assertThat(link.send(10)).as("slower again").isGreaterThan(2.6 * TENTH);
    link.rate = TENTH / 10;
    link.send(30);
    assertThat(link.send(30)).as("slower still").isGreaterThan(2.6 * TENTH / 10);
  }

  @Test
  void theChoiceFollowsTheElements() {
    SlowLink link = noise(TENTH);
    link.send(60);
    assertThat(link.choice.compressed()).isZero();
    link.codec(1).fraction = 0.33;
    link.send(10);
    assertThat(link.send(10)).as("now they shrink").isGreaterThan(2.6 * TENTH);
    link.codec(1).fraction = 1;
    link.send(10);
    assertThat(link.send(60)).as("noise again").isGreaterThan(0.97 * TENTH);
  }

  /** Nobody tells how fast the peer decodes. */
  @Test
  void wherePeersDecodeSlowlyItGoesBackToRaw() {
    SlowLink link = new SlowLink(GIGABIT, "zstd", 900 * MEGA, 0.5);
    link.decodes = 60 * MEGA;
    link.send(60);
    assertThat(link.choice.describe()).containsPattern("losses=[1-9]");
    assertThat(link.send(60)).isGreaterThan(0.97 * GIGABIT);
  }

  /** What the compiler has not yet seen is slow; it is tried again. */
  @Test
  void codecsGetFaster() {
    SlowLink link = sensors(GIGABIT);
    link.codec(0).rate = 5 * MEGA;
    link.codec(1).rate = 5 * MEGA;
    link.send(1);
    assertThat(link.choice.compressed()).isZero();
    link.codec(0).rate = 320 * MEGA;
    link.codec(1).rate = 162 * MEGA;
    link.send(5);
    assertThat(link.send(5)).isGreaterThan(1.8 * GIGABIT);
  }

  /** A program that begins has compiled nothing. */
  @Test
  void codecsThatAreColdWarmUpBesideWhatIsSent() {
    SlowLink link = coldSensors();
    link.warmsUp = true;
    assertThat(link.send(0.5)).as("at first").isGreaterThan(1.5 * GIGABIT);
    assertThat(link.send(1)).as(link.choice.describe()).isGreaterThan(1.8 * GIGABIT);
  }

  /** Attempts are what the compiler sees of a codec then. */
  @Test
  void withoutAThreadForThatTheyWarmUpByAttempts() {
    SlowLink link = coldSensors();
    assertThat(link.send(8)).as("at first").isGreaterThan(0.98 * GIGABIT);
    assertThat(link.send(1)).as(link.choice.describe()).isGreaterThan(1.8 * GIGABIT);
  }

  private static SlowLink coldSensors() {
    SlowLink link = sensors(GIGABIT);
    link.codec(0).calls = 0;
    link.codec(1).calls = 0;
    return link;
  }

  /** Blocks shrink, and encoding is too slow: the attempts cost nothing, and get fewer. */
  @Test
  void attemptsThatNeverPayCostNothing() {
    for (double rate : new double[] {10 * MEGA, 60 * MEGA, 110 * MEGA}) {
      SlowLink link = new SlowLink(GIGABIT, "lz4", rate, 0.5, "zstd", rate, 0.3);
      for (int seconds = 4; seconds <= 64; seconds *= 2) {
        assertThat(link.send(seconds)).as("rate=%s", rate).isGreaterThan(0.98 * GIGABIT);
      }
      assertThat(link.choice.compressed()).isZero();
    }
  }

  /**
   * Weights: some blocks of each array hardly shrink, wherever they are, and the others do. Which
   * block of an array is tried must not be the same each time.
   */
  @Test
  void whatIsTriedIsNotAlwaysTheSameBlockOfAnArray() {
    for (int blocks : new int[] {16, 32, 64}) {
      for (int first = 0; first < blocks; first++) {
        SlowLink link = new SlowLink(GIGABIT, "lz4", 466 * MEGA, 1.0, "zstd", 240 * MEGA, 1.0);
        link.codec(0).fractions = hardAt(first, blocks, 0.7);
        link.codec(1).fractions = hardAt(first, blocks, 0.45);
        link.sendOneByOne(1, blocks);
        assertThat(link.sendOneByOne(1, blocks))
            .as("blocks=%d, first=%d: %s", blocks, first, link.choice.describe())
            .isGreaterThan(1.4 * GIGABIT);
      }
    }
  }

  /** A fifth of the blocks shrinks by nothing, the others to this fraction. */
  private static double[] hardAt(int first, int blocks, double fraction) {
    double[] fractions = new double[blocks];
    Arrays.fill(fractions, fraction);
    for (int i = 0; i < blocks / 5; i++) {
      fractions[(first + i) % blocks] = 1;
    }
    return fractions;
  }

  @Test
  void onlyLargeArraysWaitForAVerdictInBlocks() {
    SlowLink link = sensors(TENTH);
    assertThat(name(link.chosen(LARGE - 1))).isEqualTo("none");
    assertThat(name(link.chosen(LARGE))).isEqualTo("lz4");
    link.send(5);
    assertThat(name(link.chosen((64 << 10) - 1))).isEqualTo("none");
    assertThat(name(link.chosen(64 << 10))).isEqualTo("zstd");
  }

  /** The peer's credit or the program is slower than the link. */
  @Test
  void whereNoLinkHoldsUpTheSenderArraysTravelWithoutBlocks() {
    SlowLink link = sensors(100_000 * MEGA);
    link.send(1);
    assertThat(name(link.chosen(LARGE))).isEqualTo("none");
    assertThat(link.choice.describe()).isEqualTo("none: no link holds up the sender");
  }

  /** It was slow for a moment, and nothing that is sent gets smaller. */
  @Test
  void aLinkThatNoLongerHoldsUpTheSenderIsAsGoodAsAnUnknownOne() {
    SlowLink link = noise(TENTH);
    link.send(5);
    assertThat(name(link.chosen(64 << 10))).isNotEqualTo("none");
    link.rate = 100_000 * MEGA;
    link.send(1);
    assertThat(name(link.chosen(LARGE))).isEqualTo("none");
    assertThat(link.choice.describe()).isEqualTo("none: no link holds up the sender");
    link.rate = TENTH;
    link.send(5);
    assertThat(link.choice.describe()).startsWith("none: the link takes 1");
    assertThat(name(link.chosen(64 << 10))).isNotEqualTo("none");
  }

  /** One that this connection has made for all, and then passes. */
  @Test
  void aBlockThatIsSharedCountsOnce() {
    SlowLink link = sensors(TENTH);
    Codec codec = link.codec(0);
    ByteBuffer space = ByteBuffer.allocate(1 << 20);
    link.codec(0).fraction = 0.5;
    BlockElements first = link.begun(codec);
    assertThat(link.choice.compress(first, space)).isTrue();
    link.choice.passed(first, space.position());
    link.codec(0).fraction = 0.25;
    BlockElements second = link.begun(codec);
    assertThat(link.choice.compress(second, space.clear())).isTrue();
    link.choice.passed(second, space.position());
    double both = 7 / 8.0 * 0.5 + 1 / 8.0 * 0.25;
    assertThat(1 / link.choice.samples(0).ratio(0)).isCloseTo(both, within(1e-9));
    // One that another connection has made counts, too.
    BlockElements third = link.begun(codec);
    link.choice.passed(third, third.plainBytes());
    double all = 7 / 8.0 * both + 1 / 8.0;
    assertThat(1 / link.choice.samples(0).ratio(0)).isCloseTo(all, within(1e-9));
  }

  /** Receipts and metrics say it, not describe() alone. */
  @Test
  void everyChoiceHasItsReason() {
    SlowLink link = sensors(TENTH);
    assertThat(link.choice.reasonWithoutBlocks((64 << 10) - 1))
        .isEqualTo(CompressionReason.ARRAY_SMALL);
    assertThat(link.choice.reasonWithoutBlocks(LARGE)).isEqualTo(CompressionReason.LINK_UNKNOWN);
    BlockElements block = link.begun(link.codec(0));
    assertThat(link.choice.considers(block)).isFalse();
    assertThat(link.choice.reason()).isEqualTo(CompressionReason.LINK_UNKNOWN);
    link.send(20);
    assertThat(link.choice.reason()).isEqualTo(CompressionReason.PAYS);
    link.codec(0).fraction = 1;
    link.codec(1).fraction = 1;
    link.send(20);
    assertThat(link.choice.reason()).isEqualTo(CompressionReason.GAINS_TOO_LITTLE);
    link.rate = 1180 * MEGA;
    link.send(10);
    assertThat(link.choice.reasonWithoutBlocks(LARGE)).isEqualTo(CompressionReason.LINK_FAST);
    link = sensors(100_000 * MEGA);
    link.send(1);
    assertThat(link.choice.reasonWithoutBlocks(LARGE)).isEqualTo(CompressionReason.LINK_NOT_FULL);
  }

  @Test
  void rawBlocksForAWhileHaveTheirReason() {
    Set<CompressionReason> seen = EnumSet.noneOf(CompressionReason.class);
    SlowLink slowPeer = new SlowLink(GIGABIT, "zstd", 900 * MEGA, 0.5);
    slowPeer.decodes = 60 * MEGA;
    for (int i = 0; i < 1000; i++) {
      slowPeer.send(0.05);
      seen.add(slowPeer.choice.reason());
    }
    assertThat(seen).contains(CompressionReason.ARRIVED_LATER, CompressionReason.PAYS);
    seen.clear();
    // Encoding is what is slow, so the link is not full, and is asked again.
    SlowLink slowCodec = new SlowLink(TENTH, "zstd", 2 * TENTH, 1 / 3.0);
    for (int i = 0; i < 1000; i++) {
      slowCodec.send(0.05);
      seen.add(slowCodec.choice.reason());
    }
    assertThat(seen).contains(CompressionReason.MEASURING, CompressionReason.PAYS);
  }
}
