package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ExamplesTest {
  @Test
  void helloArraysPrintsWhatItSent() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      HelloArrays.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).strip()).isEqualTo("[1.0, 2.0, 3.0]");
  }

  @Test
  void eitherHalfOfAnOldApplicationCanBeReplaced() throws Exception {
    assertThat(LegacyPeer.fromOldToNew()).containsExactly(1, 2, 3);
    assertThat(LegacyPeer.fromNewToOld()).containsExactly(4, 5, 6);
  }
}
