package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.Interval;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A chart of bars: a value for each contender, with its interval.
 *
 * @param name of its file, without ending
 * @param title what it shows
 * @param axis what the values are, with their unit
 * @param bars at least one, in any order
 * @param reference a value with a line through all bars
 */
record Bars(String name, String title, String axis, List<Bar> bars, OptionalDouble reference) {

  /** An interval whose ends lie further apart than this factor says next to nothing. */
  private static final double VAGUE = 3;

  /**
   * A bar.
   *
   * @param name of the contender, whose colour it has
   * @param value above 0
   * @param interval where the value lies
   * @param words beside the bar
   */
  record Bar(String name, double value, Interval interval, String words) {

    /** Where the text begins. */
    double end(double most) {
      return interval.known() ? Math.max(value, Math.min(most, interval.high())) : value;
    }

    /** Whether the interval is so wide that the value says next to nothing. */
    boolean vague() {
      return interval.known() && interval.high() > VAGUE * Math.max(0, interval.low());
    }
  }

  /** The same as a picture. */
  Figure figure() {
    return new Figure(name, BarChart.of(title, axis, bars, reference));
  }
}
