package io.arraywire.message;

import io.arraywire.Encoding;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.util.Objects;

/**
 * How {@link ArrayMessage} writes a message. A reader needs no options: the bytes say how they were
 * written.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class MessageOptions {
  private static final MessageOptions DEFAULTS =
      new MessageOptions(Encoding.RAW_LITTLE_ENDIAN, MessageCodecs.LITTLE_ENDIAN, true);

  private final Encoding encoding;
  private final MessageCodecs codecs;
  private final boolean checksum;

  private MessageOptions(Encoding encoding, MessageCodecs codecs, boolean checksum) {
    this.encoding = encoding;
    this.codecs = codecs;
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
   * <p>It is for all parts without a {@linkplain Message#codec codec of their own}. Parts whose
   * element type the encoding does not have are then {@code raw-le}.
   *
   * <p>An encoding {@linkplain Encoding#isInBlocks in blocks} is for example {@code shuffle-zstd}
   * of {@code arraywire-compression}. The reader needs a codec of it, too. Encodings that lose bits
   * are used where they are named here or by a part, and nowhere else. A block that a codec fails
   * to encode is written raw.
   *
   * @param encoding {@link Encoding#RAW_LITTLE_ENDIAN}, which most hosts copy as it is, {@link
   *     Encoding#RAW_BIG_ENDIAN}, or one in blocks for which the service loader finds a codec
   * @return the options
   * @throws IllegalArgumentException if it is another encoding; the text names those there are
   * @throws java.util.ServiceConfigurationError if a provider of codecs cannot be loaded
   */
  public MessageOptions encoding(Encoding encoding) {
    Objects.requireNonNull(encoding, "encoding");
    boolean raw =
        encoding.equals(Encoding.RAW_LITTLE_ENDIAN) || encoding.equals(Encoding.RAW_BIG_ENDIAN);
    Codec codec = raw || !encoding.isInBlocks() ? null : BlockCodecs.of(encoding.code());
    if (codec != null && !codec.encoding().name().equals(encoding.name())) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "another encoding is present under this code; give one of the two another code",
              "code",
              encoding.code(),
              "encoding",
              encoding,
              "present",
              codec.encoding()));
    }
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
              BlockCodecs.present()));
    }
    // The codec's own: an encoding of one's own may be made twice, with other types.
    Codec all = codec == null ? StandardCodecs.raw(encoding.order()) : codec;
    return new MessageOptions(
        codec == null ? encoding : codec.encoding(), MessageCodecs.ofAll(all), checksum);
  }

  /**
   * The same with the encoding of a name, as a configuration has it.
   *
   * @param name for example {@code shuffle-zstd}
   * @return the options
   * @throws IllegalArgumentException if array messages have no encoding of that name here; the text
   *     names those there are
   * @throws java.util.ServiceConfigurationError if a provider of codecs cannot be loaded
   */
  public MessageOptions encodingNamed(String name) {
    Objects.requireNonNull(name, "name");
    for (Encoding each : BlockCodecs.present()) {
      if (each.name().equals(name)) {
        return encoding(each);
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "no encoding of array messages of that name is present; name one that is, or add the"
                + " module that has it, such as arraywire-compression",
            "encoding",
            name,
            "present",
            BlockCodecs.present()));
  }

  /**
   * The same with or without a CRC32C of attributes and payload. The header always has one of its
   * own.
   *
   * @param checksum false where whatever keeps the bytes has a checksum already
   * @return the options
   */
  public MessageOptions checksum(boolean checksum) {
    return new MessageOptions(encoding, codecs, checksum);
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

  /** The codec of parts that name none. */
  MessageCodecs codecs() {
    return codecs;
  }

  @Override
  public String toString() {
    return "encoding=" + encoding + ", checksum=" + checksum;
  }
}
