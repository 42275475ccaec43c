package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.JmhResult;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.report.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a chart says, in sentences that are computed from its figures. */
final class Conclusions {
  private static final double NINETY_NINE = 99;

  private Conclusions() {}

  /** Whether a contender is Arraywire in one of its settings. */
  static boolean ours(String contender) {
    return contender.matches("(nio|stream)(-.*)?");
  }

  /**
   * Of a chart of ratios: the fastest contender, whether that is certain, and where Arraywire
   * stands.
   *
   * @param run whose baseline the ratios refer to
   * @param question with at least one contender
   * @param figure the words for what a contender did
   */
  static String ratios(
      Run run, Question question, java.util.function.Function<Row, String> figure) {
    List<Row> ranked =
        question.rows().stream()
            .filter(row -> !row.ratioInterval().isVague())
            .sorted(Comparator.comparingDouble(Row::ratio).reversed())
            .toList();
    int all = question.rows().size();
    if (all == 1) {
      Row only = question.rows().get(0);
      return only.contender() + " was measured alone: " + figure.apply(only) + ".";
    }
    if (ranked.size() < 2) {
      return "Rounds differ too much to say which of " + all + " is the fastest.";
    }
    Row first = ranked.get(0);
    StringBuilder words = new StringBuilder();
    words
        .append(first.contender())
        .append(" is the fastest of ")
        .append(ranked.size())
        .append(ranked.size() < all ? " whose intervals say something: " : ": ")
        .append(figure.apply(first))
        .append(against(run, first))
        .append(". ");
    Row second = ranked.get(1);
    words.append(second.contender()).append(" follows with ").append(figure.apply(second));
    words.append(against(run, second)).append(apart(first, second)).append(".");
    if (!ours(first.contender()) && !ours(second.contender())) {
      for (int i = 2; i < ranked.size(); i++) {
        Row each = ranked.get(i);
        if (ours(each.contender())) {
          words.append(" The best of Arraywire is ").append(each.contender()).append(", number ");
          words.append(i + 1).append(", with ").append(figure.apply(each));
          words.append(against(run, each)).append(".");
          break;
        }
      }
    }
    long noisy = ranked.stream().filter(Row::noisy).count();
    if (noisy > 0) {
      words.append(noisy == 1 ? " One of them was" : " " + noisy + " of them were");
      words
          .append(" noisy: ! marks a spread above ")
          .append(Units.percent(Statistics.NOISY_SPREAD))
          .append(".");
    }
    return words.toString();
  }

  private static String against(Run run, Row row) {
    return row.contender().equals(run.baseline())
        ? ", the one that others are compared with"
        : ", " + ReportCharts.ratio(row.ratio()) + " times as fast as " + run.baseline();
  }

  private static String apart(Row first, Row second) {
    if (!first.ratioInterval().known() || !second.ratioInterval().known()) {
      return "; too few rounds to say whether that order is certain";
    }
    return first.ratioInterval().low() > second.ratioInterval().high()
        ? "; their intervals do not overlap"
        : "; their intervals overlap, so their order is not certain";
  }

  /** Of a chart of percentiles: whose p99 is lowest, and how far Arraywire's is from its median. */
  static String percentiles(List<Row> rows) {
    Row best =
        rows.stream()
            .min(Comparator.comparingDouble(row -> Percentiles.micros(row, NINETY_NINE)))
            .orElseThrow();
    StringBuilder words = new StringBuilder();
    words.append("One transfer of a hundred takes longer than ");
    words.append(time(best, NINETY_NINE)).append(" with ").append(best.contender());
    words.append(rows.size() == 1 ? "." : ", the lowest p99 of " + rows.size() + ".");
    Optional<Row> mine =
        rows.stream()
            .filter(row -> ours(row.contender()))
            .min(Comparator.comparingDouble(row -> Percentiles.micros(row, NINETY_NINE)));
    Row told = mine.orElse(best);
    if (!told.contender().equals(best.contender())) {
      words.append(" With ").append(told.contender()).append(", the best of Arraywire, it is ");
      words.append(time(told, NINETY_NINE)).append(".");
    }
    words.append(" Half of the transfers of ").append(told.contender()).append(" take ");
    words.append(time(told, 50)).append(" or less.");
    return words.toString();
  }

