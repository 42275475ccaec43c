package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Measures a network with plain sockets between a pair of its hosts. */
final class Probe {
  private static final long HEAP_BYTES = 64L << 20;
  private static final long MILLIS = 1_500;
  private static final double BITS = 8;
  private static final double SECOND = 1e9;

  /** The packets and the rest of a line of {@code iptables -v}. */
  private static final Pattern RULE = Pattern.compile("(?m)^\\s*(\\d+)\\s+\\d+\\s(.*)$");

  /** Starts a pair. */
  @FunctionalInterface
  interface Pairs {
    HostPair start(
        String name,
        Class<?> receiverMain,
        Class<?> senderMain,
        long heapBytes,
        List<String> jvmOptions,
        @Nullable PrintStream log,
        JvmHosts.Meeting meeting)
        throws IOException;
  }

  private Probe() {}

  /**
   * Measures.
   *
   * @param pairs starts a pair of hosts, which end afterwards
   * @param profile says what is to be counted
   * @throws IOException if the hosts cannot be started or do not reach each other
   */
  static NetworkFindings measure(Pairs pairs, NetworkProfile profile) throws IOException {
    HostPair pair =
        pairs.start(
            "probe",
            ProbeProcess.class,
            ProbeProcess.class,
            HEAP_BYTES,
            List.of(),
            null,
            (receiver, sender, way) ->
                sender.ask("connect", way.through(receiver.ask("listen")[0])));
    ChildJvm sender = pair.sender().jvm();
    try {
      double roundTripNanos = Double.parseDouble(sender.ask("roundTrip")[0]);
      String[] rate = sender.ask("send", MILLIS);
      double bitsPerSecond = Long.parseLong(rate[0]) * BITS * SECOND / Long.parseLong(rate[1]);
      String congestionControl = sender.ask("congestionControl")[0];
      long[] counts = profile.loses() ? counts(pair.receiver()) : new long[2];
      return new NetworkFindings(
          bitsPerSecond, roundTripNanos, counts[0], counts[1], congestionControl);
    } finally {
      sender.close();
      pair.receiver().jvm().close();
    }
  }

  /** How many packets came to a host, and how many of these were dropped. */
  private static long[] counts(NetworkHost host) throws IOException {
    return counts(
        HostCommand.run(host.inside(), List.of("iptables", "-w", "-n", "-v", "-x", "-L", "INPUT")));
  }

  /** The packets of the first rule that {@code iptables} lists, and of the one that drops. */
  static long[] counts(String listed) throws IOException {
    long came = -1;
    long dropped = -1;
    Matcher rules = RULE.matcher(listed);
    while (rules.find()) {
      long packets = Long.parseLong(rules.group(1));
      if (rules.group(2).contains("DROP")) {
        dropped = packets;
      } else if (came < 0) {
        came = packets;
      }
    }
    if (came < 0 || dropped < 0) {
      throw new IOException(
          "iptables does not count (listed=" + listed.strip().replaceAll("\\s+", " ") + ")");
    }
    return new long[] {came, dropped};
  }
}
