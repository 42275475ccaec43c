package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.network.LoopbackHosts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
@Tag("newest")
class BuildComparisonTest {
  private static final Path OTHER = Path.of("/builds/other.jar");
  private static final double NANOS = 10_000;
  private static final Workload SMALL = Workload.pipelined(16, 256);
  private static final Workload LARGE = Workload.pipelined(1 << 18, 2);

  /**
   * Takes as long as it is told, in this build and in the other, and varies by launch and burst.
   */
  private static final class Timed extends PairWithoutJvms {
    private final Random random = new Random(7);
    private final double ownFactor;
    private final double launchNoise;
    private final List<String> builds = new ArrayList<>();

    Timed(double ownFactor, double launchNoise) {
      super("timed");
      this.ownFactor = ownFactor;
      this.launchNoise = launchNoise;
    }

    @Override
    public Pair start(BenchSettings settings, @Nullable PrintStream log) {
      boolean isOther = settings.hosts().equals(new LoopbackHosts(OTHER.toString()));
      builds.add(isOther ? "other" : "own");
      double launch = Math.exp(launchNoise * random.nextGaussian()) * (isOther ? 1 : ownFactor);
      return new PairWithoutJvms("timed") {
        @Override
        public Burst burst(Workload workload, Duration duration) throws IOException {
          double noise = Math.exp(0.02 * random.nextGaussian());
          long nanos = Math.round(NANOS * launch * noise * 1_000);
          return new Burst(1_000, 1_000, nanos, new Expense(nanos, 0), Burst.emptyTimes());
        }
      };
    }
  }

  private static BuildComparison compare(Timed timed, Duration limit) throws IOException {
    BenchSettings settings =
        BenchSettings.of(List.of(timed), List.of(SMALL, LARGE)).rounds(4).warmups(1).build();
    BuildComparison comparison =
        new BuildComparison(settings, new OtherBuild("abc1234", OTHER), limit);
    comparison.run(null, text -> {});
    return comparison;
  }

  @Test
  void equalBuildsShowNoDifference() throws Exception {
    BuildComparison comparison = compare(new Timed(1, 0.01), Duration.ofMinutes(1));
    assertThat(comparison.timeIsOver()).isFalse();
    assertThat(String.join("\n", comparison.lines()))
        .contains("abc1234", "no difference")
        .doesNotContain("SLOWER", "faster");
  }

  @Test
  void aBuildThatTakesATenthLongerIsSlower() throws Exception {
    BuildComparison comparison = compare(new Timed(1.1, 0.01), Duration.ofMinutes(1));
    assertThat(String.join("\n", comparison.lines()))
        .contains("SLOWER")
        .doesNotContain("no difference", "faster");
  }

  @Test
  void aBuildThatTakesATenthLessIsFaster() throws Exception {
    BuildComparison comparison = compare(new Timed(1 / 1.1, 0.01), Duration.ofMinutes(1));
    assertThat(String.join("\n", comparison.lines())).contains("faster").doesNotContain("SLOWER");
  }

  @Test
  void bothBuildsStartFirstInTurn() throws Exception {
    Timed timed = new Timed(1, 0.001);
    compare(timed, Duration.ofMinutes(1));
    assertThat(timed.builds.subList(0, 4)).containsExactly("other", "own", "own", "other");
  }

  @Test
  void aLimitThatIsReachedIsSaid() throws Exception {
    BuildComparison comparison = compare(new Timed(1, 0.5), Duration.ofMillis(1));
    assertThat(comparison.timeIsOver()).isTrue();
    assertThat(String.join("\n", comparison.lines()))
        .contains("too few launches", "the time limit of 0 min was reached");
  }
}
