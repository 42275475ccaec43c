package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.FiguresFile;
import io.arraywire.benchmarks.result.JmhFile;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * Conclusions, charts and tables of what was measured, as one page of HTML that needs no other
 * file.
 */
public final class Report {
  private static final String[] LEGEND = {
    "Every figure is of the elements' bytes, from the call of send to the acknowledgement, and of the"
        + " rounds of one run. Ratios are taken within a round, and of these the median.",
    "99.9 % CI: confidence interval of the geometric mean over the rounds, by Student's t of the"
        + " logarithms. It says how well the rounds of these processes are known, not whether new"
        + " processes would give the same. In charts it is the line across the end of a bar. Where it"
        + " spans more than a factor of three it says next to nothing. Then there is no bar: a line below"
        + " the chart names the contender. Its figures are in the table.",
    "The slow quarter is a rate that three quarters of all transfers reached. The spread is the"
        + " distance between the quartiles of the rounds as a part of their median. Differences"
        + " below it say nothing. One above "
        + Units.percent(Statistics.NOISY_SPREAD)
        + " has an exclamation mark.",
    "CPU: user and system time of both processes. B/array: bytes that both allocate on their heaps."
        + " Percentiles are of single transfers of a closed loop, without correction for coordinated"
        + " omission.",
    "JMH: score and 99.9 % CI are JMH's, of the mean of all iterations; standard deviation and spread"
        + " are those of the iterations. Its methods run one after the other, not in rounds.",
    "docs/benchmarks.md says more."
  };

  private Report() {}

  /**
   * Writes the page and, if wanted, each chart as a picture beside it. Files of these names are
   * replaced.
   *
   * @param files what was measured; at least one
   * @param directory where it all goes; made if it is not there
   * @param png whether each chart is drawn as PNG, too
   * @return what was written, first the page
   * @throws IOException if that fails
   */
  public static List<Path> write(List<FiguresFile> files, Path directory, boolean png)
      throws IOException {
    Files.createDirectories(directory);
    ReportPage page =
        new ReportPage(
            "Arraywire benchmarks",
            "How to move a float[] from one JVM into a float[] of another. Only ratios of one run"
                + " on one machine mean something.");
    Pictures pictures = new Pictures(png ? directory : null);
    Map<String, Integer> names = new LinkedHashMap<>();
    for (FiguresFile file : files) {
      String name = stem(file.path());
      // Two files may have the same name in different directories.
      int number = names.merge(name, 1, Integer::sum);
      String prefix = files.size() == 1 ? "" : name + (number == 1 ? "" : "-" + number) + "-";
      // A switch over the two kinds takes JDK 21.
      if (file instanceof BenchFile bench) {
        new BenchSection(page, bench, prefix, pictures).write();
      } else if (file instanceof JmhFile jmh) {
        new JmhSection(page, jmh, prefix, pictures).write();
      }
    }
    Element end = page.end("How to read this");
    for (String each : LEGEND) {
      page.paragraph(end, each);
    }
    Path html = directory.resolve("report.html");
    page.write(html);
    List<Path> written = new ArrayList<>(List.of(html));
    written.addAll(pictures.written());
    return List.copyOf(written);
  }

  private static String stem(Path path) {
    return ReportCharts.fileName(
        String.valueOf(path.getFileName()).replaceAll("\\.json(\\.gz)?$", ""));
  }
}
