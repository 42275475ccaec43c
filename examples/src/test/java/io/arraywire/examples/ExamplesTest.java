package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExamplesTest {
  @Test
  void helloArraysPrintsWhatItSent() throws Exception {
    assertThat(StandardOut.of(HelloArrays::main)).containsExactly("[1.0, 2.0, 3.0]");
  }

  @Test
  void eitherHalfOfAnOldApplicationCanBeReplaced() throws Exception {
    assertThat(LegacyPeer.fromOldToNew()).containsExactly(1, 2, 3);
    assertThat(LegacyPeer.fromNewToOld()).containsExactly(4, 5, 6);
  }
}
