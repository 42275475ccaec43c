package io.arraywire.testkit.simulation;

/** What a seed decides: the same numbers in the same order in every JVM. (splitmix64.) */
final class Choices {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  Choices(long seed) {
    state = mixed(seed * GOLDEN + 1);
  }

  private Choices(Choices parent) {
    state = parent.next();
  }

  /** Choices of their own, so that one more here changes nothing there. */
  Choices branch() {
    return new Choices(this);
  }

  static long mixed(long value) {
    long bits = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
    return bits ^ (bits >>> 31);
  }

  long next() {
    state += GOLDEN;
    return mixed(state);
  }

  /** From 0, below the bound. */
  int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  long below(long bound) {
    return Long.remainderUnsigned(next(), bound);
  }

  /** From the least to the most, both of them included. */
  int between(int least, int most) {
    return least + below(most - least + 1);
  }

  boolean percent(int chance) {
    return below(100) < chance;
  }

  /** From 1 to the most, small numbers as often as large ones. */
  int upTo(int most) {
    int magnitude = below(33 - Integer.numberOfLeadingZeros(most));
    return 1 + below((int) Math.min(most, 1L << magnitude));
  }

  /** A time of that magnitude: from half to one and a half, and now and then ten times as long. */
  long around(long nanos) {
    long time = nanos / 2 + below(Math.max(1, nanos));
    return percent(3) ? 10 * time : time;
  }

  @SafeVarargs
  final <T> T of(T... all) {
    return all[below(all.length)];
  }
}
