package io.arraywire.examples.soak;

/** What a soak samples, and how much of it may come or go in the second half of the run. */
enum SoakSeries {
  /** Resident memory of a process. */
  RSS("resident memory, MiB", 0.05, 16),
  /** What lives on the heap after a collection. */
  HEAP("heap after a collection, MiB", 0.15, 2),
  /** What transports have taken from their pools and not given back. */
  POOL("pooled memory in use, MiB", 0.25, 1),
  DESCRIPTORS("descriptors", 0.1, 8),
  THREADS("threads", 0.1, 8),
  /** The one that may grow, and must not fall. */
  RATE("operations per second", 0.25, 0);

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
    return this == RATE ? -1 : 1;
  }
}
