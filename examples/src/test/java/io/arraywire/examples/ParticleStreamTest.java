package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParticleStreamTest {
  @Test
  void everyPositionArrives() throws Exception {
    assertThat(StandardOut.of(ParticleStream::main)).containsExactly("45000.0");
  }
}
