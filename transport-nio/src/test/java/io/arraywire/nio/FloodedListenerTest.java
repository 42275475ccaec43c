package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.nio.FloodedListener.Decoy;
import io.arraywire.nio.FloodedListener.Rates;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A flood of connections from one host leaves a peer that is connected its rate. What it is
 * compared with is the rate while another listener, in a process of its own, bears the same flood:
 * the processors have the same work then. Prints how much of it; {@code
 * -Darraywire.flooded.decoy=PLAIN} compares with a socket that only accepts and closes, {@code
 * -Darraywire.flooded.attempts=5000} has more attempts to connect a second, {@code
 * -Darraywire.flooded.rounds} repeats more often.
 */
@Tag("slow")
@Tag("alone")
class FloodedListenerTest {
  private static final int ATTEMPTS = Integer.getInteger("arraywire.flooded.attempts", 1000);
  private static final int ROUNDS = Integer.getInteger("arraywire.flooded.rounds", 7);

  private static final Decoy DECOY =
      Decoy.valueOf(System.getProperty("arraywire.flooded.decoy", "ALIKE"));

  private static final double LEAST =
      Double.parseDouble(System.getProperty("arraywire.flooded.least", "0.9"));

  /** It is measured again if it is less, since other programs may use the processors, too. */
  private static final int MEASUREMENTS = 5;

  @Test
  void aFloodOfConnectionsLeavesAFriendItsRate() throws Exception {
    Rates rates;
    int left = MEASUREMENTS;
    do {
      rates = FloodedListener.measure(DECOY, ATTEMPTS, ROUNDS, Duration.ofSeconds(1));
      System.out.println(rates);
      assertThat(rates.attempts()).as("%s", rates).isGreaterThan(0.8 * ATTEMPTS);
    } while (--left > 0 && !(rates.kept() > LEAST));
    assertThat(rates.kept()).as("%s", rates).isGreaterThan(LEAST);
  }
}
