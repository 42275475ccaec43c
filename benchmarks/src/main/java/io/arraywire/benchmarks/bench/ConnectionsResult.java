package io.arraywire.benchmarks.bench;

import io.arraywire.examples.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of different numbers of connections.
 *
 * @param results one for each number, all with the same sizes
 */
record ConnectionsResult(List<BenchResult> results) {

  /** A table for each size: arrays per second by the number of connections. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int size = 0; size < results.get(0).settings().workloads().size(); size++) {
      lines.add("");
      lines.add(
          "arrays/s, float[] of "
              + Workload.oneByOne(results.get(0).settings().workloads().get(size).count()).label()
              + results.get(0).settings().hosts().label()
              + ", by number of connections");
      lines.add("");
      lines.addAll(table(size));
    }
    return lines;
  }

  private List<String> table(int size) {
    List<String> headings = new ArrayList<>(List.of("<Contender"));
    Set<String> contenders = new LinkedHashSet<>();
    for (BenchResult each : results) {
      headings.add(Integer.toString(each.settings().connections()));
      each.figures().get(size).forEach(row -> contenders.add(row.contender()));
    }
    TextTable table = new TextTable(headings.toArray(String[]::new));
    for (String contender : contenders) {
      List<String> cells = new ArrayList<>(List.of(contender));
      results.forEach(each -> cells.add(cell(each.figures().get(size), contender)));
      table.add(cells.toArray(String[]::new));
    }
    return table.lines();
  }

  private static String cell(List<Figures> rows, String contender) {
    return rows.stream()
        .filter(row -> row.contender().equals(contender))
        .map(BenchResult::arraysPerSecond)
        .findFirst()
        .orElse("-");
  }
}
