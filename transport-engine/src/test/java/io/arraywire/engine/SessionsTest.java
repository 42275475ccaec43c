package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionsTest {
  /** Peers that open sessions, send nothing and leave must not fill the heap. */
  @Test
  void aSmallHeapKeepsFewerSessions() {
    assertThat(Sessions.most(64L << 20)).isEqualTo(2048);
    assertThat(Sessions.most(1L << 30)).isEqualTo(32_768);
    assertThat(Sessions.most(2L << 30)).isEqualTo(65_536);
    assertThat(Sessions.most(64L << 30)).isEqualTo(65_536);
  }
}
