package io.arraywire.benchmarks.network;

import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.Units;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured on a network, one way, with plain sockets.
 *
 * @param bitsPerSecond bits of payload per second
 * @param roundTripNanos the median time of a byte there and back
 * @param packets how many came to the receiving host's interface; 0 if nobody counted
 * @param lost how many of these were then dropped
 * @param congestionControl how TCP finds its rate there
 */
record NetworkFindings(
    double bitsPerSecond,
    double roundTripNanos,
    long packets,
    long lost,
    String congestionControl) {
  private static final double PERCENT = 100;
  private static final double MEGA = 1e6;

  double lossPercent() {
    return packets == 0 ? 0 : PERCENT * lost / packets;
  }

  /** All of it in a line. */
  String words() {
    return String.format(
        Locale.ROOT,
        "%.0f Mbit/s of payload, round trip %s%s, TCP %s",
        bitsPerSecond / MEGA,
        Units.time((long) roundTripNanos),
        packets == 0
            ? ""
            : String.format(
                Locale.ROOT, ", %d of %d packets lost (%.2f %%)", lost, packets, lossPercent()),
        congestionControl);
  }

  /** All of it for JSON. */
  Map<String, @Nullable Object> members() {
    Map<String, @Nullable Object> members =
        Json.object(
            "bitsPerSecond",
            bitsPerSecond,
            "roundTripNanos",
            roundTripNanos,
            "congestionControl",
            congestionControl);
    if (packets > 0) {
      members.put("packets", packets);
      members.put("packetsLost", lost);
    }
    return members;
  }
}
