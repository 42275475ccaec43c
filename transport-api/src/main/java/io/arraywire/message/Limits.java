package io.arraywire.message;

/**
 * What a reader of {@linkplain ArrayMessage array messages} accepts. Lengths inside a message are
 * compared with it before memory is taken.
 *
 * <p>Beside the arrays a decoded message has names, shapes and attributes, which its own format
 * limits. There are at most 65,528 bytes of them, in at most {@link Message#MAX_PARTS} parts.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class Limits {
  private final long bytes;
  private final int parts;

  private Limits(long bytes, int parts) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "a limit of bytes must be 0 or more (bytes=" + bytes + ")");
    }
    if (parts < 1 || parts > Message.MAX_PARTS) {
      throw new IllegalArgumentException(
          "a limit of parts must be 1 to " + Message.MAX_PARTS + " (parts=" + parts + ")");
    }
    this.bytes = bytes;
    this.parts = parts;
  }

  /**
   * A limit of the bytes that all arrays of a message take together. It may have as many parts as
   * any message.
   *
   * @param bytes the most bytes of all elements as they are in memory. That a block is smaller
   *     makes no difference. In a message of several parts the up to 7 zeros behind each part
   *     count, too
   * @return the limits
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public static Limits ofBytes(long bytes) {
    return new Limits(bytes, Message.MAX_PARTS);
  }

  /**
   * The same limit of bytes, and a limit of parts.
   *
   * @param most the most parts, 1 to {@link Message#MAX_PARTS}
   * @return the limits
   * @throws IllegalArgumentException if {@code most} is not in that range
   */
  public Limits parts(int most) {
    return new Limits(bytes, most);
  }

  /**
   * The most bytes of the elements.
   *
   * @return bytes
   */
  public long bytes() {
    return bytes;
  }

  /**
   * The most parts.
   *
   * @return parts
   */
  public int parts() {
    return parts;
  }

  @Override
  public String toString() {
    return "bytes=" + bytes + ", parts=" + parts;
  }
}
