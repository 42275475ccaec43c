package io.arraywire.benchmarks.result;

import java.util.Locale;

/**
 * Where a figure lies, as surely as {@link Statistics#CONFIDENCE} says.
 *
 * @param low the lower end; NaN if it is not known
 * @param high the upper end; NaN if it is not known
 */
public record Interval(double low, double high) {
  /** Larger ends say nothing but that there were too few numbers. */
  private static final double BEYOND = 100;

  /** An interval whose ends lie further apart than this factor says next to nothing. */
  private static final double VAGUE = 3;

  /** Of too few numbers. */
  public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

  /**
   * Whether it is known.
   *
   * @return false if there were too few numbers
   */
  public boolean known() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  /**
   * Whether it is so wide that its figure says next to nothing.
   *
   * @return false if it is not known
   */
  public boolean isVague() {
    return known() && high > VAGUE * Math.max(0, low);
  }

  /**
   * A factor's interval in words.
   *
   * @return such as {@code 0.98 to 1.04}
   */
  public String words() {
    if (!known()) {
      return "too few rounds";
    }
    String end =
        high < BEYOND ? String.format(Locale.ROOT, "%.2f", high) : "> " + Math.round(BEYOND);
    return String.format(Locale.ROOT, "%.2f to %s", low, end);
  }

  /**
   * Whether a number is certainly not the figure.
   *
   * @param number any
   * @return true if it lies outside; false if that is not known
   */
  public boolean excludes(double number) {
    return number < low || number > high;
  }
}