  private static String time(Row row, double percentage) {
    return Units.time(Math.round(1e3 * Percentiles.micros(row, percentage)));
  }

  /** Of a chart of lines: the best contender at its end, and where Arraywire stands there. */
  static String lines(Lines lines) {
    int last = lines.x().size() - 1;
    List<Lines.Line> ranked = lines.ranked(last);
    Lines.Line first = ranked.get(0);
    StringBuilder words = new StringBuilder("At ");
    words.append(lines.xLabel().apply(lines.x().get(last))).append(", ").append(first.name());
    words
        .append(lines.unit() == Lines.Unit.MICROS ? " has the lowest of " : " has the highest of ")
        .append(ranked.size());
    words.append(": ").append(lines.unit().measured(first.values().get(last))).append(".");
    if (!ours(first.name())) {
      for (int i = 1; i < ranked.size(); i++) {
        Lines.Line each = ranked.get(i);
        if (ours(each.name())) {
          words.append(" The best of Arraywire is ").append(each.name());
          words.append(", number ").append(i + 1).append(", with ");
          words.append(lines.unit().measured(each.values().get(last))).append(".");
          break;
        }
      }
    }
    lines.lines().stream()
        .filter(line -> ours(line.name()))
        .map(line -> new Lead(line.name(), leads(lines, line.name())))
        .max(Comparator.comparingInt(Lead::places))
        .filter(lead -> lead.places() > 0)
        .ifPresent(lead ->
            words
                .append(" ")
                .append(lead.name())
                .append(" leads at ")
                .append(lead.places())
                .append(" of ")
                .append(lines.x().size())
                .append(lines.x().size() == 1 ? " place." : " places."));
    return words.toString();
  }

  private record Lead(String name, int places) {}

  private static int leads(Lines lines, String name) {
    int leads = 0;
    for (int i = 0; i < lines.x().size(); i++) {
      List<Lines.Line> ranked = lines.ranked(i);
      if (!ranked.isEmpty() && ranked.get(0).name().equals(name)) {
        leads++;
      }
    }
    return leads;
  }

  /** Of what JMH measured: the best one, and by how much. */
  static String jmh(JmhComparison comparison, boolean timed) {
    Comparator<JmhResult> order = Comparator.comparingDouble(JmhResult::score);
    List<JmhResult> ranked =
        comparison.results().stream().sorted(timed ? order : order.reversed()).toList();
    JmhResult first = ranked.get(0);
    String best = comparison.name(first) + ": " + score(first);
    if (ranked.size() == 1) {
      return best + ".";
    }
    JmhResult second = ranked.get(1);
    JmhResult worst = ranked.get(ranked.size() - 1);
    double factor = timed ? second.score() / first.score() : first.score() / second.score();
    double all = timed ? worst.score() / first.score() : first.score() / worst.score();
    boolean overlap =
        !first.interval().known()
            || !second.interval().known()
            || (first.interval().low() <= second.interval().high()
                && second.interval().low() <= first.interval().high());
    return "The best of "
        + ranked.size()
        + " is "
        + best
        + ". "
        + comparison.name(second)
        + " follows, "
        + ReportCharts.ratio(factor)
        + " times behind"
        + (overlap ? "; their order is not certain" : "")
        + (ranked.size() > 2
            ? "; "
                + comparison.name(worst)
                + " is last, "
                + ReportCharts.ratio(all)
                + " times behind."
            : ".");
  }

  private static String score(JmhResult result) {
    return ReportCharts.plain(result.score()) + " " + result.unit();
  }
}
