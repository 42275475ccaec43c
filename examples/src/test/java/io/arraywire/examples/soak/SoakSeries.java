package io.arraywire.examples.soak;

/**
 * What a soak samples, and how much of it may come or go in the second half of the run. Those from
 * the rate on may grow.
 */
enum SoakSeries {
  /** Resident memory of a process. */
  RSS("resident memory, MiB", 0.05, 16),
  /** What lives on the heap after a collection. */
  HEAP("heap after a collection, MiB", 0.15, 2),
  /** What transports have taken from their pools and not given back. */
  POOL("pooled memory in use, MiB", 0.25, 1),
  DESCRIPTORS("descriptors", 0.1, 8),
  THREADS("threads", 0.1, 8),
  /**
   * CPU time in each second; drawn and not judged. A soak that takes more and more of it slows down
   * the yardstick, too: the chart shows that.
   */
  PROCESSORS("processors in use", 0.5, 0.15),
  /** May grow, and must not fall while the yardstick does not. */
  RATE("operations per second", 0.25, 0),
  /** What the rate is judged by: it may fall as far as the yardstick does. */
  RATIO("operations per 1,000 exchanges of the yardstick", 0.25, 0),
  /** What the machine has left for others; nobody's fault. */
  YARDSTICK("exchanges of the yardstick per second", 0.25, 0);

  private final String words;
  private final double part;
  private final double floor;

  SoakSeries(String words, double part, double floor) {
    this.words = words;
    this.part = part;
    this.floor = floor;
  }

  /** The name and the unit. */
  String words() {
    return words;
  }

  /** How much a series of a level may change the wrong way. */
  double limit(double level) {
    return Math.max(floor, part * level);
  }

  /** The way that is wrong: 1 to grow, -1 to fall. */
  int wrong() {
    return compareTo(RATE) >= 0 ? -1 : 1;
  }
}
