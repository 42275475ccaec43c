package io.arraywire.examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arrays, messages, requests and publications for long, with and without TLS, by clients some of
 * which come and go, over connections that are cut, reset, stalled, slowed and damaged. Memory,
 * descriptors and threads of both processes do not grow. The rate falls no further than other work
 * of the machine explains, which a {@link Yardstick} tells. {@code -Darraywire.soak.seconds=3600}
 * makes it an hour, {@code -Darraywire.soak.chart} says where the samples are drawn.
 */
@Tag("slow")
@Tag("variant")
@Timeout(value = 1, unit = TimeUnit.DAYS)
class SoakTest {
  private static final long SECONDS = Long.getLong("arraywire.soak.seconds", 60);
  private static final Path CHART =
      Path.of(System.getProperty("arraywire.soak.chart", "target/soak.svg"));

  /** A second half in which each leak is far beyond its limit. */
  private static final Duration PLANTED = Duration.ofSeconds(60);

  private static final Set<SoakSeries> JUDGED =
      EnumSet.complementOf(
          EnumSet.of(SoakSeries.PROCESSORS, SoakSeries.RATIO, SoakSeries.YARDSTICK));

  @TempDir Path directory;

  @Test
  void nothingGrowsAndTheRateDoesNotFall() throws Exception {
    SoakResult result = Soak.run(directory, Duration.ofSeconds(SECONDS), false);
    SoakChart.write(result.lines(), CHART);
    result.lines().forEach(System.out::println);
    assertThat(result.wrong()).as("see " + CHART.toAbsolutePath()).isEmpty();
  }

  /** Both processes leak of everything, and clients get slower. */
  @Test
  void whatIsPlantedIsFound() throws Exception {
    SoakResult result = Soak.run(directory, PLANTED, true);
    SoakChart.write(result.lines(), directory.resolve("planted.svg"));
    result.lines().forEach(System.out::println);
    Set<SoakSeries> found =
        result.wrong().stream()
            .map(SoakLine::series)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(SoakSeries.class)));
    assertThat(found).isEqualTo(JUDGED);
  }
}
