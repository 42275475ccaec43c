package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Contender CONTENDER = new RawCeiling(true);

  private static Burst burst(long cpuNanos, long... nanos) {
    Histogram times = Burst.emptyTimes();
    long all = 0;
    for (long each : nanos) {
      times.recordValue(each);
      all += each;
    }
    return new Burst(nanos.length + 2, nanos.length, all, cpuNanos, times);
  }

  @Test
  void aRatioIsTakenWithinARoundAndThenTheMedian() {
    // In the second round something disturbed both: the medians over all rounds alone would say 2.
    List<Burst> baseline = List.of(burst(0, 1000), burst(0, 9000), burst(0, 2000));
    List<Burst> bursts = List.of(burst(0, 1000), burst(0, 3000), burst(0, 500));
    Figures figures = Figures.of(CONTENDER, Workload.oneByOne(16), bursts, baseline);
    assertThat(figures.ratio()).isCloseTo(3, within(0.01));
    assertThat(figures.nanos()).isCloseTo(1000, within(1.0));
  }

  @Test
  void ratesAndProcessorTimeAreOfBytesOfElements() {
    List<Burst> bursts = List.of(burst(128, 64, 64, 64, 128), burst(128, 64, 64, 64, 128));
    Figures figures = Figures.of(CONTENDER, Workload.oneByOne(16), bursts, bursts);
    assertThat(figures.gigabytesPerSecond()).isEqualTo(1);
    assertThat(figures.slowGigabytesPerSecond()).isEqualTo(1);
    assertThat(figures.arrays()).isEqualTo(8);
    assertThat(figures.cpuSecondsPerGigabyte()).isEqualTo(0.5);
    assertThat(figures.percentile(99.9)).isEqualTo(128);
  }

  @Test
  void arraysThatWereNotWaitedForHaveAMeanAndNoPercentiles() {
    Burst burst = new Burst(1100, 1000, 50_000, 20_000, Burst.emptyTimes());
    Figures figures = Figures.of(CONTENDER, new Workload(16, 256), List.of(burst), List.of(burst));
    assertThat(figures.nanos()).isEqualTo(50);
    assertThat(figures.arraysPerSecond()).isEqualTo(20e6);
    assertThat(figures.cpuMicrosPerArray()).isCloseTo(0.02, within(1e-9));
    assertThat(figures.percentile(50)).isNaN();
  }

  @Test
  void aBurstSurvivesItsWayToTheParent() {
    Burst parsed = Burst.parse(burst(5, 1000, 2000, 3000).words(), 7);
    assertThat(parsed.sent()).isEqualTo(5);
    assertThat(parsed.arrays()).isEqualTo(3);
    assertThat(parsed.nanos()).isEqualTo(6000);
    assertThat(parsed.cpuNanos()).isEqualTo(12);
    assertThat(parsed.nanosPerArray()).isCloseTo(2000, within(2.0));
  }
}
