package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WeatherStationTest {
  @Test
  void theProgramPrintsWhatItsCommentsSay() throws Exception {
    assertThat(StandardOut.of(WeatherStation::main)).containsExactly("ACCEPTED", "20.75");
  }
}
