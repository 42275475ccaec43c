package io.arraywire.benchmarks.result;

import io.arraywire.examples.report.Units;
import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Statistics of a few numbers, as the rounds of a benchmark give them.
 *
 * <p>Confidence intervals are those of Student's t distribution for the mean of the logarithms, and
 * so, raised again, for the geometric mean of the numbers. Times and rates are positive and skewed,
 * their logarithms less so. No interval has a negative end, and the interval of the times is the
 * reciprocal of that of the rates. For t in benchmarks: A. Georges, D. Buytaert, L. Eeckhout,
 * "Statistically Rigorous Java Performance Evaluation", OOPSLA 2007; JMH has the same, without the
 * logarithms. For means of ratios: P. Fleming, J. Wallace, "How not to lie with statistics", CACM
 * 29 (3), 1986.
 *
 * <p>What they cannot know: whether new processes would give the same. All rounds are those of the
 * same JVMs.
 */
public final class Statistics {
  /** How sure a confidence interval is. */
  public static final double CONFIDENCE = 0.999;

  /** A larger {@link #spread} is flagged for readers of the median. */
  public static final double NOISY_SPREAD = 0.2;

  private Statistics() {}

  /**
   * The middle one, or the mean of the middle two.
   *
   * @param numbers at least one, in any order
   * @return the median
   */
  public static double median(double[] numbers) {
    return quantile(numbers, 0.5);
  }

  /**
   * A quantile: the value that this part of the numbers does not exceed. It is interpolated (type 7
   * of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
   *
   * @param numbers at least one, in any order
   * @param part 0 for the smallest to 1 for the largest
   * @return the quantile
   */
  public static double quantile(double[] numbers, double part) {
    if (numbers.length == 0) {
      throw new IllegalArgumentException("no numbers");
    }
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /**
   * The distance between the quartiles as a part of the median.
   *
   * @param numbers at least one, in any order
   * @return 0 where they do not differ
   */
  public static double spread(double[] numbers) {
    return (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / median(numbers);
  }

  /**
   * Whether a spread is flagged.
   *
   * @param spread as {@link #spread} gives it
   * @return whether it is above {@link #NOISY_SPREAD}
   */
  public static boolean noisy(double spread) {
    return spread > NOISY_SPREAD;
  }

  /**
   * A spread for tables.
   *
   * @param spread as {@link #spread} gives it
   * @return for example {@code 12 %}, or {@code ! 34 %} if it is {@linkplain #noisy flagged}
   */
  public static String spreadWords(double spread) {
    return (noisy(spread) ? "! " : "") + Units.percent(spread);
  }

  /**
   * The standard deviation of a sample: the squares are divided by one less than there are numbers.
   *
   * @param numbers in any order
   * @return it, in the unit of the numbers; NaN of fewer than two
   */
  public static double standardDeviation(double[] numbers) {
    return Math.sqrt(sampleVariance(numbers));
  }

  /**
   * The confidence interval of the geometric mean at {@link #CONFIDENCE}.
   *
   * @param numbers positive, in any order
   * @return the interval; unknown of fewer than two numbers
   */
  public static Interval interval(double[] numbers) {
    return interval(numbers, CONFIDENCE);
  }

  /**
   * The confidence interval of the geometric mean.
   *
   * @param numbers positive, in any order
   * @param confidence how sure it is, such as 0.99
   * @return the interval; unknown of fewer than two numbers
   */
  public static Interval interval(double[] numbers, double confidence) {
    double[] logs = logs(numbers);
    return around(
        StatUtils.mean(logs),
        sampleVariance(logs) / logs.length,
        Math.max(0, logs.length - 1.0),
        confidence);
  }

  /**
   * The geometric mean.
   *
   * @param numbers positive, at least one
   * @return the mean, which {@link #interval} is around
   */
  public static double geometricMean(double[] numbers) {
    return Math.exp(StatUtils.mean(logs(numbers)));
  }

  /**
   * The confidence interval of the geometric mean of some numbers divided by that of others, at
   * {@link #CONFIDENCE}. The two may vary differently: B. Welch, "The generalization of 'Student's'
   * problem when several different population variances are involved", Biometrika 34, 1947, with
   * Satterthwaite's degrees of freedom.
   *
   * @param numbers positive, in any order, of one run
   * @param others positive, in any order, of another run
   * @return the interval; unknown if there are fewer than two of either
   */
  public static Interval ratioInterval(double[] numbers, double[] others) {
    double[] logs = logs(numbers);
    double[] otherLogs = logs(others);
    double part = sampleVariance(logs) / logs.length;
    double otherPart = sampleVariance(otherLogs) / otherLogs.length;
    double degrees =
        (part + otherPart)
            * (part + otherPart)
            / (part * part / (logs.length - 1) + otherPart * otherPart / (otherLogs.length - 1));
    return around(
        StatUtils.mean(logs) - StatUtils.mean(otherLogs), part + otherPart, degrees, CONFIDENCE);
  }

  /**
   * The geometric mean of some numbers divided by that of others.
   *
   * @param numbers positive, at least one
   * @param others positive, at least one
   * @return the ratio, which {@link #ratioInterval} is around
   */
  public static double ratio(double[] numbers, double[] others) {
    return Math.exp(StatUtils.mean(logs(numbers)) - StatUtils.mean(logs(others)));
  }

  /**
   * An interval.
   *
   * @param log the logarithm of its middle
   * @param squaredError the variance of that
   * @param degrees of freedom; without meaning where nothing varies
   * @param confidence how sure it is
   */
  private static Interval around(
      double log, double squaredError, double degrees, double confidence) {
    if (squaredError == 0) {
      return new Interval(Math.exp(log), Math.exp(log));
    }
    if (Double.isNaN(squaredError)) {
      return Interval.UNKNOWN;
    }
    double t = new TDistribution(null, degrees).inverseCumulativeProbability((1 + confidence) / 2);
    double error = t * Math.sqrt(squaredError);
    Interval interval = new Interval(Math.exp(log - error), Math.exp(log + error));
    // Two numbers that differ much: wider than there are numbers for, nor could a file hold it.
    return interval.low() > 0 && interval.high() < Double.POSITIVE_INFINITY
        ? interval
        : Interval.UNKNOWN;
  }

  private static double[] logs(double[] numbers) {
    return Arrays.stream(numbers).map(Math::log).toArray();
  }

  /** Of one number commons-math says 0, as if it were known how much others would differ. */
  private static double sampleVariance(double[] numbers) {
    return numbers.length < 2 ? Double.NaN : StatUtils.variance(numbers);
  }
}
