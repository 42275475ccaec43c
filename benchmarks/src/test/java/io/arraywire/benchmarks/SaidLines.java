package io.arraywire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;

/** What a process says, line by line. */
public final class SaidLines {
  private SaidLines() {}

  /**
   * Reads lines up to the one that has a part.
   *
   * @throws AssertionError if the lines end before, with all of them
   */
  public static void await(BufferedReader lines, String part) throws IOException {
    StringBuilder said = new StringBuilder();
    while (said.indexOf(part) < 0) {
      String line = lines.readLine();
      assertThat(line).as(said.toString()).isNotNull();
      said.append(line).append('\n');
    }
  }
}
