package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The figures on the first page are those that the repository keeps. */
@Tag("newest")
class PublishedFiguresTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static BenchFile kept(String name) throws IOException {
    return PublishedReports.bench(name);
  }

  private static Optional<Row> row(BenchFile file, String contender) {
    return file.runs().get(0).questions().stream()
        .filter(question -> question.label().equals("1 MiB"))
        .flatMap(question -> question.rows().stream())
        .filter(row -> row.contender().equals(contender))
        .findFirst();
  }

  private static String time(BenchFile file, String contender) {
    return row(file, contender).map(row -> Units.time((long) row.nanos())).orElse("not measured");
  }

  /** The section of the README that has them. */
  private static String section() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    int from = readme.indexOf("\n## How fast\n");
    return readme.substring(from, readme.indexOf("\n## ", from + 1));
  }

  @Test
  void theTableIsOfTheFiguresThatAreKept() throws IOException {
    BenchFile bbr = kept("loopback");
    BenchFile cubic = kept("cubic");
    List<List<String>> rows =
        section()
            .lines()
            .dropWhile(line -> !line.contains("| Contender |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> Stream.of(line.substring(1).split("\\|")).map(String::strip).toList())
            .toList();
    assertThat(rows).hasSize(5);
    for (List<String> cells : rows) {
      // One contender for both, or one for each of them.
      List<String> contenders = List.of(cells.get(1).replace("`", "").split(", "));
      String first = contenders.get(0);
      assertThat(cells.subList(2, 5))
          .as(cells.get(1))
          .containsExactly(
              time(bbr, first),
              time(cubic, contenders.get(contenders.size() - 1)),
              String.format(
                  Locale.ROOT, "%.2f", row(bbr, first).orElseThrow().cpuSecondsPerGigabyte()));
    }
  }

  @Test
  void nettyIsTheBestOfFour() throws IOException {
    String best =
        Stream.of("loopback", "cubic")
            .map(name ->
                Stream.of("netty-nio", "netty-nio-busy", "netty-epoll", "netty-io_uring")
                    .min(Comparator.comparingDouble(each -> rowOf(name, each).nanos()))
                    .orElseThrow())
            .distinct()
            .collect(Collectors.joining("`, `", "`", "`"));
    assertThat(section()).contains("| Netty, the best of four | " + best + " |");
  }

  private static Row rowOf(String name, String contender) {
    try {
      return row(kept(name), contender).orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSentenceOnJdk17IsOfTheFiguresThatAreKept() throws IOException {
    BenchFile bbr = kept("loopback-jdk17");
    BenchFile cubic = kept("cubic-jdk17");
    assertThat(section().replaceAll("\\s+", " "))
        .contains(
            "takes " + time(bbr, "nio") + " with `bbr`",
            " and " + time(cubic, "nio") + " with `cubic`",
            "The polling loop takes "
                + time(bbr, "raw-spin").replace(" us", "")
                + " and "
                + time(cubic, "raw-spin"));
  }

  @Test
  void whereTheyAreFromIsSaid() throws IOException {
    for (String name : List.of("loopback", "loopback-jdk17", "cubic", "cubic-jdk17")) {
      BenchFile file = kept(name);
      assertThat(file.environment().kernel())
          .endsWith(name.startsWith("cubic") ? "TCP cubic" : "TCP bbr");
      assertThat(section())
          .contains("docs/reports/" + name + ".json.gz")
          .contains("commit " + file.environment().checkout().commit().substring(0, 7))
          .contains(file.environment().processors() + " processors")
          .contains(file.environment().javaVersion().split("\\+")[0]);
    }
    assertThat(section()).contains("`./arraywire bench --peers --full --rounds 9 --json FILE`");
    assertThat(String.join(" ", kept("loopback").environment().command()))
        .startsWith("./arraywire bench --peers --full --rounds 9 --json ");
  }
}
