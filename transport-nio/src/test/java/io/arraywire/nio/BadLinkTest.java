package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.delivery.DeliveryTotals;
import io.arraywire.chaos.delivery.DeliveryVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A network that loses packets, doubles them, delivers them out of order, and takes its time: all
 * that TCP makes good, and pauses for. Nobody may take such a pause for the peer's end.
 */
@Tag("slow")
class BadLinkTest {
  private static final Duration DELAY = Duration.ofMillis(200);
  private static final int LOST_PERCENT = 5;
  private static final int DOUBLED_PERCENT = 2;
  private static final int EARLY_PERCENT = 5;
  private static final Duration TIME = Duration.ofSeconds(45);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path directory;

  private final long seed = Long.getLong("arraywire.seed", System.nanoTime());

  @Test
  void everythingArrivesOnceAndNobodyIsBlamed() throws Exception {
    assertEverythingArrivesOnce(false);
  }

  @Test
  @Tag("variant")
  void overTlsEverythingArrivesOnceAndNobodyIsBlamed() throws Exception {
    assertEverythingArrivesOnce(true);
  }

  private void assertEverythingArrivesOnce(boolean tls) throws Exception {
    BadLink bad = new BadLink(DELAY, LOST_PERCENT, DOUBLED_PERCENT, EARLY_PERCENT, seed);
    System.out.println(bad + ", repeat with -Darraywire.seed=" + seed);
    // All timeouts that could blame the peer are the default ones.
    DeliveryPrograms plain =
        DeliveryPrograms.of(
            directory,
            "sessionMillis=" + PATIENCE.toMillis(),
            "sendTimeoutMillis=" + PATIENCE.toMillis(),
            // Blames nobody, and a goodbye may be what is lost again and again.
            "closeTimeoutMillis=" + PATIENCE.toMillis());
    try (TwoHosts hosts = TwoHosts.createOrAbort();
        DeliveryPrograms programs = tls ? plain.overTls(hosts.left(), hosts.right()) : plain) {
      hosts.worsen(bad);
      OneWay there = OneWay.toRight(programs, hosts, load(0));
      OneWay back = OneWay.toLeft(programs, hosts, load(1));
      there.assertOneConnectionSufficed(PATIENCE);
      back.assertOneConnectionSufficed(PATIENCE);
      DeliveryVerdict verdict = programs.verdict();
      System.out.println(verdict);
      DeliveryTotals totals = verdict.assertHolds().totals();
      assertThat(totals.ok()).isEqualTo(totals.invoked());
      assertThat(totals.delivered()).isEqualTo(totals.invoked());
      assertTheNetworkWasBad(hosts);
    }
  }

  private String[] load(int sender) {
    return new String[] {
      "sender=" + sender,
      "seed=" + (seed + sender),
      "maxBytes=16384",
      "millis=" + TIME.toMillis(),
      "patienceMillis=" + PATIENCE.toMillis()
    };
  }

  /** As the hosts' own TCP has seen it, one or the other. */
  private static void assertTheNetworkWasBad(TwoHosts hosts) throws Exception {
    for (String name : List.of("RetransSegs", "TCPOFOQueue", "TCPDSACKRecv")) {
      long both = 0;
      for (List<String> host : List.of(hosts.onLeft(), hosts.onRight())) {
        long count = TwoHosts.tcpCount(host, name);
        System.out.printf("%s %s=%d%n", host.get(host.size() - 1), name, count);
        both += count;
      }
      assertThat(both).as("%s (sent again, came out of order, came twice)", name).isPositive();
    }
  }
}
