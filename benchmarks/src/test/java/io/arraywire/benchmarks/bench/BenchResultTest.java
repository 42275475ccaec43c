package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BenchResultTest {
  /** A hundred arrays, and how many of them each of two connections had. */
  private static Burst burst(long nanosPerArray, Long... served) {
    Histogram times = Burst.emptyTimes();
    times.recordValueWithCount(nanosPerArray, 60);
    times.recordValueWithCount(2 * nanosPerArray, 39);
    times.recordValueWithCount(3 * nanosPerArray, 1);
    return new Burst(
        100, 100, 100 * nanosPerArray, new Expense(640_000, 1600), times, List.of(served));
  }

  private static BenchSettings settings(Workload workload) {
    return BenchSettings.of(
            List.of(new RawDirect(false, Loopback.TCP), new RawDirect(true, Loopback.TCP)),
            List.of(workload))
        .rounds(2)
        .build();
  }

  private static List<String> lines(Workload workload) {
    List<Burst> round = List.of(burst(2000, 50L, 50L), burst(1000, 20L, 80L));
    return BenchResult.of(settings(workload), List.of(List.of(round, round))).lines();
  }

  @Test
  void arraysOneByOne() {
    assertThat(lines(Workload.oneByOne(16)))
        .containsExactly(
            "",
            "float[] of 64 bytes, medians of 2 rounds",
            "",
            "Contender  x raw-sleep    GB/s  slow quarter  spread  CPU s/GB  B/array      p50      p99    p99.9  transfers",
            "---------  -----------  ------  ------------  ------  --------  -------  -------  -------  -------  ---------",
            "raw-sleep         1.00  0.0320        0.0160     0 %       100       16  2.00 us  4.00 us  6.00 us        200",
            "raw-spin          2.00  0.0640        0.0320     0 %       100       16  1.00 us  2.00 us  3.00 us        200");
  }

  @Test
  void arraysWithoutWaiting() {
    assertThat(lines(Workload.pipelined(16, 4)))
        .containsExactly(
            "",
            "float[] of 64 bytes, 4 in flight, medians of 2 rounds",
            "",
            "Contender  x raw-sleep  arrays/s  spread  CPU us/array  B/array  arrays",
            "---------  -----------  --------  ------  ------------  -------  ------",
            "raw-sleep         1.00    500000     0 %          6.40       16     200",
            "raw-spin          2.00   1000000     0 %          6.40       16     200");
  }

  @Test
  void arraysOfManyConnections() {
    assertThat(lines(Workload.concurrent(16, 2)))
        .containsExactly(
            "",
            "float[] of 64 bytes, 2 connections, medians of 2 rounds",
            "",
            "Contender  x raw-sleep  arrays/s    GB/s  spread  CPU s/GB  CPU us/array  B/array      p50      p99  least/mean   Jain  arrays",
            "---------  -----------  --------  ------  ------  --------  ------------  -------  -------  -------  ----------  -----  ------",
            "raw-sleep         1.00    500000  0.0320     0 %       100          6.40       16  2.00 us  4.00 us        1.00  1.000     200",
            "raw-spin          2.00   1000000  0.0640     0 %       100          6.40       16  1.00 us  2.00 us        0.40  0.735     200");
  }

  @Test
  void requestsOfThreads() {
    assertThat(lines(Workload.requests(16, new Clients(2, 1))))
        .containsExactly(
            "",
            "float[] of 64 bytes, 2 threads on 1 connection, medians of 2 rounds",
            "",
            "Contender  x raw-sleep  requests/s  spread  CPU us/request  B/request      p50      p99    p99.9  least/mean  requests",
            "---------  -----------  ----------  ------  --------------  ---------  -------  -------  -------  ----------  --------",
            "raw-sleep         1.00      500000     0 %            6.40         16  2.00 us  4.00 us  6.00 us        1.00       200",
            "raw-spin          2.00     1000000     0 %            6.40         16  1.00 us  2.00 us  3.00 us        0.40       200");
  }

  @Test
  void aRateThatIsNotReachedIsFlagged() {
    // One answer in 2 us, the other in 1 us, of requests that fall due every 1.25 us.
    List<Burst> round = List.of(burst(2000), burst(1000));
    Workload workload = Workload.paced(16, new Rate(800_000, 1));
    assertThat(BenchResult.of(settings(workload), List.of(List.of(round, round))).lines())
        .containsExactly(
            "",
            "float[] of 64 bytes, 1 connection, 800,000 requests/s, medians of 2 rounds",
            "",
            "Contender  x raw-sleep  requests/s  spread  CPU us/request      p50      p99    p99.9  requests",
            "---------  -----------  ----------  ------  --------------  -------  -------  -------  --------",
            "raw-sleep         1.00    ! 500000     0 %            6.40  2.00 us  4.00 us  6.00 us       200",
            "raw-spin          2.00     1000000     0 %            6.40  1.00 us  2.00 us  3.00 us       200",
            "! raw-sleep did not reach 800,000 requests/s (reached=500000/s): its times grow for as long as a burst lasts");
  }

  @Test
  void aBaselineInSeveralModesIsFlagged() {
    Histogram times = Burst.emptyTimes();
    times.recordValueWithCount(900, 1000);
    Burst fast = new Burst(1000, 1000, 1000 * 900, new Expense(1, 1), times, List.of());
    // Two rounds of three are slow, and most of the transfers fast.
    List<List<Burst>> rounds =
        List.of(
            List.of(fast, burst(1000)),
            List.of(burst(9000), burst(1000)),
            List.of(burst(9000), burst(1000)));
    assertThat(BenchResult.of(settings(Workload.oneByOne(16)), List.of(rounds)).lines())
        .endsWith(
            "! raw-sleep itself is fast at one time and slow at another here: compare times, not ratios");
  }

  @Test
  void aSpreadThatIsTooLargeIsFlagged() {
    BenchSettings settings = settings(Workload.pipelined(16, 4));
    List<Burst> calm = List.of(burst(2000), burst(1000));
    List<Burst> late = List.of(burst(2000), burst(2000));
    assertThat(BenchResult.of(settings, List.of(List.of(calm, late))).lines().subList(3, 8))
        .containsExactly(
            "Contender  x raw-sleep  arrays/s  spread  CPU us/array  B/array  arrays",
            "---------  -----------  --------  ------  ------------  -------  ------",
            "raw-sleep         1.00    500000     0 %          6.40       16     200",
            "raw-spin          1.50    666667  ! 33 %          6.40       16     200",
            "! spread above 20 %: take more rounds, or a quieter machine");
  }
}
