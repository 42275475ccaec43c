package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection costs the listening process while nothing is sent on it but heartbeats. */
@Tag("alone")
class IdleConnectionsTest {

  @ParameterizedTest
  @ValueSource(strings = {"accept", "handler"})
  void fiveHundredIdleConnectionsTakeLittleHeap(String mode) throws Exception {
    // What is loaded or compiled meanwhile counts here, and no longer among ten thousand.
    assertCost(500, mode, Duration.ofSeconds(1), Duration.ofSeconds(2), 2560);
  }

  @Test
  @Tag("slow")
  void tenThousandIdleConnectionsTakeLittleHeap() throws Exception {
    Duration hold = Duration.parse(System.getProperty("arraywire.idle.hold", "PT10S"));
    String mode = System.getProperty("arraywire.idle.mode", "accept");
    assertCost(10_000, mode, Duration.ofSeconds(5), hold, 2048);
  }

  private static void assertCost(
      int connections, String mode, Duration heartbeat, Duration hold, long most) throws Exception {
    IdleConnections.Cost cost = IdleConnections.measure(connections, mode, heartbeat, hold);
    System.out.println(cost);
    assertThat(cost.perConnection())
        .as("bytes of heap for each connection, by class:%n%s", String.join("\n", cost.classes()))
        .isPositive()
        .isLessThanOrEqualTo(most);
  }
}
