package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WeightsFeedTest {
  @Test
  void theProgramPrintsWhatItsCommentsSay() throws Exception {
    assertThat(StandardOut.of(WeightsFeed::main)).containsExactly("2", "1 0.0", "1.0", "0.5");
  }
}
