package io.arraywire;

import io.arraywire.codec.CompressionReason;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a transfer cost: an honest count, so that tests can fail on a needless copy.
 *
 * <p>Counts cover this end only. A counter that cannot be known is {@link #UNKNOWN}. Immutable.
 *
 * @param elements elements moved
 * @param wireBytes bytes of the array on the connection: frame headers, attributes and payload
 * @param copiedBytes bytes copied in user space between the caller's array and the kernel, each
 *     copy of a byte counted once. The copy that the JDK makes for a heap buffer is included;
 *     {@link #UNKNOWN} where a codec cannot tell
 * @param channelOperations reads or writes on the channel that moved bytes of this array, each one
 *     system call; one that moved several arrays counts for each
 * @param pooledBytes bytes taken from the memory pool for this array alone: what a lease holds. It
 *     is 0 where the array only passed through staging memory that the connection shares
 * @param encoding the name of the encoding that the array travelled in, for example {@code
 *     shuffle-zstd}; null if not known. Single blocks may have been raw all the same. For a message
 *     of several parts it is {@code raw-le}, whatever each of them was in
 * @param compression why the sender compressed the array or not; null at the receiver, and where
 *     the connection does not choose and the send named no codec
 */
public record Receipt(
    long elements,
    long wireBytes,
    long copiedBytes,
    long channelOperations,
    long pooledBytes,
    @Nullable String encoding,
    @Nullable CompressionReason compression) {
  /** The value of a counter that cannot be known. */
  public static final long UNKNOWN = -1;

  /**
   * A receipt that does not tell the encoding.
   *
   * @param elements elements moved
   * @param wireBytes bytes on the connection
   * @param copiedBytes bytes copied in user space, or {@link #UNKNOWN}
   * @param channelOperations operations that moved bytes of the array, or {@link #UNKNOWN}
   * @param pooledBytes bytes taken from the memory pool for it
   */
  public Receipt(
      long elements, long wireBytes, long copiedBytes, long channelOperations, long pooledBytes) {
    this(elements, wireBytes, copiedBytes, channelOperations, pooledBytes, null);
  }

  /**
   * A receipt that does not tell why.
   *
   * @param elements elements moved
   * @param wireBytes bytes on the connection
   * @param copiedBytes bytes copied in user space, or {@link #UNKNOWN}
   * @param channelOperations operations that moved bytes of the array, or {@link #UNKNOWN}
   * @param pooledBytes bytes taken from the memory pool for it
   * @param encoding the name of the encoding; null where that is not told
   */
  public Receipt(
      long elements,
      long wireBytes,
      long copiedBytes,
      long channelOperations,
      long pooledBytes,
      @Nullable String encoding) {
    this(elements, wireBytes, copiedBytes, channelOperations, pooledBytes, encoding, null);
  }

  /**
   * Copies of each payload byte made in user space.
   *
   * @param payloadBytes the encoded size of the array
   * @return copies per byte, or NaN when unknown or when there were no bytes
   */
  public double copiesPerByte(long payloadBytes) {
    return copiedBytes == UNKNOWN || payloadBytes == 0
        ? Double.NaN
        : (double) copiedBytes / payloadBytes;
  }

  @Override
  public String toString() {
    return "elements="
        + elements
        + ", wireBytes="
        + wireBytes
        + ", copiedBytes="
        + words(copiedBytes)
        + ", channelOperations="
        + words(channelOperations)
        + ", pooledBytes="
        + words(pooledBytes)
        + (encoding == null ? "" : ", encoding=" + encoding)
        + (compression == null ? "" : ", compression=" + compression);
  }

  private static String words(long counter) {
    return counter == UNKNOWN ? "unknown" : Long.toString(counter);
  }
}
