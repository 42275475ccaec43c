package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.result.JmhResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tables of the page of figures have what the repository keeps, cell by cell, where their
 * section leads to kept figures. Each of the others says which commit it is of, and what made it.
 */
@Tag("newest")
class FiguresPageTest {
  private static final Path PAGE = Path.of("..", "docs", "benchmarks-figures.md");
  private static final Pattern COMMIT = Pattern.compile("\\b(?=[0-9a-f]*[0-9])[0-9a-f]{7,8}\\b");

  /**
   * A command with arguments, the name of a benchmark, or a system property of a program of ours.
   */
  private static final Pattern COMMAND =
      Pattern.compile("`[^`]*(?:arraywire |java |mvn |FileBench|Benchmark|--|-D)[^`]*`");

  /**
   * A table of the page.
   *
   * @param section all that is below the same heading
   * @param title the paragraph before the table
   * @param lines the cells of its lines
   */
  private record Table(String section, String title, List<List<String>> lines) {
    boolean isOfKeptFigures() {
      return FiguresTable.isOfKeptFigures(section, lines);
    }
  }

  private static List<Table> tables() throws IOException {
    List<Table> tables = new ArrayList<>();
    for (String section : Files.readString(PAGE).split("(?m)^(?=## )", -1)) {
      String title = "";
      boolean blank = true;
      List<List<String>> lines = new ArrayList<>();
      for (String line : (section + "\n").split("\n", -1)) {
        if (line.startsWith("|")) {
          lines.add(Stream.of(line.substring(1).split("\\|")).map(String::strip).toList());
          continue;
        }
        if (!lines.isEmpty()) {
          tables.add(new Table(section, title, List.copyOf(lines)));
          lines.clear();
        }
        if (!line.isBlank()) {
          title = blank ? line : title + " " + line;
        }
        blank = line.isBlank();
      }
    }
    assertThat(tables).hasSizeGreaterThan(25);
    return tables;
  }

  @Test
  void everyCellIsOfTheFiguresThatAreKept() throws IOException {
    List<String> wrong = new ArrayList<>();
    int figures = 0;
    for (Table table : tables()) {
      if (table.isOfKeptFigures()) {
        figures += new FiguresTable(table.section, table.title, table.lines).compare(wrong);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(figures).isGreaterThan(1_000);
  }

  /**
   * The first cell of a column is such as {@code encode 16 floats}, that behind it {@code decode}.
   */
  @Test
  void everyCellOfTheCodecsIsOfTheFiguresThatAreKept() throws IOException {
    Table table =
        tables().stream()
            .filter(each -> each.section.contains("(reports/codecs.json.gz)"))
            .findFirst()
            .orElseThrow();
    List<JmhResult> results = PublishedReports.jmh("codecs").results();
    List<String> wrong = new ArrayList<>();
    String[] words = {};
    for (int column = 1; column < table.lines.get(0).size(); column++) {
      String heading = table.lines.get(0).get(column);
      words = heading.equals("decode") ? words : heading.split(" ");
      String method = heading.split(" ")[0];
      Map<String, String> asked =
          Map.of(
              "elements", words[1].equals("16") ? "16" : "1048576",
              "type", words[words.length - 1].equals("floats") ? "FLOAT" : "INT");
      for (List<String> line : table.lines.subList(2, table.lines.size())) {
        String codec = line.get(0).replace("`", "");
        JmhResult kept =
            results.stream()
                .filter(each -> each.benchmark().equals("CodecBenchmark." + method))
                .filter(each -> each.parameters().entrySet().containsAll(asked.entrySet()))
                .filter(each -> codec.equals(each.parameters().get("codec")))
                .findFirst()
                .orElseThrow();
        if (!FiguresTable.isRounded(line.get(column), kept.score())) {
          wrong.add(codec + ", " + heading + ": " + line.get(column));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyTableHasItsCommandAndItsCommit() throws IOException {
    for (Table table : tables()) {
      assertThat(table.section).as(table.title).containsPattern(COMMAND).containsPattern(COMMIT);
    }
  }
}
