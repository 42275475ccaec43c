package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection costs the listening process while nothing is sent on it but heartbeats. */
@Tag("alone")
@Tag("newest")
class IdleConnectionsTest {

  @Test
  void fiveHundredIdleConnectionsTakeLittleHeap() throws Exception {
    assertFiveHundred("handler");
  }

  /** As the ten thousand do, too. */
  @Test
  @Tag("variant")
  void fiveHundredIdleConnectionsThatAreAcceptedTakeLittleHeap() throws Exception {
    assertFiveHundred("accept");
  }

  private static void assertFiveHundred(String mode) throws Exception {
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
