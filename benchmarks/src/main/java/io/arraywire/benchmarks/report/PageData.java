package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.Json;
import java.awt.Color;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a page, which its script draws: each is there once, as JSON. Charts have numbers
 * in the order in which they came. Not for several threads.
 */
final class PageData {
  /** Of a curve of percentiles: eight for each power of ten. */
  private static final int POINTS = 24;

  /** Digits of a number that count: no screen shows more. */
  private static final MathContext DIGITS = new MathContext(4);

  private final Map<String, Integer> contenders = new LinkedHashMap<>();
  private final List<Object> charts = new ArrayList<>();

  /** A column of a table: its heading, and what a row has there. */
  record Column<R>(String heading, Function<R, String> cell) {}

  private int number(String contender) {
    Integer known = contenders.putIfAbsent(contender, contenders.size());
    return known == null ? contenders.size() - 1 : known;
  }

  /** All contenders of the charts, in the order of their numbers. */
  Set<String> contenders() {
    return contenders.keySet();
  }

  /**
   * Adds a chart of bars with its table.
   *
   * @param bars of the chart
   * @param rows one for each bar, in the same order
   * @param columns of the table; the first has the names
   * @param noisy whether the spread of a row stands out
   * @return the number of the chart
   */
  <R> int bars(
      Bars bars, List<R> rows, List<Column<R>> columns, java.util.function.Predicate<R> noisy) {
    List<Object> members = new ArrayList<>();
    List<Bars.Bar> drawn = bars.drawn();
    for (int i = 0; i < rows.size(); i++) {
      R row = rows.get(i);
      Bars.Bar bar = bars.bars().get(i);
      members.add(
          Json.object(
              "c",
              number(bar.name()),
              "v",
              rounded(bar.value()),
              "lo",
              bar.interval().known() ? rounded(bar.interval().low()) : null,
              "hi",
              bar.interval().known() ? rounded(bar.interval().high()) : null,
              "words",
              bar.words(),
              "noisy",
              noisy.test(row),
              "drawn",
              drawn.contains(bar),
              "cells",
              columns.stream().skip(1).map(column -> column.cell().apply(row)).toList()));
    }
    charts.add(
        Json.object(
            "kind",
            "bars",
            "axis",
            bars.axis(),
            "reference",
            bars.reference().isPresent() ? bars.reference().getAsDouble() : null,
            "columns",
            columns.stream().map(Column::heading).toList(),
            "rows",
            members));
    return charts.size() - 1;
  }

  /** Adds a chart of lines; returns its number. */
  int lines(Lines lines) {
    List<Object> labels = new ArrayList<>();
    List<Object> ticks = new ArrayList<>();
    List<Object> places = new ArrayList<>();
    for (int i = 0; i < lines.x().size(); i++) {
      String label = lines.xLabel().apply(lines.x().get(i));
      labels.add(label);
      ticks.add(Json.object("at", i, "label", label));
      // What was measured lies at equal distances: sizes and loads grow by factors.
      places.add(i);
    }
    return add(
        lines.xTitle().replace(" (logarithmic)", ""),
        lines.yTitle(),
        lines.unit() == Lines.Unit.MICROS ? "us" : "",
        places,
        labels,
        ticks,
        true,
        lines.lines(),
        lines.main());
  }

  /** Adds curves of percentiles; returns the number of the chart. */
  int percentiles(Percentiles percentiles) {
    double[] percentages = Percentiles.percentages(POINTS);
    List<Object> places = new ArrayList<>();
    List<Object> labels = new ArrayList<>();
    for (int i = 0; i < percentages.length; i++) {
      places.add(i / 8.0);
      labels.add(
          percentages[i] < 99
              ? String.format(Locale.ROOT, "%.0f %%", percentages[i])
              : String.format(Locale.ROOT, "%.2f %%", percentages[i]));
    }
    List<Object> ticks = new ArrayList<>();
    for (Scale.Tick each : Percentiles.ticks()) {
      ticks.add(Json.object("at", rounded(each.place()), "label", each.label()));
    }
    List<Lines.Line> lines =
        percentiles.rows().stream()
            .map(row ->
                new Lines.Line(
                    row.contender(),
                    Arrays.stream(percentages)
                        .mapToObj(each -> Math.max(0.001, Percentiles.micros(row, each)))
                        .toList()))
            .toList();
    return add(
        Percentiles.X_TITLE,
        Percentiles.Y_TITLE,
        "us",
        places,
        labels,
        ticks,
        false,
        lines,
        percentiles.main());
  }

  private int add(
      String xTitle,
      String yTitle,
      String unit,
      List<Object> places,
      List<Object> labels,
      List<Object> ticks,
      boolean points,
      List<Lines.Line> lines,
      List<String> main) {
    List<Object> rows = new ArrayList<>();
    for (Lines.Line line : lines) {
      List<@Nullable Object> values = new ArrayList<>();
      for (double value : line.values()) {
        values.add(Double.isNaN(value) ? null : rounded(value));
      }
      rows.add(Json.object("c", number(line.name()), "y", values));
    }
    charts.add(
        Json.object(
            "kind",
            "lines",
            "xTitle",
            xTitle,
            "yTitle",
            yTitle,
            "unit",
            unit,
            "x",
            places,
            "labels",
            labels,
            "ticks",
            ticks,
            "points",
            points,
            "main",
            main.stream().map(this::number).toList(),
            "rows",
            rows));
    return charts.size() - 1;
  }

  private static Object rounded(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(DIGITS).stripTrailingZeros()
        : value;
  }

  /** All of it, in characters that mean nothing to a reader of HTML or XML. */
  String json() {
    List<Object> looks = new ArrayList<>();
    for (String each : contenders.keySet()) {
      Look look = Look.of(each);
      float[] dashes = look.line().getDashArray();
      List<Integer> dash = new ArrayList<>();
      for (int i = 0; dashes != null && i < dashes.length; i++) {
        dash.add(Math.round(dashes[i]));
      }
      looks.add(Json.object("name", each, "color", color(look.color()), "dash", dash));
    }
    return Json.text(Json.object("contenders", looks, "charts", charts))
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e");
  }

  private static String color(Color color) {
    return String.format(Locale.ROOT, "#%06x", color.getRGB() & 0xffffff);
  }
}
