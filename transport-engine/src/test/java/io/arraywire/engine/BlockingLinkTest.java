package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is compressed where writes block: how long they take is all that tells of the link. */
class BlockingLinkTest {
  private static final double MEGA = 1e6;
  private static final double GIGABIT = 118 * MEGA;
  private static final double TENTH = 11.8 * MEGA;

  private static SlowLink blocking(SlowLink link) {
    link.blocking = true;
    return link;
  }

  private static SlowLink sensors(double rate) {
    return blocking(new SlowLink(rate, "lz4", 320 * MEGA, 1 / 1.95, "zstd", 162 * MEGA, 1 / 3.02));
  }

  @Test
  void theSlowestOfThreeDecidesWhichCodec() {
    SlowLink slow = sensors(TENTH);
    assertThat(slow.send(20)).isGreaterThan(2.6 * TENTH);
    assertThat(slow.choice.describe()).matches("zstd: the link takes 11\\.\\d MB/s; .*, losses=0");

    SlowLink faster = sensors(GIGABIT);
    assertThat(faster.send(20)).isGreaterThan(1.8 * GIGABIT);
    assertThat(faster.choice.describe()).startsWith("lz4: the link takes 1");
  }

  @Test
  void noiseTravelsRawAndCostsNothing() {
    for (double rate : new double[] {TENTH, GIGABIT, 400 * MEGA}) {
      SlowLink link =
          blocking(new SlowLink(rate, "lz4", 1820 * MEGA, 1.0, "zstd", 838 * MEGA, 1.0));
      assertThat(link.send(20)).isGreaterThan(0.98 * rate);
      assertThat(link.choice.compressed()).isZero();
    }
  }

  @Test
  void aFastLinkIsLeftAlone() {
    SlowLink link = sensors(1180 * MEGA);
    assertThat(link.send(2)).isGreaterThan(0.98 * 1180 * MEGA);
    assertThat(link.choice.compressed()).isZero();
  }

  @Test
  void wherePeersDecodeSlowlyItGoesBackToRaw() {
    SlowLink link = blocking(new SlowLink(GIGABIT, "zstd", 900 * MEGA, 0.5));
    link.decodes = 60 * MEGA;
    link.send(60);
    assertThat(link.choice.describe()).containsPattern("losses=[1-9]");
    assertThat(link.send(60)).isGreaterThan(0.97 * GIGABIT);
  }
}
