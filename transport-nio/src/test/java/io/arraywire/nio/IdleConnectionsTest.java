package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection costs the listening process while nothing is sent on it but heartbeats. */
class IdleConnectionsTest {

  @Test
  void fiveHundredIdleConnectionsTakeLittleHeap() throws Exception {
    // What is loaded or compiled meanwhile counts here, and no longer among ten thousand.
    assertCost(500, Duration.ofSeconds(1), 4096);
  }

  @Test
  @Tag("slow")
  void tenThousandIdleConnectionsTakeLittleHeap() throws Exception {
    assertCost(10_000, Duration.ofSeconds(5), 3072);
  }

  private static void assertCost(int connections, Duration heartbeat, long most) throws Exception {
    IdleConnections.Cost cost = IdleConnections.measure(connections, "accept", heartbeat);
    assertThat(cost.perConnection())
        .as("bytes of heap for each connection, by class:%n%s", String.join("\n", cost.classes()))
        .isPositive()
        .isLessThan(most);
  }
}
