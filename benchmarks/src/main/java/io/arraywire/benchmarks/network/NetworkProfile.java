package io.arraywire.benchmarks.network;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a network between two hosts is like. */
public enum NetworkProfile {
  /** As fast as the machine. */
  UNSHAPED("unshaped", 0, 0, Duration.ZERO),
  /** 10 Gbit/s each way. */
  TEN_GBIT("10gbit", 10_000_000_000L, 0, Duration.ZERO),
  /** 1 Gbit/s each way. */
  GBIT("1gbit", 1_000_000_000, 0, Duration.ZERO),
  /** 100 Mbit/s each way. */
  HUNDRED_MBIT("100mbit", 100_000_000, 0, Duration.ZERO),
  /** Of 100 packets one does not arrive, each way. */
  LOSS("loss1", 0, 1, Duration.ZERO),
  /** Everything comes 5 ms later, each way. */
  DELAY("delay", 0, 0, Duration.ofMillis(5));

  /** TCP's headers and what a bucket has saved up; a rate above that was not shaped. */
  private static final double RATE_TOLERANCE = 1.1;

  /** Part of a rate; what stays below has another limit. */
  private static final double REACHED = 0.75;

  /** Chance has its part in the loss of some thousand packets, but not a half. */
  private static final double LOSS_TOLERANCE = 0.5;

  /** Fewer say nothing of a loss. */
  private static final long LEAST_PACKETS = 5_000;

  private static final double PERCENT = 100;

  private final String word;
  private final long bitsPerSecond;
  private final int lossPercent;
  private final Duration delay;

  NetworkProfile(String word, long bitsPerSecond, int lossPercent, Duration delay) {
    this.word = word;
    this.bitsPerSecond = bitsPerSecond;
    this.lossPercent = lossPercent;
    this.delay = delay;
  }

  /**
   * A profile by its name on the command line.
   *
   * @param word such as {@code 1gbit}
   * @return the profile
   * @throws IllegalArgumentException if there is none of that name
   */
  public static NetworkProfile named(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word.equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no such profile of a network; there are "
                    + Arrays.stream(values())
                        .map(NetworkProfile::word)
                        .collect(Collectors.joining(", "))
                    + " (network="
                    + word
                    + ")"));
  }

  /**
   * Its name on the command line.
   *
   * @return such as {@code 1gbit}
   */
  public String word() {
    return word;
  }

  /**
   * Whether arrays of 64 MiB pass in a moment.
   *
   * @return false where they take long, or may
   */
  public boolean fast() {
    return this == UNSHAPED || this == TEN_GBIT;
  }

  /** How much later everything comes, each way. */
  Duration delay() {
    return delay;
  }

  /**
   * What makes a host's network interface like that: commands that run as root in the host's
   * network namespace. Both hosts get them, so each direction is shaped where it leaves, or loses
   * where it arrives.
   *
   * @param device the interface
   */
  List<List<String>> commands(String device) {
    if (bitsPerSecond > 0) {
      // A bucket of 64 KiB, one packet as the kernel's own offload makes them, stalls.
      return List.of(
          words("tc qdisc add dev %s root tbf rate %s burst 256kb latency 100ms", device));
    }
    if (lossPercent > 0) {
      return List.of(
          // Without this a packet is up to 64 KiB large, and so is what is lost.
          words("ip link set dev %s gso_max_segs 1", device),
          // Counts those that came.
          words("iptables -w -A INPUT -i %s", device),
          words(
              "iptables -w -A INPUT -i %s -m statistic --mode random --probability "
                  + lossPercent / PERCENT
                  + " -j DROP",
              device));
    }
    if (!delay.isZero()) {
      return List.of(
          words(
              "tc qdisc add dev %s root netem delay " + delay.toMillis() + "ms limit 1000000",
              device));
    }
    return List.of();
  }

  private List<String> words(String command, String device) {
    return List.of(String.format(Locale.ROOT, command, device, word).split(" ", -1));
  }

  /** Whether packets are lost, and counted by {@code iptables}. */
  boolean loses() {
    return lossPercent > 0;
  }

  /** What is to be known of a network that is this one; empty if nothing is. */
  String remark(NetworkFindings found) {
    return found.bitsPerSecond() < REACHED * bitsPerSecond
        ? "; this machine does not reach the rate"
        : "";
  }

  /** Why a network on which this was found is not this one, or null if it is. */
  @Nullable String complaint(NetworkFindings found) {
    if (bitsPerSecond > 0 && found.bitsPerSecond() > RATE_TOLERANCE * bitsPerSecond) {
      return "it is faster";
    }
    if (found.roundTripNanos() < 2 * delay.toNanos()) {
      return "its round trips are shorter than two delays";
    }
    if (loses()
        && found.packets() >= LEAST_PACKETS
        && Math.abs(found.lossPercent() - lossPercent) > LOSS_TOLERANCE * lossPercent) {
      return "it loses another part of the packets";
    }
    return null;
  }
}
