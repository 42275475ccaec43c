package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TargetPoolTest {
  @Test
  void lendsTheSmallestThatFits() throws IOException {
    TargetPool pool = new TargetPool(1 << 20);
    Object small = pool.take(ElementType.FLOAT, 10);
    Object large = pool.take(ElementType.FLOAT, 100);
    Object ints = pool.take(ElementType.INT, 5);
    pool.give(small);
    pool.give(large);
    pool.give(ints);

    assertThat(pool.take(ElementType.FLOAT, 5)).isSameAs(small);
    assertThat(pool.take(ElementType.FLOAT, 5)).isSameAs(large);
    assertThat(pool.usedBytes()).isEqualTo(4 * 115);
  }

  @Test
  void idleArraysMakeRoom() throws IOException {
    TargetPool pool = new TargetPool(1000);
    pool.give(pool.take(ElementType.BYTE, 900));

    assertThat((double[]) pool.take(ElementType.DOUBLE, 125)).hasSize(125);
    assertThat(pool.usedBytes()).isEqualTo(1000);
  }

  /** Whatever a peer declares, memory that is lent stays below the limit. */
  @Test
  void refusesMoreThanItsLimit() throws IOException {
    TargetPool pool = new TargetPool(1000);
    pool.take(ElementType.BYTE, 600);

    assertThatThrownBy(() -> pool.take(ElementType.LONG, Integer.MAX_VALUE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("arrayBytes=17179869176, usedBytes=600, limitBytes=1000");
    assertThat(pool.take(ElementType.BYTE, 400)).isNotNull();
    assertThat(pool.usedBytes()).isEqualTo(1000);
  }

  @Test
  void whatTheHeapRefusesIsNotCounted() {
    TargetPool pool = new TargetPool(Long.MAX_VALUE);

    assertThatThrownBy(() -> pool.take(ElementType.LONG, Integer.MAX_VALUE))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.usedBytes()).isZero();
  }
}
