package io.arraywire.benchmarks.compare;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Environment;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Two runs beside each other.
 *
 * @param before the first, A
 * @param after the second, B
 * @param questions what both have measured
 */
record Comparison(BenchFile before, BenchFile after, List<Answers> questions) {
  /** What may differ between two runs that one wants to compare. */
  private static final List<String> EXPECTED_TO_DIFFER = List.of("Command", "Started", "Commit");

  /**
   * The contenders that took part in both runs.
   *
   * @param label of the question
   * @param baseline the contender that they are compared with in their run
   * @param changes one for each
   */
  record Answers(String label, String baseline, List<Change> changes) {}

  /**
   * Compares what both have.
   *
   * @throws IOException if that is nothing
   */
  static Comparison of(BenchFile before, BenchFile after) throws IOException {
    List<Answers> questions = new ArrayList<>();
    for (Run run : before.runs()) {
      for (Question question : run.questions()) {
        answers(run, question, after).ifPresent(questions::add);
      }
    }
    if (questions.isEmpty()) {
      throw new IOException(
          "the files have no contender with the same size in common (A="
              + before.path()
              + ", B="
              + after.path()
              + ")");
    }
    return new Comparison(before, after, questions);
  }

  private static Optional<Answers> answers(Run run, Question question, BenchFile after) {
    for (Run other : after.runs()) {
      for (Question same : other.questions()) {
        if (other.network().equals(run.network()) && same.isLike(question)) {
          List<Change> changes = changes(run, question, other, same);
          if (!changes.isEmpty()) {
            return Optional.of(
                new Answers(question.label() + ", " + run.network(), run.baseline(), changes));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static List<Change> changes(Run run, Question question, Run other, Question same) {
    // Runs with different baselines have only their times to compare.
    boolean alike = run.baseline().equals(other.baseline());
    Row baselineBefore = alike ? question.row(run.baseline()).orElse(null) : null;
    Row baselineAfter = alike ? same.row(run.baseline()).orElse(null) : null;
    List<Change> changes = new ArrayList<>();
    for (Row row : question.rows()) {
      boolean baseline = row.contender().equals(run.baseline());
      same.row(row.contender())
          .ifPresent(now ->
              changes.add(
                  baseline
                      ? Change.of(row, now, null, null)
                      : Change.of(row, now, baselineBefore, baselineAfter)));
    }
    return changes;
  }

  /** The largest factor of all that got slower for certain; 1 if none did. */
  double worst() {
    return questions.stream()
        .flatMap(answers -> answers.changes().stream())
        .filter(change -> change.verdict() == Change.Verdict.SLOWER)
        .mapToDouble(Change::factor)
        .max()
        .orElse(1);
  }

  /** What is printed. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Map<String, String> first = facts(before);
    Map<String, String> second = facts(after);
    lines.add("A: " + before.path() + words(before.environment()));
    lines.add("B: " + after.path() + words(after.environment()));
    first.forEach((name, value) -> {
      String other = second.getOrDefault(name, "");
      if (!EXPECTED_TO_DIFFER.contains(name) && !other.equals(value)) {
        lines.add("! " + name + " differs: A " + value + "; B " + other);
      }
    });
    questions.forEach(answers -> add(lines, answers));
    lines.add("");
    lines.add(
        "Time of B divided by that of A, more than 1 is slower, with 99.9 % confidence intervals;"
            + " then the same with each");
    lines.add(
        "time divided by the baseline's in the same round, which the verdict is about. 'perhaps':"
            + " less than the spread.");
    return lines;
  }

  /** Where and how a file was measured, and the Python at one end if there was one. */
  private static Map<String, String> facts(BenchFile file) {
    Map<String, String> facts = new LinkedHashMap<>(file.environment().words());
    file.runs().stream()
        .map(Run::python)
        .filter(each -> !each.isEmpty())
        .findFirst()
        .ifPresent(python -> facts.put("Python", python));
    return facts;
  }

  private static String words(Environment environment) {
    return " (commit " + environment.checkout().label() + ", " + environment.started() + ")";
  }

  private static void add(List<String> lines, Answers answers) {
    lines.add("");
    lines.add("float[] of " + answers.label());
    lines.add("");
    TextTable table =
        new TextTable(
            "<Contender",
            "A",
            "B",
            "time B/A",
            "99.9 % CI",
            "by " + answers.baseline(),
            "99.9 % CI",
            "<Verdict");
    for (Change each : answers.changes()) {
      if (each.before().contender().equals(answers.baseline())
          && each.verdict() != Change.Verdict.WITHIN_NOISE) {
        lines.add(
            "! "
                + answers.baseline()
                + " itself took "
                + number(each.time())
                + " times as long in B: look at the times, too");
        lines.add("");
      }
      table.add(
          each.before().contender(),
          Units.time(Math.round(each.before().nanos())),
          Units.time(Math.round(each.after().nanos())),
          number(each.time()),
          each.timeInterval().words(),
          each.ofBaseline() ? "-" : number(each.relative()),
          each.ofBaseline() ? "-" : each.relativeInterval().words(),
          each.verdict().words());
    }
    lines.addAll(table.lines());
  }

  private static String number(double factor) {
    return String.format(Locale.ROOT, "%.2f", factor);
  }
}
