package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.TestRuns.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code docs/reliability.md} says is shown, is shown by tests that there are, on the JDKs and
 * in the runs that it says.
 */
@Tag("newest")
class ReliabilityPageTest {
  private static final int ROWS = 56;

  private static final int COLUMNS = 9;

  /** The first of four: plain on JDK 17 and on the newest, over TLS likewise. */
  private static final int RUNS_AT = 4;

  private static final int LESS_AT = COLUMNS - 1;
  private static final String NONE = "–";

  private static final Set<String> HEADINGS =
      Set.of(
          "## Wrong bytes",
          "## Peers that flood or stall",
          "## Connections that break",
          "## TLS",
          "## The program's own mistakes",
          "## Everything at once");

  private static List<List<String>> rows(PageOfTests page) throws IOException {
    List<String> headings =
        Files.readAllLines(PageOfTests.ROOT.resolve("docs/reliability.md")).stream()
            .filter(line -> line.startsWith("## "))
            .toList();
    assertThat(new TreeSet<>(headings)).isEqualTo(new TreeSet<>(HEADINGS));
    return headings.stream().flatMap(heading -> page.rows(heading).stream()).toList();
  }

  @Test
  void everyRowIsThereOnce() throws IOException {
    assertThat(rows(PageOfTests.read("reliability.md")))
        .extracting(row -> Integer.parseInt(row.get(0)))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, ROWS).boxed().toList());
  }

  @Test
  void everyRowIsShownByTestsThatThereAre() throws IOException {
    PageOfTests page = PageOfTests.read("reliability.md");
    for (List<String> row : rows(page)) {
      assertThat(row).as(row.get(0)).hasSize(COLUMNS);
      String tests = row.get(3);
      assertThat(page.missing(tests)).as("row %s", row.get(0)).isEmpty();
      // Nothing else than names of tests.
      assertThat(PageOfTests.named(tests))
          .as("row %s", row.get(0))
          .isPositive()
          .isEqualTo(tests.split(" ").length);
    }
  }

  @Test
  void everyRowSaysWhenItsTestsRun() throws IOException {
    TestRuns runs = TestRuns.read(PageOfTests.ROOT);
    List<String> wrong = new ArrayList<>();
    for (List<String> row : rows(PageOfTests.read("reliability.md"))) {
      List<String> cells =
          List.of(
              cell(runs, row, true, false),
              cell(runs, row, true, true),
              cell(runs, row, false, false),
              cell(runs, row, false, true));
      if (!cells.equals(row.subList(RUNS_AT, LESS_AT))) {
        wrong.add(
            row.get(0) + ": " + row.subList(RUNS_AT, LESS_AT) + ", but its tests run " + cells);
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** What the page has to say of the tests of a row: when those that there are run first. */
  private static String cell(TestRuns runs, List<String> row, boolean plain, boolean newest) {
    Set<Run> all = EnumSet.noneOf(Run.class);
    for (PageOfTests.Named test : PageOfTests.testsIn(row.get(3))) {
      runs.executions(test).stream()
          .filter(each -> plain ? each.plain() : each.tls())
          .map(each -> runs.run(each, newest))
          .min(Comparator.naturalOrder())
          .ifPresent(all::add);
    }
    all.remove(Run.NEVER);
    return all.isEmpty()
        ? NONE
        : all.stream()
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
  }

  @Test
  void everyTestRunsOnBothJdks() throws IOException {
    PageOfTests page = PageOfTests.read("reliability.md");
    TestRuns runs = TestRuns.read(PageOfTests.ROOT);
    for (List<String> row : rows(page)) {
      for (PageOfTests.Named test : PageOfTests.testsIn(row.get(3))) {
        List<TestRuns.Execution> executions = runs.executions(test);
        assertThat(executions).as("row %s: %s", row.get(0), test).isNotEmpty();
        // jcstress alone is for one JDK: it looks for what the compilers of a JVM may reorder.
        assertThat(executions)
            .as("row %s: %s", row.get(0), test)
            .allMatch(each ->
                each.module().equals("jcstress")
                    || (runs.run(each, false) != Run.NEVER && runs.run(each, true) != Run.NEVER));
      }
    }
  }

  @Test
  void whatIsNotTriedHasItsReason() throws IOException {
    for (List<String> row : rows(PageOfTests.read("reliability.md"))) {
      String less = row.get(LESS_AT);
      if (row.get(RUNS_AT + 1).equals(NONE)) {
        assertThat(less).as("row %s", row.get(0)).contains("plain: ");
      }
      if (row.get(LESS_AT - 1).equals(NONE)) {
        assertThat(less).as("row %s", row.get(0)).contains("TLS: ");
      }
    }
  }
}
