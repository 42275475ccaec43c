package io.arraywire.chaos.delivery;

import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link DeliverySender} sends. Immutable.
 *
 * @param sender its number, used by no other sender of the run, nor by it after a restart
 * @param seed of sizes, types, channels and elements
 * @param arrays how many to send at most
 * @param time how long to send at most
 * @param channels how many channels to use, as far as the peer has as many
 * @param maxBytes the largest array; small ones are as frequent as large ones
 * @param inFlight how many sends may wait for their outcome
 * @param patience how long to try to connect, and to wait for outcomes, before giving up
 */
public record DeliveryLoad(
    int sender,
    long seed,
    long arrays,
    Duration time,
    int channels,
    int maxBytes,
    int inFlight,
    Duration patience) {
  private static final Duration DAY = Duration.ofDays(1);
  private static final int DEFAULT_CHANNELS = 4;
  private static final int DEFAULT_MAX_BYTES = 1 << 18;
  private static final int DEFAULT_IN_FLIGHT = 64;
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

  /** Checks its parts. */
  public DeliveryLoad {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(patience, "patience");
    if (arrays < 1 || channels < 1 || maxBytes < 1 || inFlight < 1) {
      throw new IllegalArgumentException(
          "each of these must be 1 or more (arrays="
              + arrays
              + ", channels="
              + channels
              + ", maxBytes="
              + maxBytes
              + ", inFlight="
              + inFlight
              + ")");
    }
  }

  /**
   * Arrays of up to 256 KiB on four channels, 64 in flight, for a day.
   *
   * @param sender the sender's number
   * @param seed any number
   * @return the load
   */
  public static DeliveryLoad of(int sender, long seed) {
    return new DeliveryLoad(
        sender,
        seed,
        Long.MAX_VALUE,
        DAY,
        DEFAULT_CHANNELS,
        DEFAULT_MAX_BYTES,
        DEFAULT_IN_FLIGHT,
        DEFAULT_PATIENCE);
  }

  /**
   * The same with another number of arrays.
   *
   * @param most how many
   * @return a new load
   */
  public DeliveryLoad arrays(long most) {
    return new DeliveryLoad(sender, seed, most, time, channels, maxBytes, inFlight, patience);
  }
}
