package io.arraywire.examples.report;

import java.util.ArrayList;
import java.util.List;

/** A table of text with aligned columns. Not for use by several threads. */
public final class TextTable {
  private final List<String> headings;
  private final boolean[] left;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Makes an empty table.
   *
   * @param headings of the columns; one that begins with {@code <} is aligned to the left, which is
   *     not shown
   */
  public TextTable(String... headings) {
    this.headings = new ArrayList<>();
    left = new boolean[headings.length];
    for (int i = 0; i < headings.length; i++) {
      left[i] = headings[i].startsWith("<");
      this.headings.add(left[i] ? headings[i].substring(1) : headings[i]);
    }
  }

  /**
   * Adds a row.
   *
   * @param cells as many as there are columns
   */
  public void add(String... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          "wrong number of cells (cells=" + cells.length + ", columns=" + headings.size() + ")");
    }
    rows.add(List.of(cells));
  }

  /**
   * The lines of the table: headings, a rule, the rows.
   *
   * @return lines without blanks at their ends
   */
  public List<String> lines() {
    int[] widths = new int[headings.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = headings.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(headings, widths));
    List<String> rule = new ArrayList<>();
    for (int width : widths) {
      rule.add("-".repeat(width));
    }
    lines.add(line(rule, widths));
    for (List<String> row : rows) {
      lines.add(line(row, widths));
    }
    return lines;
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String blanks = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(left[i] ? cells.get(i) + blanks : blanks + cells.get(i));
    }
    return line.toString().stripTrailing();
  }
}
