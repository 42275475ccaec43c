package io.arraywire.message;

import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How {@link ArrayMessage} writes a message. A reader needs none of it: the bytes say it.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class MessageOptions {
  private static final MessageOptions DEFAULTS =
      new MessageOptions(Encoding.RAW_LITTLE_ENDIAN, null, true);

  private final Encoding encoding;
  private final @Nullable Codec blocks;
  private final boolean checksum;

  private MessageOptions(Encoding encoding, @Nullable Codec blocks, boolean checksum) {
    this.encoding = encoding;
    this.blocks = blocks;
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
   * The same with another encoding.
   *
   * <p>In an encoding {@linkplain Encoding#isInBlocks in blocks}, such as {@code shuffle-zstd} of
   * {@code arraywire-compression}, are the elements of a message of one part without a name; the
   * parts of a message with a table stay raw, in the byte order of that encoding. The reader needs
   * a codec of it, too. Encodings that lose bits are used where they are named here, and nowhere
   * else.
   *
   * @param encoding {@link Encoding#RAW_LITTLE_ENDIAN}, which most hosts copy as it is, {@link
   *     Encoding#RAW_BIG_ENDIAN}, or one in blocks for which the service loader finds a codec
   * @return the options
   * @throws IllegalArgumentException if it is another encoding; the text names those there are
   */
  public MessageOptions encoding(Encoding encoding) {
    Objects.requireNonNull(encoding, "encoding");
    boolean raw =
        encoding.equals(Encoding.RAW_LITTLE_ENDIAN) || encoding.equals(Encoding.RAW_BIG_ENDIAN);
    Codec codec = raw ? null : BlockCodecs.of(encoding.code());
    if (!raw && codec == null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              encoding.isInBlocks()
                  ? "no codec of the encoding is present; add the module that has it, such as"
                      + " arraywire-compression"
                  : "outside of a connection arrays are raw elements or in blocks; choose one of"
                      + " those encodings",
              "encoding",
              encoding,
              "present",
              BlockCodecs.names()));
    }
    return new MessageOptions(encoding, codec, checksum);
  }

  /**
   * The same with or without a CRC32C of attributes and payload. The header always has one of its
   * own.
   *
   * @param checksum false where whatever keeps the bytes has a checksum already
   * @return the options
   */
  public MessageOptions checksum(boolean checksum) {
    return new MessageOptions(encoding, blocks, checksum);
  }

  /**
   * The encoding.
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

  /** The codec of an encoding in blocks, null if the elements are raw. */
  @Nullable Codec blocks() {
    return blocks;
  }

  @Override
  public String toString() {
    return "encoding=" + encoding + ", checksum=" + checksum;
  }
}
