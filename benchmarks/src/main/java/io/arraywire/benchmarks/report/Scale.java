package io.arraywire.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * Where values lie along an axis. XChart gets places, which are linear, and draws no marks of its
 * own. It would put them at places of its choice, not at the sizes that were measured.
 *
 * @param title what the axis says, with its unit
 * @param place the place of a value
 * @param low the place where the axis begins
 * @param high the place where it ends
 * @param ticks what is marked
 */
record Scale(String title, DoubleUnaryOperator place, double low, double high, List<Tick> ticks) {
  /** More decades than that have a mark at each power of ten only. */
  private static final double FEW_DECADES = 2;

  private static final double MARGIN = 0.04;
  private static final int LINEAR_TICKS = 6;

  /**
   * A mark.
   *
   * @param place where
   * @param label its text
   */
  record Tick(double place, String label) {}

  /** From zero to a value. */
  static Scale fromZero(String title, double most, DoubleFunction<String> label) {
    double rough = most / LINEAR_TICKS;
    double decade = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = decade * (rough / decade < 2 ? 2 : rough / decade < 5 ? 5 : 10);
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= most * (1 + 1e-9); i++) {
      ticks.add(new Tick(i * step, label.apply(i * step)));
    }
    return new Scale(title, DoubleUnaryOperator.identity(), 0, most, ticks);
  }

  /** Logarithmic, with marks at powers of ten and, where there are few, between them. */
  static Scale logarithmic(String title, double least, double most, DoubleFunction<String> label) {
    double low = Math.log10(least);
    double high = Math.log10(most);
    double margin = Math.max(MARGIN, MARGIN * (high - low));
    low -= margin;
    high += margin;
    List<Tick> ticks = new ArrayList<>();
    for (int exponent = (int) Math.floor(low); exponent <= high; exponent++) {
      for (int digit : high - low > FEW_DECADES ? new int[] {1} : new int[] {1, 2, 5}) {
        double value = digit * Math.pow(10, exponent);
        if (Math.log10(value) >= low && Math.log10(value) <= high) {
          ticks.add(new Tick(Math.log10(value), label.apply(value)));
        }
      }
    }
    return new Scale(title, Math::log10, low, high, ticks);
  }

  /** Logarithmic, with marks at these values. */
  static Scale logarithmic(String title, double[] ascending, DoubleFunction<String> label) {
    List<Tick> ticks = new ArrayList<>();
    for (double each : ascending) {
      ticks.add(new Tick(Math.log10(each), label.apply(each)));
    }
    double low = Math.log10(ascending[0]);
    double high = Math.log10(ascending[ascending.length - 1]);
    double margin = Math.max(MARGIN, MARGIN * (high - low));
    return new Scale(title, Math::log10, low - margin, high + margin, ticks);
  }

  /** The same, ending elsewhere; marks beyond the end are gone. */
  Scale endingAt(double end) {
    return new Scale(
        title, place, low, end, ticks.stream().filter(tick -> tick.place() <= end).toList());
  }

  double at(double value) {
    return place.applyAsDouble(value);
  }
}
