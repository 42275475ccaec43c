package io.arraywire.kafka;

import io.arraywire.Encoding;
import io.arraywire.message.Limits;
import io.arraywire.message.MessageOptions;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The names of what serializers and deserializers take from the properties of a producer, a
 * consumer or a Streams application. All have defaults.
 *
 * <pre>{@code
 * properties.put("value.serializer", FloatArraySerializer.class.getName());
 * properties.put(ArrayRecordConfig.ENCODING, "raw-be");
 * }</pre>
 */
public final class ArrayRecordConfig {
  /**
   * For serializers: the name of the encoding of the elements: {@code raw-le}, {@code raw-be}, or
   * one {@linkplain Encoding#isInBlocks in blocks} whose codec the service loader finds, such as
   * {@code shuffle-zstd} and {@code shuffle-lz4} with {@code arraywire-compression} on the class
   * path. {@code bf16} and {@code fp16} lose bits, and are used only where they are named here.
   * Readers find the encoding in each record, and need its codec. Default: {@code raw-le}.
   */
  public static final String ENCODING = "arraywire.encoding";

  /**
   * For serializers: whether attributes and elements have a CRC32C of their own. Kafka has one for
   * each batch of records, from the producer to the consumer. Default: {@code false}.
   */
  public static final String CHECKSUM = "arraywire.checksum";

  /**
   * For deserializers: the most bytes that the elements of one record may take. Default: {@link
   * #DEFAULT_MAX_BYTES}.
   */
  public static final String MAX_BYTES = "arraywire.max.bytes";

  /** 64 MiB. */
  public static final long DEFAULT_MAX_BYTES = 64L << 20;

  private ArrayRecordConfig() {}

  /** What a serializer writes before it is configured. */
  static MessageOptions defaultOptions() {
    return MessageOptions.defaults().checksum(false);
  }

  static MessageOptions options(Map<String, ?> config) {
    MessageOptions options = defaultOptions();
    Object encoding = config.get(ENCODING);
    if (encoding != null) {
      try {
        options = options.encodingNamed(encoding.toString());
      } catch (IllegalArgumentException e) {
        throw refused(ENCODING, encoding, e.getMessage());
      }
    }
    Object checksum = config.get(CHECKSUM);
    if (checksum != null) {
      options =
          options.checksum(
              switch (checksum.toString()) {
                case "true" -> true;
                case "false" -> false;
                default -> throw refused(CHECKSUM, checksum, "say true or false");
              });
    }
    return options;
  }

  static Limits limits(Map<String, ?> config) {
    Object bytes = config.get(MAX_BYTES);
    if (bytes == null) {
      return Limits.ofBytes(DEFAULT_MAX_BYTES);
    }
    try {
      return Limits.ofBytes(Long.parseLong(bytes.toString()));
    } catch (IllegalArgumentException e) {
      throw refused(MAX_BYTES, bytes, "say a number of bytes, 0 or more");
    }
  }

  private static ConfigException refused(String name, Object value, @Nullable String why) {
    return new ConfigException(name, value, why);
  }
}
