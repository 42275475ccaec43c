package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Contender CONTENDER = new RawDirect(true, Loopback.TCP);

  private static Burst burst(int expense, long... nanos) {
    Histogram times = Burst.emptyTimes();
    long all = 0;
    for (long each : nanos) {
      times.recordValue(each);
      all += each;
    }
    return new Burst(
        nanos.length + 2, nanos.length, all, new Expense(expense, 2L * expense), times);
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
    assertThat(figures.allocatedBytesPerArray()).isEqualTo(64);
    assertThat(figures.percentile(99.9)).isEqualTo(128);
  }

  @Test
  void ofARoundTripTheBytesOfBothWaysCount() {
    List<Burst> bursts = List.of(burst(128, 64, 64, 64, 128), burst(128, 64, 64, 64, 128));
    Figures figures = Figures.of(CONTENDER, Workload.roundTrip(16), bursts, bursts);
    assertThat(figures.gigabytesPerSecond()).isEqualTo(2);
    assertThat(figures.slowGigabytesPerSecond()).isEqualTo(2);
    assertThat(figures.cpuSecondsPerGigabyte()).isEqualTo(0.25);
    assertThat(figures.cpuMicrosPerArray()).isEqualTo(0.032);
  }

  @Test
  void arraysThatWereNotWaitedForHaveAMeanAndNoPercentiles() {
    Burst burst = new Burst(1100, 1000, 50_000, new Expense(20_000, 300), Burst.emptyTimes());
    Figures figures =
        Figures.of(CONTENDER, Workload.pipelined(16, 256), List.of(burst), List.of(burst));
    assertThat(figures.nanos()).isEqualTo(50);
    assertThat(figures.arraysPerSecond()).isEqualTo(20e6);
    assertThat(figures.cpuMicrosPerArray()).isCloseTo(0.02, within(1e-9));
    assertThat(figures.allocatedBytesPerArray()).isCloseTo(0.3, within(1e-12));
    assertThat(figures.percentile(50)).isNaN();
  }

  private static Burst concurrent(long nanos, Long... served) {
    long arrays = Arrays.stream(served).mapToLong(each -> each).sum();
    Histogram times = Burst.emptyTimes();
    times.recordValueWithCount(1000, arrays);
    return new Burst(arrays, arrays, nanos, new Expense(6000, 0), times, List.of(served));
  }

  @Test
  void ofManyConnectionsTheCommonRateCounts() {
    Workload workload = Workload.concurrent(16, 2);
    List<Burst> bursts =
        List.of(concurrent(600, 3L, 3L), concurrent(600, 2L, 4L), concurrent(600, 0L, 6L));
    Figures figures = Figures.of(CONTENDER, workload, bursts, bursts);
    assertThat(figures.nanos()).isEqualTo(100);
    assertThat(figures.arraysPerSecond()).isEqualTo(10e6);
    assertThat(figures.percentile(50)).isCloseTo(1000, within(1.0));
    assertThat(figures.leastShare()).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(figures.jainIndex()).isCloseTo(0.9, within(1e-12));
    assertThat(figures.arraysPerConnection()).isEqualTo(3);
  }

  @Test
  void ofOneConnectionThereIsNoFairness() {
    List<Burst> bursts = List.of(burst(0, 1000));
    Figures figures = Figures.of(CONTENDER, Workload.oneByOne(16), bursts, bursts);
    assertThat(figures.leastShare()).isNaN();
    assertThat(figures.jainIndex()).isNaN();
  }

  @Test
  void expensesAreDividedAmongAllThatWereSent() {
    Burst burst = new Burst(8, 6, 600, new Expense(4000, 800), Burst.emptyTimes(), List.of(6L));
    assertThat(burst.withExpenseOfCounted().expense()).isEqualTo(new Expense(3000, 600));
    assertThat(burst.withExpenseOfCounted().served()).containsExactly(6L);
    assertThat(burst.withMore(burst.counted(new Expense(8, 16))).expense())
        .isEqualTo(new Expense(4006, 812));
  }

  @Test
  void whatEachConnectionHadSurvivesTheWayToTheParent() {
    Burst parsed = Burst.parse(concurrent(600, 2L, 0L, 4L).words());
    assertThat(parsed.served()).containsExactly(2L, 0L, 4L);
    assertThat(parsed.nanosPerArray()).isEqualTo(100);
  }

  @Test
  void aBurstSurvivesItsWayToTheParent() {
    Burst parsed = Burst.parse(burst(5, 1000, 2000, 3000).words());
    assertThat(parsed.sent()).isEqualTo(5);
    assertThat(parsed.arrays()).isEqualTo(3);
    assertThat(parsed.nanos()).isEqualTo(6000);
    assertThat(parsed.expense()).isEqualTo(new Expense(5, 10));
    assertThat(parsed.nanosPerArray()).isCloseTo(2000, within(2.0));
    assertThat(parsed.served()).isEmpty();
  }
}
