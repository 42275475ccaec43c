package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Charts as PNG, if they are wanted. Not for several threads. */
final class Pictures {
  private final @Nullable Path directory;
  private final List<Path> written = new ArrayList<>();

  /**
   * Makes none so far.
   *
   * @param directory where they go; null if none are wanted
   */
  Pictures(@Nullable Path directory) {
    this.directory = directory;
  }

  /** Draws bars, if any of them says something. */
  void drawBars(Bars bars) throws IOException {
    if (directory != null) {
      Optional<Figure> figure = bars.figure();
      if (figure.isPresent()) {
        draw(figure::get);
      }
    }
  }

  /** Draws a chart. */
  void draw(Supplier<Figure> chart) throws IOException {
    if (directory != null) {
      Figure figure = chart.get();
      written.add(ChartFiles.writePng(figure.chart(), directory.resolve(figure.name() + ".png")));
    }
  }

  /** What was drawn. */
  List<Path> written() {
    return written;
  }
}
