package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A process that takes so many processors at each of the first looks, and none later. */
  private static final class Taking extends PairWithoutJvms {
    private final double processors;
    private final int looksUntilRest;
    private final long began = System.nanoTime();
    private long taken;
    private int looks;

    Taking(String name, double processors, int looksUntilRest) {
      super(name);
      this.processors = processors;
      this.looksUntilRest = looksUntilRest;
    }

    @Override
    public void verify(Workload workload) {
      throw new AssertionError("nothing is to be sent");
    }

    @Override
    public Expense expense() {
      looks++;
      if (looks <= looksUntilRest) {
        taken = Math.round((System.nanoTime() - began) * processors);
      }
      return new Expense(taken, 0);
    }
  }

  private static void await(Duration patience, Taking... all) throws IOException {
    Rest.await(List.of(all), List.of(all), patience);
  }

  @Test
  void itWaitsUntilAllRest() throws Exception {
    Taking compiling = new Taking("compiling", 2, 3);
    Taking idle = new Taking("idle", 0.01, Integer.MAX_VALUE);
    await(PATIENCE, idle, compiling);
    assertThat(compiling.looks).isEqualTo(4);
    assertThat(idle.looks).isEqualTo(4);
  }

  @Test
  void aContenderThatNeverRestsIsNamed() {
    long began = System.nanoTime();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            await(
                Duration.ofMillis(1),
                new Taking("idle", 0.01, Integer.MAX_VALUE),
                new Taking("polling", 2, Integer.MAX_VALUE)))
        .withMessageContaining("keeps processors busy while it is not its turn")
        .withMessageMatching(".*[(]contender=polling, processors=\\d+[.]\\d\\d, most=0[.]1[)]");
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(30));
  }
}
