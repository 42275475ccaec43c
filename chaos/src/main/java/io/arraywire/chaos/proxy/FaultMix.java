package io.arraywire.chaos.proxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Which faults come at random, how often, and how hard. Immutable.
 *
 * @param kinds the kinds, each as likely as the others; one named twice is twice as likely
 * @param everyBytes how many bytes there are between two faults of a direction on average
 * @param longest the longest stall, delay, partition or refusal; half of it is the average
 * @param slowest the lowest rate of a throttle in bytes per second; the highest is ten times that
 */
public record FaultMix(List<FaultKind> kinds, long everyBytes, Duration longest, long slowest) {
  private static final int MOST_FAULTS = 64;
  private static final int MOST_SPLIT_BYTES = 32;
  private static final long DEFAULT_BYTES = 1 << 20;
  private static final Duration DEFAULT_LONGEST = Duration.ofMillis(200);
  private static final long DEFAULT_SLOWEST = 1 << 20;
  // Primes, so that near seeds and numbers give unlike sequences.
  private static final long CONNECTION_FACTOR = 1_000_003;
  private static final long DIRECTION_FACTOR = 7_368_787;

  /** Checks its parts. */
  public FaultMix {
    kinds = List.copyOf(kinds);
    Objects.requireNonNull(longest, "longest");
    if (kinds.isEmpty() || everyBytes < 1 || longest.toNanos() < 1 || slowest < 1) {
      throw new IllegalArgumentException(
          "a mix needs at least one kind, and distances, times and rates above zero (kinds="
              + kinds
              + ", everyBytes="
              + everyBytes
              + ", longest="
              + longest
              + ", slowest="
              + slowest
              + ")");
    }
  }

  /**
   * Some kinds, a MiB apart on average, pauses up to 200 ms, rates from 1 MiB/s.
   *
   * @param kinds the kinds
   * @return the mix
   */
  public static FaultMix of(FaultKind... kinds) {
    return new FaultMix(List.of(kinds), DEFAULT_BYTES, DEFAULT_LONGEST, DEFAULT_SLOWEST);
  }

  /**
   * The same with another distance between faults.
   *
   * @param bytes the average number of bytes
   * @return a new mix
   */
  public FaultMix everyBytes(long bytes) {
    return new FaultMix(kinds, bytes, longest, slowest);
  }

  /**
   * The same with other pauses.
   *
   * @param time the longest
   * @return a new mix
   */
  public FaultMix longest(Duration time) {
    return new FaultMix(kinds, everyBytes, time, slowest);
  }

  /**
   * The same with other rates.
   *
   * @param bytesPerSecond the lowest
   * @return a new mix
   */
  public FaultMix slowest(long bytesPerSecond) {
    return new FaultMix(kinds, everyBytes, longest, bytesPerSecond);
  }

  List<Fault> draw(long seed, int connection) {
    List<Fault> faults = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      Random random =
          new Random(
              seed
                  + connection * CONNECTION_FACTOR
                  + (direction == Direction.TO_CLIENT ? DIRECTION_FACTOR : 0));
      long at = 0;
      for (int i = 0; i < MOST_FAULTS; i++) {
        // Distances of a Poisson process, so that two faults can also come close together.
        at += (long) (-Math.log(1 - random.nextDouble()) * everyBytes);
        FaultKind kind = kinds.get(random.nextInt(kinds.size()));
        faults.add(new Fault(kind, direction, at, amount(kind, random)));
        if (kind == FaultKind.CUT || kind == FaultKind.RESET) {
          break;
        }
      }
    }
    return faults;
  }

  private long amount(FaultKind kind, Random random) {
    return switch (kind) {
      case CUT, RESET -> 0;
      case FLIP -> random.nextInt(Byte.SIZE);
      case SPLIT -> 1 + random.nextInt(MOST_SPLIT_BYTES);
      case THROTTLE -> slowest + (long) (random.nextDouble() * 9 * slowest);
      case STALL, DELAY, PARTITION, REFUSE ->
          1 + (long) (random.nextDouble() * (longest.toNanos() - 1));
    };
  }
}
