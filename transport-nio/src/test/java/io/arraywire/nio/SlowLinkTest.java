package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.delivery.DeliveryEvent;
import io.arraywire.chaos.delivery.DeliveryTotals;
import io.arraywire.chaos.delivery.DeliveryVerdict;
import io.arraywire.chaos.delivery.FileDeliveryLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An array that takes many times as long as a peer may be silent, over a link of 1 Mbit/s, in both
 * directions at once, so that heartbeats and acknowledgements, too, wait behind chunks.
 */
@Tag("slow")
@Tag("alone")
class SlowLinkTest {
  private static final String RATE = "1mbit";
  private static final long BYTES_PER_SECOND = 1_000_000 / 8;
  private static final Duration HEARTBEAT = Duration.ofMillis(500);
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Makes the first array one of 2.35 MB and the 15 behind it, on all channels, 0.24 MB together.
   */
  private static final int LARGE_FIRST = 1046;

  private static final long LARGE_BYTES = 2_350_159;
  private static final int ARRAYS = 16;
  private static final int MOST_BYTES = 4 << 20;

  @TempDir Path directory;

  @Test
  void heartbeatsAndSmallArraysPassBetweenTheChunksOfALargeOne() throws Exception {
    assertTheyPass(false);
  }

  @Test
  @Tag("variant")
  void overTlsHeartbeatsAndSmallArraysPassBetweenTheChunksOfALargeOne() throws Exception {
    assertTheyPass(true);
  }

  private void assertTheyPass(boolean tls) throws Exception {
    DeliveryPrograms plain =
        DeliveryPrograms.of(
            directory,
            "heartbeatMillis=" + HEARTBEAT.toMillis(),
            "heartbeatTimeoutMillis=" + HEARTBEAT_TIMEOUT.toMillis(),
            "sessionMillis=" + PATIENCE.toMillis(),
            "sendTimeoutMillis=" + PATIENCE.toMillis());
    try (TwoHosts hosts = TwoHosts.createOrAbort();
        DeliveryPrograms programs = tls ? plain.overTls(hosts.left(), hosts.right()) : plain) {
      hosts.slow(RATE);
      long start = System.nanoTime();
      OneWay there = OneWay.toRight(programs, hosts, load(0));
      OneWay back = OneWay.toLeft(programs, hosts, load(1));
      there.assertOneConnectionSufficed(PATIENCE);
      back.assertOneConnectionSufficed(PATIENCE);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      DeliveryVerdict verdict = programs.verdict();
      System.out.printf("%s each way at %s took %s: %s%n", LARGE_BYTES, RATE, took, verdict);
      assertThat(took)
          .as("the link is slow, and the large array was there")
          .isGreaterThan(Duration.ofSeconds(LARGE_BYTES / BYTES_PER_SECOND))
          .isGreaterThan(HEARTBEAT_TIMEOUT.multipliedBy(8));
      for (List<String> host : List.of(hosts.onLeft(), hosts.onRight())) {
        System.out.printf(
            "TCP: segments sent again=%d, timeouts=%d%n",
            TwoHosts.tcpCount(host, "RetransSegs"), TwoHosts.tcpCount(host, "TCPTimeouts"));
      }
      DeliveryTotals totals = verdict.assertHolds().totals();
      assertThat(totals.ok()).isEqualTo(totals.invoked()).isEqualTo(2 * ARRAYS);
      for (OneWay each : List.of(there, back)) {
        List<Long> ends = acknowledged(each.sender());
        System.out.println("acknowledged in this order: " + ends);
        assertThat(ends.indexOf(1L)).as("acknowledged before the large one").isGreaterThan(3);
      }
    }
  }

  private static String[] load(int sender) {
    return new String[] {
      "sender=" + sender,
      "seed=" + LARGE_FIRST,
      "arrays=" + ARRAYS,
      "maxBytes=" + MOST_BYTES,
      "patienceMillis=" + PATIENCE.toMillis()
    };
  }

  private static List<Long> acknowledged(DeliveryProgram sender) throws IOException {
    List<Long> ends = new ArrayList<>();
    FileDeliveryLog.replay(
        sender.log(),
        (event, stream, sequence, hash) -> {
          if (event == DeliveryEvent.OK) {
            ends.add(sequence);
          }
        });
    return ends;
  }
}
