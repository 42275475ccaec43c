package io.arraywire.examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart of a run of an hour has all lines, its words as text, and may be kept in the
 * repository.
 */
class SoakChartTest {
  private static final int SAMPLES = 240;
  private static final int LARGEST_BYTES = 200 << 10;

  private static final Pattern POINTS = Pattern.compile(" points=\"([^\"]*)\"");

  @TempDir Path directory;

  @Test
  void anHourIsSmall() throws Exception {
    Random random = new Random(1);
    List<SoakLine> lines = new ArrayList<>();
    for (SoakSeries series : SoakSeries.values()) {
      for (String name : List.of("listener", "clients")) {
        SoakLine line = new SoakLine(series, name);
        for (int i = 1; i <= SAMPLES; i++) {
          line.add(15 * i, 300 * random.nextDouble());
        }
        lines.add(line);
      }
    }
    Path file = directory.resolve("soak.svg");
    SoakChart.write(lines, file);
    String svg = Files.readString(file);
    assertThat(svg.length()).as("bytes").isLessThan(LARGEST_BYTES);
    long whole =
        POINTS
            .matcher(svg)
            .results()
            .filter(points -> points.group(1).split(" ", -1).length == SAMPLES)
            .count();
    assertThat(whole).as("lines with all samples").isEqualTo(lines.size());
    assertThat(svg).as("letters as outlines").doesNotContain("<path");
    for (SoakSeries series : SoakSeries.values()) {
      assertThat(svg).contains(">" + series.words() + "</text>");
    }
    assertThat(svg)
        .contains(">listener</text>", ">minutes</text>")
        .contains(">60</text>", ">250</text>")
        .contains("<title id=\"title\">A soak of 60 minutes</title>");
  }
}
