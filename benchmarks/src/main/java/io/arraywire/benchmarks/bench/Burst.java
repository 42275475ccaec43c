package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.result.EncodedTimes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What one contender did in one round.
 *
 * @param sent how many arrays were sent, those before the clock ran among them
 * @param arrays how many of them count
 * @param nanos how long it took, all together
 * @param expense what both processes took meanwhile
 * @param times of each transfer in nanoseconds; empty if they were not waited for one by one
 * @param served of the arrays that count, how many each connection had; empty where one works alone
 */
record Burst(
    long sent, long arrays, long nanos, Expense expense, Histogram times, List<Long> served) {
  /** Digits that count: times are kept to a thousandth. */
  private static final int DIGITS = 3;

  /** How many {@link #words} there are. */
  static final int WORDS = 7;

  private static final long LONGEST_NANOS = 1L << 42;

  /** Of one connection that works alone. */
  Burst(long sent, long arrays, long nanos, Expense expense, Histogram times) {
    this(sent, arrays, nanos, expense, times, List.of());
  }

  static Histogram emptyTimes() {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  /** For several threads. */
  static Histogram emptyConcurrentTimes() {
    return new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
  }

  /** For {@link #parse}. */
  String[] words() {
    String[] spent = expense.words();
    return new String[] {
      Long.toString(sent),
      Long.toString(arrays),
      Long.toString(nanos),
      spent[0],
      spent[1],
      EncodedTimes.encode(times),
      served.stream().map(String::valueOf).collect(Collectors.joining(" "))
    };
  }

  static Burst parse(String[] words) {
    return new Burst(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Expense.parse(words[3], words[4]),
        EncodedTimes.decode(words[5]),
        words[6].isEmpty()
            ? List.of()
            : Arrays.stream(words[6].split(" ")).map(Long::valueOf).toList());
  }

  /** The same, with what the other process took. */
  Burst withMore(Expense more) {
    return new Burst(sent, arrays, nanos, expense.plus(more), times, served);
  }

  /** Of an expense for all arrays that were sent, what falls to those that count. */
  Expense counted(Expense ofSent) {
    return ofSent.part(arrays, sent);
  }

  /** The same, if its own expense was for all arrays that were sent. */
  Burst withExpenseOfCounted() {
    return new Burst(sent, arrays, nanos, counted(expense), times, served);
  }

  /**
   * Nanoseconds for an array: the median if each was waited for and nothing else went on, otherwise
   * the mean.
   */
  double nanosPerArray() {
    return times.getTotalCount() > 0 && served.isEmpty()
        ? times.getValueAtPercentile(50)
        : (double) nanos / Math.max(1, arrays);
  }
}
