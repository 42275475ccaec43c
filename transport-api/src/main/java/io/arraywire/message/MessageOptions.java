package io.arraywire.message;

import io.arraywire.Encoding;
import io.arraywire.spi.MessageText;
import java.util.Objects;

/**
 * How {@link ArrayMessage} writes a message. A reader needs none of it: the bytes say it.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class MessageOptions {
  private static final MessageOptions DEFAULTS =
      new MessageOptions(Encoding.RAW_LITTLE_ENDIAN, true);

  private final Encoding encoding;
  private final boolean checksum;

  private MessageOptions(Encoding encoding, boolean checksum) {
    this.encoding = encoding;
    this.checksum = checksum;
  }

  /**
   * {@link Encoding#RAW_LITTLE_ENDIAN} and a checksum.
   *
   * @return the options
   */
  public static MessageOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with another encoding of all parts.
   *
   * @param encoding {@link Encoding#RAW_LITTLE_ENDIAN}, which most hosts copy as it is, or {@link
   *     Encoding#RAW_BIG_ENDIAN}
   * @return the options
   * @throws IllegalArgumentException if it is another encoding
   */
  public MessageOptions encoding(Encoding encoding) {
    Objects.requireNonNull(encoding, "encoding");
    if (!encoding.equals(Encoding.RAW_LITTLE_ENDIAN) && !encoding.equals(Encoding.RAW_BIG_ENDIAN)) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "outside of a connection arrays are raw elements; choose raw-le or raw-be",
              "encoding",
              encoding));
    }
    return new MessageOptions(encoding, checksum);
  }

  /**
   * The same with or without a CRC32C of attributes and payload. The header always has one of its
   * own.
   *
   * @param checksum false where whatever keeps the bytes has a checksum already
   * @return the options
   */
  public MessageOptions checksum(boolean checksum) {
    return new MessageOptions(encoding, checksum);
  }

  /**
   * The encoding of all parts.
   *
   * @return the encoding
   */
  public Encoding encoding() {
    return encoding;
  }

  /**
   * Whether attributes and payload have a checksum.
   *
   * @return true by default
   */
  public boolean checksum() {
    return checksum;
  }

  @Override
  public String toString() {
    return "encoding=" + encoding + ", checksum=" + checksum;
  }
}
