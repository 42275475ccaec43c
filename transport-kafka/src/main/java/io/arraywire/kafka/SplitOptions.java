package io.arraywire.kafka;

import io.arraywire.message.MessageOptions;
import java.util.Objects;

/** How an {@link ArrayProducer} writes. Immutable and safe for use by any thread. */
public final class SplitOptions {
  /** The least that a record holds. */
  public static final int LEAST_PIECE_BYTES = 16;

  private static final SplitOptions DEFAULTS =
      new SplitOptions(1_000_000, ArrayRecordConfig.defaultOptions());

  private final int pieceBytes;
  private final MessageOptions messages;

  private SplitOptions(int pieceBytes, MessageOptions messages) {
    this.pieceBytes = pieceBytes;
    this.messages = messages;
  }

  /**
   * Up to 1,000,000 bytes of elements in a record, {@code raw-le}, without a checksum beside that
   * of Kafka. With its key and headers such a record fits the defaults of producers ({@code
   * max.request.size}, 1 MiB) and topics ({@code max.message.bytes}).
   *
   * @return the options
   */
  public static SplitOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with another size of records.
   *
   * @param bytes the most bytes of elements in a record, {@link #LEAST_PIECE_BYTES} or more; an
   *     array of more becomes several records
   * @return the options
   * @throws IllegalArgumentException if there are fewer
   */
  public SplitOptions pieceBytes(int bytes) {
    if (bytes < LEAST_PIECE_BYTES) {
      throw new IllegalArgumentException(
          "a record holds " + LEAST_PIECE_BYTES + " bytes or more (pieceBytes=" + bytes + ")");
    }
    return new SplitOptions(bytes, messages);
  }

  /**
   * The same with other options of messages.
   *
   * @param options encoding and checksum
   * @return the options
   */
  public SplitOptions messages(MessageOptions options) {
    return new SplitOptions(pieceBytes, Objects.requireNonNull(options, "options"));
  }

  /**
   * The most bytes of elements in a record.
   *
   * @return bytes
   */
  public int pieceBytes() {
    return pieceBytes;
  }

  /**
   * Encoding and checksum.
   *
   * @return the options
   */
  public MessageOptions messages() {
    return messages;
  }

  @Override
  public String toString() {
    return "pieceBytes=" + pieceBytes + ", " + messages;
  }
}
