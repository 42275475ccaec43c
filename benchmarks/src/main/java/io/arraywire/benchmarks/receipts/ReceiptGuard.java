package io.arraywire.benchmarks.receipts;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * Measures what an array costs on each path, and compares it with a table or writes one.
 *
 * <pre>
 * java -cp benchmarks/target/benchmarks.jar io.arraywire.benchmarks.receipts.ReceiptGuard \
 *   check|write benchmarks/receipts.txt [PATH...]
 * </pre>
 *
 * <p>{@code write} leaves the rows of the other JDKs, and of paths that are not named, as they are.
 */
public final class ReceiptGuard {
  /** How to make the table anew. */
  static final String WRITE =
      "java -cp benchmarks/target/benchmarks.jar "
          + ReceiptGuard.class.getName()
          + " write benchmarks/receipts.txt";

  /**
   * Pairs of JVMs, none of which has a figure to itself: a change fails only if it is worse in all.
   * The table has the middle one of three, and of what is allocated the most.
   */
  private static final int PAIRS = 5;

  private final PrintStream out;

  /**
   * Makes a guard.
   *
   * @param out is told what was measured
   */
  ReceiptGuard(PrintStream out) {
    this.out = out;
  }

  /**
   * Compares or writes.
   *
   * @param arguments what to do, the table, and the paths if not all
   */
  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  /** The same, and returns the status: 0, 1 if a figure is worse, 2 if nothing could be said. */
  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (arguments.length < 2 || !List.of("check", "write").contains(arguments[0])) {
      err.println("usage: ReceiptGuard check|write TABLE [PATH...]");
      return 2;
    }
    try {
      Path file = Path.of(arguments[1]);
      List<String> paths = List.of(arguments).subList(2, arguments.length);
      List<Route> routes =
          paths.isEmpty() ? Route.all() : paths.stream().map(Route::named).toList();
      ReceiptGuard guard = new ReceiptGuard(out);
      if (arguments[0].equals("write")) {
        guard.write(file, routes);
        return 0;
      }
      ReceiptTable table = ReceiptTable.read(file);
      List<String> complaints = new ArrayList<>();
      for (Route route : routes) {
        complaints.addAll(guard.check(table, route));
      }
      complaints.forEach(out::println);
      return complaints.isEmpty() ? 0 : 1;
    } catch (NoSuchFileException e) {
      err.println("ReceiptGuard: no such file (file=" + e.getFile() + ")");
    } catch (IOException | IllegalArgumentException e) {
      err.println("ReceiptGuard: " + e.getMessage());
    }
    return 2;
  }

  /** Measures a path and compares; what is worse, in sentences. */
  List<String> check(ReceiptTable table, Route route) throws IOException {
    List<ReceiptRow> rows = measure(route, table::surelyAllows);
    for (int pair = 1; pair < PAIRS && !table.complaints(rows).isEmpty(); pair++) {
      out.println("receipts: " + route.name() + " once more, since a figure is worse");
      rows = merge(rows, measure(route, table::surelyAllows), ReceiptRow::least);
    }
    for (String hint : table.hints(rows)) {
      out.println("receipts: " + hint);
    }
    return table.complaints(rows);
  }

  private void write(Path file, List<Route> routes) throws IOException {
    ReceiptTable table = Files.exists(file) ? ReceiptTable.read(file) : new ReceiptTable(List.of());
    for (Route route : routes) {
      List<ReceiptRow> one = measure(route, row -> false);
      List<ReceiptRow> two = measure(route, row -> false);
      List<ReceiptRow> three = measure(route, row -> false);
      // The middle one: the more of the first two's less, and of their more and the third's less.
      List<ReceiptRow> less = merge(one, two, ReceiptRow::least);
      List<ReceiptRow> more = merge(one, two, ReceiptRow::most);
      List<ReceiptRow> middle =
          merge(less, merge(more, three, ReceiptRow::least), ReceiptRow::most);
      // A caller may or may not be asleep when its array is out, and in some pairs it always is.
      // The table has the bytes allocated with callers that wait.
      List<ReceiptRow> waiting = merge(more, three, ReceiptRow::most);
      table =
          table.with(
              route.name(),
              ReceiptRow.thisJdk(),
              merge(middle, waiting, ReceiptRow::withAllocatedOf));
      table.write(file);
    }
  }

  private List<ReceiptRow> measure(Route route, Predicate<ReceiptRow> enough) throws IOException {
    long begin = System.nanoTime();
    try (RoutePair pair = RoutePair.start(route, out)) {
      List<ReceiptRow> rows = pair.measure(enough);
      out.printf(
          "receipts: %s took %d ms%n", route.name(), (System.nanoTime() - begin) / 1_000_000);
      return rows;
    }
  }

  private static List<ReceiptRow> merge(
      List<ReceiptRow> some, List<ReceiptRow> others, BinaryOperator<ReceiptRow> merger) {
    List<ReceiptRow> merged = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      merged.add(merger.apply(some.get(i), others.get(i)));
    }
    return merged;
  }
}
