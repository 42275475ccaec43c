package io.arraywire.benchmarks.bench;

import java.time.Duration;
import java.util.Locale;

/**
 * A rate at which requests fall due, even if those before are not answered.
 *
 * @param perSecond how many
 * @param atOnce how many fall due at the same time
 */
record Rate(int perSecond, int atOnce) {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Nanoseconds from the first request, which has number 0, to the one of that number. */
  long due(long number) {
    return number / atOnce * atOnce * NANOS_PER_SECOND / perSecond;
  }

  /** How many requests fall due in so long; at least those that are due at the beginning. */
  long requests(Duration duration) {
    return Math.max(atOnce, duration.toNanos() * perSecond / NANOS_PER_SECOND);
  }

  /**
   * Reads requests per second from the command line.
   *
   * @param text such as {@code 500}, {@code 10k} (thousand) or {@code 1M} (million)
   * @throws IllegalArgumentException if it is something else
   */
  static int parse(String text) {
    int end = text.length() - 1;
    int unit =
        switch (end < 0 ? ' ' : text.charAt(end)) {
          case 'k' -> 1_000;
          case 'M' -> 1_000_000;
          default -> 1;
        };
    try {
      return Math.multiplyExact(Integer.parseInt(unit == 1 ? text : text.substring(0, end)), unit);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a rate, such as 500, 10k or 1M (rate=" + text + ")", e);
    }
  }

  String label() {
    return String.format(Locale.ROOT, "%,d requests/s", perSecond)
        + (atOnce == 1 ? "" : ", " + atOnce + " at once");
  }
}
