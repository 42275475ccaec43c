package io.arraywire.testkit.simulation;

/** How long the script of a seed is. */
enum Length {
  /** Its end comes as soon as more time would change nothing. */
  SHORT(4, 16),

  /** Its end takes its time: whatever comes late has time to come. */
  LONG(60, 150);

  /** One seed in so many is long. */
  private static final int LONG_EACH = 100;

  /** The fewest and the most actions of users. */
  final int fewest;

  final int most;

  Length(int fewest, int most) {
    this.fewest = fewest;
    this.most = most;
  }

  static Length of(long seed) {
    return Long.remainderUnsigned(seed, LONG_EACH) == 0 ? LONG : SHORT;
  }
}
