package io.arraywire.benchmarks.receipts;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A figure of a row, and how much worse than the table it may be. What the library decides by
 * itself is exact or nearly so. More room is for figures that depend on when threads run and in
 * what portions bytes come.
 */
@SuppressWarnings("ImmutableEnumChecker") // The functions are those below, which keep nothing.
enum Figure {
  /** Known beforehand: every byte is copied as often as the path says. */
  SENT_COPIES("sent-copies", 2, row -> row.sent().copies(), 1, 0),

  /**
   * A socket that is full takes less at a time than it is given: the less, the slower the receiver
   * is beside the sender.
   */
  SENT_OPERATIONS("sent-operations", 2, row -> row.sent().operations(), 1.5, 0.25),

  /** A caller that waits makes a few objects more; arrays that leave with one write share some. */
  SENT_ALLOCATED("sent-allocated", 0, row -> row.sent().allocated(), 1.5, 24),

  /** As for the sender: an array comes while {@code receiveInto} waits for it. */
  RECEIVED_COPIES("received-copies", 2, row -> row.received().copies(), 1, 0),

  /**
   * A read takes what has come so far: the faster the receiver is beside the sender, the less. The
   * same program needs 130 reads for 64 MiB on one day and 400 on another.
   */
  RECEIVED_OPERATIONS("received-operations", 2, row -> row.received().operations(), 1.5, 0.25) {
    @Override
    double allowed(ReceiptRow measured, ReceiptRow table) {
      double readsOfLeastBytes = (double) table.elements() * Float.BYTES / LEAST_READ_BYTES;
      return Math.max(super.allowed(measured, table), readsOfLeastBytes);
    }
  },

  /**
   * Reads make objects, without the second compiler, and so do those that find nothing because the
   * receiver polls, which no receipt counts: as many again.
   */
  RECEIVED_ALLOCATED("received-allocated", 0, row -> row.received().allocated(), 1.6, 24) {
    @Override
    double allowed(ReceiptRow measured, ReceiptRow table) {
      double reads = table.received().operations();
      double perArray = super.allowed(measured, table);
      if (!(reads > MOST_FOR_ONE_READ)) {
        return perArray;
      }
      double factor = Math.max(1, measured.received().operations() / reads);
      return Double.isNaN(factor) ? perArray : 2 * factor * perArray;
    }
  };

  /** Portions that are not worse, however few of them would do. */
  private static final int LEAST_READ_BYTES = 128 << 10;

  /** Up to here an array comes with one read, but for a few. */
  private static final double MOST_FOR_ONE_READ = 1.5;

  /** The heading of its column. */
  final String column;

  private final int digits;
  private final ToDoubleFunction<ReceiptRow> of;
  private final double factor;
  private final double more;

  Figure(String column, int digits, ToDoubleFunction<ReceiptRow> of, double factor, double more) {
    this.column = column;
    this.digits = digits;
    this.of = of;
    this.factor = factor;
    this.more = more;
  }

  double of(ReceiptRow row) {
    return of.applyAsDouble(row);
  }

  /** The most that is not worse; NaN if the table knows nothing. */
  double allowed(ReceiptRow measured, ReceiptRow table) {
    return of(table) * factor + more;
  }

  /** As the table says it: rounded up, so that it is not less than what was measured. */
  String cell(ReceiptRow row) {
    return ReceiptRow.cell(of(row), digits);
  }

  /** Whether a row is worse than that of the table. What is no longer known is worse. */
  boolean isWorse(ReceiptRow measured, ReceiptRow table) {
    double was = of(table);
    // A comparison with what is not known is false.
    return !Double.isNaN(was) && !(of(rounded(measured)) <= allowed(measured, table));
  }

  /**
   * Whether a row is not worse than that of the table, and stays so however much its figures fall.
   * With them may fall what is allowed, but not below what the table's own row would be allowed.
   */
  boolean isSurelyAllowed(ReceiptRow measured, ReceiptRow table) {
    return Double.isNaN(of(table))
        || of(rounded(measured)) <= allowed(/* measured= */ table, table);
  }

  /** Whether the table could ask for less. */
  boolean isBetter(ReceiptRow measured, ReceiptRow table) {
    double is = of(rounded(measured));
    double was = of(table);
    return Double.isNaN(was)
        ? !Double.isNaN(is)
        : allowed(/* measured= */ table, /* table= */ measured) < was;
  }

  private static ReceiptRow rounded(ReceiptRow row) {
    return ReceiptRow.parse(String.join(" ", row.cells()));
  }

  /** The numbers of a sentence about both. */
  String words(ReceiptRow measured, ReceiptRow table) {
    return "measured=" + cell(measured) + ", table=" + cell(table);
  }

  /** The most that the table allows, in words; where it knows nothing it allows anything. */
  String limit(ReceiptRow measured, ReceiptRow table) {
    double most = allowed(measured, table);
    return Double.isNaN(most) ? "anything" : String.format(Locale.ROOT, "%.2f", most);
  }
}
