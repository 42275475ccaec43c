package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

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
  }

  /**
   * The bars of the chart: those whose interval says something. None if one alone is left of
   * several, since there is nothing to compare it with.
   */
  List<Bar> drawn() {
    List<Bar> clear = bars.stream().filter(each -> !each.interval().isVague()).toList();
    return clear.size() == 1 && bars.size() > 1 ? List.of() : clear;
  }

  /** Which are left out of the chart, and why; nothing if none is. */
  Optional<String> leftOut() {
    String names =
        bars.stream()
            .filter(each -> each.interval().isVague())
            .map(each -> each.name() + " (" + each.interval().words() + ")")
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            (drawn().isEmpty() ? "No chart is drawn" : "Not drawn")
                + ", since the interval spans more than a factor of three: "
                + names
                + ".");
  }

  /**
   * The same as a picture, whose axis says how many are left out.
   *
   * @return the picture; none if no bar is drawn
   */
  Optional<Figure> figure() {
    List<Bar> shown = drawn();
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    int left = bars.size() - shown.size();
    String note = left == 0 ? "" : "; " + left + " not drawn, whose intervals say nothing";
    return Optional.of(new Figure(name, BarChart.of(title, axis + note, shown, reference)));
  }
}
