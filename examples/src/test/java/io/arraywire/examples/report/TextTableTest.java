package io.arraywire.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void alignsItsColumns() {
    TextTable table = new TextTable("<name", "MB/s", "<ok");
    table.add("direct", "3000", "yes");
    table.add("loop", "2.1", "NO");

    assertThat(table.lines())
        .containsExactly(
            "name    MB/s  ok", "------  ----  ---", "direct  3000  yes", "loop     2.1  NO");
  }

  @Test
  void refusesTheWrongNumberOfCells() {
    assertThatThrownBy(() -> new TextTable("a", "b").add("1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cells=1, columns=2");
  }
}
