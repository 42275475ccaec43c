package io.arraywire.benchmarks.receipts;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * A row of the table.
 *
 * @param path the path that the elements take
 * @param way how they are sent
 * @param elements how many floats the array has
 * @param jdk the JDKs that this is for: {@code 17} up to 21, or {@code 22+}
 * @param sent what an array costs the sender
 * @param received what it costs the receiver
 */
record ReceiptRow(String path, String way, int elements, String jdk, Cost sent, Cost received) {
  static final List<String> HEADINGS =
      List.of(
          "path",
          "way",
          "elements",
          "jdk",
          "sent-copies",
          "sent-operations",
          "sent-allocated",
          "received-copies",
          "received-operations",
          "received-allocated");

  private static final String UNKNOWN = "unknown";

  /** Whether the cells below a heading are words, not numbers. */
  static boolean isWord(String heading) {
    return heading.equals("path") || heading.equals("way") || heading.equals("jdk");
  }

  /** That of this JVM. */
  static String thisJdk() {
    return Route.isArrayDirect() ? "22+" : "17";
  }

  static ReceiptRow parse(String line) {
    String[] cells = line.strip().split("\\s+", -1);
    if (cells.length != HEADINGS.size()) {
      throw new IllegalArgumentException(
          "wrong number of cells (cells="
              + cells.length
              + ", columns="
              + HEADINGS.size()
              + ", line="
              + line
              + ")");
    }
    return new ReceiptRow(
        cells[0],
        cells[1],
        Integer.parseInt(cells[2]),
        cells[3],
        new Cost(number(cells[4]), number(cells[5]), number(cells[6])),
        new Cost(number(cells[7]), number(cells[8]), number(cells[9])));
  }

  private static double number(String cell) {
    return cell.equals(UNKNOWN) ? Cost.UNKNOWN : Double.parseDouble(cell);
  }

  List<String> cells() {
    return List.of(
        path,
        way,
        Integer.toString(elements),
        jdk,
        cell(sent.copies(), 2),
        cell(sent.operations(), 2),
        cell(sent.allocated(), 0),
        cell(received.copies(), 2),
        cell(received.operations(), 2),
        cell(received.allocated(), 0));
  }

  /** Rounded up, so that what was measured is never more than what the table says. */
  static String cell(double figure, int digits) {
    return Double.isNaN(figure)
        ? UNKNOWN
        : BigDecimal.valueOf(figure).setScale(digits, RoundingMode.CEILING).toPlainString();
  }

  /** What a row is found by. */
  String key() {
    return key(path, way, elements, jdk);
  }

  static String key(String path, String way, int elements, String jdk) {
    return path + ", " + way + ", elements=" + elements + ", jdk=" + jdk;
  }

  ReceiptRow least(ReceiptRow other) {
    return new ReceiptRow(
        path, way, elements, jdk, sent.least(other.sent), received.least(other.received));
  }

  /** The same with what was allocated in another. */
  ReceiptRow withAllocatedOf(ReceiptRow other) {
    return new ReceiptRow(
        path,
        way,
        elements,
        jdk,
        new Cost(sent.copies(), sent.operations(), other.sent.allocated()),
        new Cost(received.copies(), received.operations(), other.received.allocated()));
  }

  ReceiptRow most(ReceiptRow other) {
    return new ReceiptRow(
        path, way, elements, jdk, sent.most(other.sent), received.most(other.received));
  }
}
