package io.arraywire.kafka;

import java.time.Duration;
import java.util.Objects;

/** What an {@link ArrayAssembler} accepts. Immutable and safe for use by any thread. */
public final class AssemblyOptions {
  private static final AssemblyOptions DEFAULTS =
      new AssemblyOptions(
          ArrayRecordConfig.DEFAULT_MAX_BYTES,
          4 * ArrayRecordConfig.DEFAULT_MAX_BYTES,
          Duration.ofMinutes(10));

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final long arrayBytes;
  private final long pendingBytes;
  private final Duration deadline;

  private AssemblyOptions(long arrayBytes, long pendingBytes, Duration deadline) {
    this.arrayBytes = arrayBytes;
    this.pendingBytes = pendingBytes;
    this.deadline = deadline;
  }

  /**
   * Arrays of up to 64 MiB, 256 MiB of unfinished ones, and 10 minutes to the next piece.
   *
   * @return the options
   */
  public static AssemblyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with another limit of arrays.
   *
   * @param most the most bytes that the elements of one array may take, 0 or more
   * @return the options; {@link #pendingBytes()} is raised to it if it was less
   * @throws IllegalArgumentException if it is negative
   */
  public AssemblyOptions arrayBytes(long most) {
    checkNotNegative("arrayBytes", most);
    return new AssemblyOptions(most, Math.max(most, pendingBytes), deadline);
  }

  /**
   * The same with another limit of what is unfinished.
   *
   * @param most the most bytes that all arrays take of which some pieces have come, {@link
   *     #arrayBytes()} or more. What is kept beside the elements counts: keys, headers, attributes
   *     and 1 KiB for each array. A single unfinished array of up to {@code arrayBytes} always has
   *     room
   * @return the options
   * @throws IllegalArgumentException if it is less
   */
  public AssemblyOptions pendingBytes(long most) {
    if (most < arrayBytes) {
      throw new IllegalArgumentException(
          "unfinished arrays need room for one (pendingBytes="
              + most
              + ", arrayBytes="
              + arrayBytes
              + ")");
    }
    return new AssemblyOptions(arrayBytes, most, deadline);
  }

  /**
   * The same with another deadline.
   *
   * @param most how long the next piece of an array may take to come. Longer than the longest pause
   *     between two polls: a piece that waits at the broker has not come. By default that is above
   *     {@code max.poll.interval.ms}
   * @return the options
   * @throws IllegalArgumentException if it is not positive
   */
  public AssemblyOptions deadline(Duration most) {
    Objects.requireNonNull(most, "deadline");
    if (most.isZero() || most.isNegative()) {
      throw new IllegalArgumentException("a deadline is positive (deadline=" + most + ")");
    }
    return new AssemblyOptions(arrayBytes, pendingBytes, most);
  }

  /**
   * The most bytes that the elements of one array may take.
   *
   * @return bytes
   */
  public long arrayBytes() {
    return arrayBytes;
  }

  /**
   * The most bytes that all unfinished arrays take, with what is kept beside their elements.
   *
   * @return bytes
   */
  public long pendingBytes() {
    return pendingBytes;
  }

  /**
   * How long the next piece of an array may take to come.
   *
   * @return the time
   */
  public Duration deadline() {
    return deadline;
  }

  /**
   * The deadline; some centuries are as good as for ever, and no difference of two moments is more.
   */
  long deadlineNanos() {
    return deadline.compareTo(FOREVER) > 0 ? FOREVER.toNanos() : deadline.toNanos();
  }

  private static void checkNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("a limit is 0 or more (" + name + "=" + value + ")");
    }
  }

  @Override
  public String toString() {
    return "arrayBytes=" + arrayBytes + ", pendingBytes=" + pendingBytes + ", deadline=" + deadline;
  }
}
