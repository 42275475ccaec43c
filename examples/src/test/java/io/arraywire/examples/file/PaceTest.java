package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private long now = 7;
  private final Pace pace = new Pace(() -> now);

  @Test
  void itIsTheLastBytesOrTheNextOnesWhicheverTakeLonger() {
    assertThat(pace.nanos()).isZero();
    now += 100;
    assertThat(pace.nanos()).as("age").isEqualTo(100);
    pace.moved(Pace.LEAST_BYTES - 1);
    assertThat(pace.nanos()).as("not enough").isEqualTo(100);
    now += 20;
    pace.moved(1);
    assertThat(pace.nanos()).as("the last").isEqualTo(120);
    now += 50;
    assertThat(pace.nanos()).as("the last still").isEqualTo(120);
    now += 100;
    assertThat(pace.nanos()).as("the next").isEqualTo(150);
    pace.moved(Pace.LEAST_BYTES);
    now += 5;
    pace.moved(Pace.LEAST_BYTES);
    assertThat(pace.nanos()).as("faster again").isEqualTo(5);
  }
}
