package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotTest {
  private static final int WIDTH = 720;

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          float[] of 64 bytes, 15
          'float[] of 64 bytes, 100 connections, 10000 requests, 1 of 10 answered after 2 s, loopback', 0
          """)
  void aLongTitleIsSetInASmallerFontSoThatItIsNotCutOff(String title, int size) {
    Font font = Plot.fitting(title, WIDTH);
    assertThat(Plot.width(title, font)).isLessThanOrEqualTo(WIDTH);
    assertThat(font.getSize()).isGreaterThanOrEqualTo(9);
    if (size > 0) {
      assertThat(font.getSize()).isEqualTo(size);
    }
  }
}
