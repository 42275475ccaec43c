package io.arraywire.benchmarks.receipts;

import io.arraywire.examples.report.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The table that is checked in: text with a line for each row, which begins with a heading. Lines
 * that begin with {@code #} say what it is.
 */
final class ReceiptTable {
  private static final List<String> PREFACE =
      List.of(
          "# What one float[] costs each side: bytes copied per byte, reads or writes per array, bytes allocated per",
          "# array. ReceiptsIT fails if a change makes a figure worse; docs/benchmarks.md says what they mean, how much",
          "# worse they may be, and how to write this file anew.");

  private final Map<String, ReceiptRow> rows = new LinkedHashMap<>();

  ReceiptTable(Collection<ReceiptRow> rows) {
    for (ReceiptRow row : rows) {
      if (this.rows.put(row.key(), row) != null) {
        throw new IllegalArgumentException("two rows are the same (" + row.key() + ")");
      }
    }
  }

  static ReceiptTable read(Path file) throws IOException {
    List<ReceiptRow> rows = new ArrayList<>();
    List<String> lines =
        Files.readAllLines(file).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      rows.add(ReceiptRow.parse(line));
    }
    return new ReceiptTable(rows);
  }

  void write(Path file) throws IOException {
    TextTable text =
        new TextTable(
            ReceiptRow.HEADINGS.stream()
                .map(heading -> ReceiptRow.isWord(heading) ? "<" + heading : heading)
                .toArray(String[]::new));
    rows.values().forEach(row -> text.add(row.cells().toArray(String[]::new)));
    List<String> lines = new ArrayList<>(PREFACE);
    List<String> table = text.lines();
    lines.add(table.get(0));
    // Without the rule below the headings.
    lines.addAll(table.subList(2, table.size()));
    Files.write(file, lines);
  }

  Collection<ReceiptRow> rows() {
    return List.copyOf(rows.values());
  }

  /** The same with the rows of a path on this JDK replaced. */
  ReceiptTable with(String path, String jdk, List<ReceiptRow> measured) {
    // The older JDKs first, and of each the paths in their order; one that is new comes last.
    Map<String, List<ReceiptRow>> groups = new LinkedHashMap<>();
    for (ReceiptRow row : rows.values()) {
      groups.computeIfAbsent(row.jdk() + " " + row.path(), key -> new ArrayList<>()).add(row);
    }
    groups.put(jdk + " " + path, measured);
    Map<String, List<ReceiptRow>> byJdk = new TreeMap<>();
    groups.values().stream()
        .flatMap(List::stream)
        .forEach(row -> byJdk.computeIfAbsent(row.jdk(), key -> new ArrayList<>()).add(row));
    return new ReceiptTable(byJdk.values().stream().flatMap(List::stream).toList());
  }

  /** What is worse than here, in sentences. */
  List<String> complaints(List<ReceiptRow> measured) {
    List<String> complaints = new ArrayList<>();
    for (ReceiptRow is : measured) {
      ReceiptRow was = rows.get(is.key());
      if (was == null) {
        complaints.add(is.key() + ": not in the table");
        continue;
      }
      for (Figure figure : Figure.values()) {
        if (figure.isWorse(is, was)) {
          complaints.add(
              is.key()
                  + ": "
                  + figure.column
                  + " is worse ("
                  + figure.words(is, was)
                  + ", allowed="
                  + figure.limit(is, was)
                  + ")");
        }
      }
    }
    return complaints;
  }

  /**
   * Whether no figure is worse, and none can become so: when all that can happen is that figures
   * become less.
   */
  boolean surelyAllows(ReceiptRow measured) {
    ReceiptRow was = rows.get(measured.key());
    return was != null
        && Arrays.stream(Figure.values()).allMatch(figure -> figure.isSurelyAllowed(measured, was));
  }

  /** Where this could ask for less, in sentences. */
  List<String> hints(List<ReceiptRow> measured) {
    List<String> hints = new ArrayList<>();
    for (ReceiptRow is : measured) {
      ReceiptRow was = rows.get(is.key());
      if (was == null) {
        continue;
      }
      for (Figure figure : Figure.values()) {
        if (figure.isBetter(is, was)) {
          hints.add(
              is.key() + ": " + figure.column + " can be lowered (" + figure.words(is, was) + ")");
        }
      }
    }
    return hints;
  }
}
