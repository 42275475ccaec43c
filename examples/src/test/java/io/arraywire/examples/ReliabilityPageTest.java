package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code docs/reliability.md} says is shown, is shown by tests that there are. */
@Tag("newest")
class ReliabilityPageTest {
  private static final int ROWS = 56;

  private static final Set<String> RUNS =
      Set.of("change", "newest", "slow", "nightly", "nightly slow", "–");

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
      assertThat(row).as(row.get(0)).hasSize(7);
      String tests = row.get(3);
      assertThat(page.missing(tests)).as("row %s", row.get(0)).isEmpty();
      if (!tests.equals("no test yet")) {
        // Nothing else than names of tests.
        assertThat(PageOfTests.named(tests))
            .as("row %s", row.get(0))
            .isPositive()
            .isEqualTo(tests.split(" ").length);
        assertThat(RUNS).as("row %s", row.get(0)).contains(row.get(4), row.get(5));
        assertThat(row.get(4) + row.get(5)).as("row %s", row.get(0)).isNotEqualTo("––");
      }
    }
  }
}
