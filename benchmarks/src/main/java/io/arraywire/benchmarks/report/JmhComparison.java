package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.JmhResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Results of JMH that stand beside each other: of one method, with all parameters alike but one.
 *
 * @param title the method and the parameters that are alike
 * @param subject the parameter that is not, such as {@code codec}; {@code method} where there is
 *     none
 * @param unit of all scores
 * @param results at least one
 */
record JmhComparison(String title, String subject, String unit, List<JmhResult> results) {
  private static final String METHOD = "method";

  /** Puts results that were measured alike beside each other, in the order in which they came. */
  static List<JmhComparison> of(List<JmhResult> results) {
    Map<List<String>, List<JmhResult>> groups = new LinkedHashMap<>();
    Map<String, String> subjects = new HashMap<>();
    for (JmhResult each : results) {
      String subject = subjects.computeIfAbsent(each.benchmark(), of -> subject(each, results));
      groups
          .computeIfAbsent(
              List.of(title(each, subject), subject, each.unit()), key -> new ArrayList<>())
          .add(each);
    }
    return groups.entrySet().stream()
        .map(each -> {
          List<String> key = each.getKey();
          return new JmhComparison(
              key.get(0), key.get(1), key.get(2), List.copyOf(each.getValue()));
        })
        .toList();
  }

  /**
   * What a chart compares: the parameter whose values are names and not numbers; of several the one
   * that has most.
   */
  private static String subject(JmhResult result, List<JmhResult> results) {
    String subject = METHOD;
    int most = 0;
    for (String each : result.parameters().keySet()) {
      Set<String> values =
          results.stream()
              .filter(other -> other.benchmark().equals(result.benchmark()))
              .map(other -> other.parameters().getOrDefault(each, ""))
              .collect(Collectors.toSet());
      if (values.size() > most && values.stream().noneMatch(value -> value.matches("[0-9.]+"))) {
        subject = each;
        most = values.size();
      }
    }
    return subject;
  }

  private static String title(JmhResult result, String subject) {
    String method = result.benchmark();
    String others =
        result.parameters().entrySet().stream()
            .filter(each -> !each.getKey().equals(subject))
            .map(each -> ", " + each.getKey() + " " + each.getValue())
            .collect(Collectors.joining());
    return (subject.equals(METHOD) ? method.substring(0, method.indexOf('.')) : method) + others;
  }

  /** What a result is called here. */
  String name(JmhResult result) {
    return subject.equals(METHOD)
        ? result.benchmark().substring(result.benchmark().indexOf('.') + 1)
        : result.parameters().getOrDefault(subject, "");
  }
}
