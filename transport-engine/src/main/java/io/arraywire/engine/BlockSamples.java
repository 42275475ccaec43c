package io.arraywire.engine;

import java.util.function.LongSupplier;

/**
 * What compressions did to the blocks of one channel, or of one part of its messages: how far they
 * shrank, and how fast. It says when to try them again. The writing thread's, but for {@link
 * #best}.
 */
final class BlockSamples {
  /** So many blocks pass before the next attempt, and more and more where none pays. */
  static final int FEWEST_BETWEEN = 32;

  static final int MOST_BETWEEN = 1024;

  /** While one pays, which is tried with each block, the others are tried. */
  static final int BETWEEN_THAT_PAY = 256;

  /**
   * More blocks pass than those: arrays mostly have blocks of a power of two, and the same block of
   * each would be tried.
   */
  private static final int MORE = 7;

  /**
   * So many attempts follow one another soon where blocks shrink enough and only encoding is too
   * slow. A codec that has not run yet is compiled meanwhile: with blocks of 64 KiB C2 is done
   * after some thirty.
   */
  static final int SOON = 64;

  /** So many times as long as an attempt took passes before the next one. */
  static final int REST = 64;

  private static final double NANOS = 1e9;

  /** What is left of older blocks at each. */
  private static final double KEPT = 0.875;

  private final LongSupplier clock;

  /** Of each codec: bytes of a block for each of its elements, 1 where it does not get smaller. */
  private final double[] fraction;

  /** Of each codec: bytes of elements in a second; 0 where none was encoded. */
  private final double[] rate;

  /** Which of the codecs is worth most here. Any thread. */
  volatile int best;

  /** Of which codec it was asked last whether it pays, and whether it does; none at first. */
  int asked = -1;

  boolean pays;

  private int untilNext;
  private int between = FEWEST_BETWEEN;
  private int soonLeft = SOON;

  /** No attempt is made before. */
  private long restsUntil;

  BlockSamples(int codecs, LongSupplier clock) {
    this.clock = clock;
    restsUntil = clock.getAsLong();
    fraction = new double[codecs];
    rate = new double[codecs];
  }

  /** Whether all codecs are to be tried on the next block. */
  boolean isDue() {
    return untilNext <= 1 && clock.getAsLong() - restsUntil >= 0;
  }

  /** A block passes on which they are not tried. */
  void passed() {
    untilNext = Math.max(1, untilNext - 1);
  }

  /** Codecs have become faster: the next block tells. */
  void tryAgain() {
    untilNext = 1;
    restsUntil = clock.getAsLong();
    soonLeft = SOON;
  }

  /**
   * All codecs were tried.
   *
   * @param faster whether one of them was much faster than before: the compiler is at work on it
   * @param pays whether one of them pays
   * @param wouldPay whether one of them would if only it were faster
   * @param began when that began
   */
  void tried(boolean faster, boolean pays, boolean wouldPay, long began) {
    long now = clock.getAsLong();
    restsUntil = now + REST * (now - began);
    if (faster) {
      soonLeft = SOON;
    }
    if (faster || (wouldPay && !pays && soonLeft-- > 0)) {
      between = FEWEST_BETWEEN;
    } else {
      between = pays ? BETWEEN_THAT_PAY : Math.min(2 * between, MOST_BETWEEN);
    }
    untilNext = between + MORE;
  }

  /** A codec has encoded a block; returns whether it was much faster than before. */
  boolean encoded(int codec, int plain, int bytes, long nanos) {
    double now = plain * NANOS / Math.max(1, nanos);
    double before = rate[codec];
    // What is slower than before was interrupted, perhaps; what is faster was compiled.
    rate[codec] = now > before ? now : KEPT * before + (1 - KEPT) * now;
    shrank(codec, plain, bytes);
    return now > 1.25 * before;
  }

  /** A codec has made a block smaller, or not. */
  void shrank(int codec, int plain, int bytes) {
    double part = (double) bytes / plain;
    double before = fraction[codec];
    fraction[codec] = before == 0 ? part : KEPT * before + (1 - KEPT) * part;
  }

  /** Bytes of elements for each that passes. */
  double ratio(int codec) {
    return 1 / fraction[codec];
  }

  /** Bytes of elements that arrive in a second: what is slower decides. */
  double arrive(int codec, double linkRate) {
    return Math.min(rate[codec], linkRate / fraction[codec]);
  }

  /** Whether a codec makes blocks so much smaller. */
  boolean shrinksBy(double gain) {
    for (double part : fraction) {
      if (part * gain < 1) {
        return true;
      }
    }
    return false;
  }

  /** Finds the codec that is worth most over a link. */
  void findBest(double linkRate) {
    int found = 0;
    for (int i = 1; i < rate.length; i++) {
      if (arrive(i, linkRate) > arrive(found, linkRate)) {
        found = i;
      }
    }
    best = found;
  }
}
