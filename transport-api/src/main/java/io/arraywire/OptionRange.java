package io.arraywire;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MessageText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What values options may have. Each check throws IllegalArgumentException with the option's name,
 * the value and the limit.
 */
final class OptionRange {
  private OptionRange() {}

  static <T> void any(String name, T value) {}

  static <T extends Comparable<T>> BiConsumer<String, T> atLeast(T least) {
    return (name, value) -> checkLeast(name, value, least);
  }

  static BiConsumer<String, Long> zeroOrAtLeast(long least) {
    return (name, value) -> checkLeast(name, value, value == 0 ? 0L : least);
  }

  static BiConsumer<String, Integer> between(int least, int most) {
    return (name, value) -> checkBetween(name, value, least, most);
  }

  static BiConsumer<String, Integer> frameBytes() {
    return between(1 << 10, 64 << 20);
  }

  static void positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(
          name + " must be more than zero (" + name + "=" + value + ")");
    }
  }

  static void tokenLength(String name, byte[] token) {
    if (token.length < 1 || token.length > 256) {
      throw new IllegalArgumentException(
          String.format(
              "%1$s must have 1 to 256 bytes; null is no token (%1$s.length=%2$s, least=1,"
                  + " most=256)",
              name, token.length));
    }
  }

  static <T extends Comparable<T>> void checkLeast(String name, T value, T least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(MessageText.tooSmall(name, value, least));
    }
  }

  private static void checkBetween(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              "%1$s is out of range (%1$s=%2$s, least=%3$s, most=%4$s)", name, value, least, most));
    }
  }

  static void codecs(String name, List<Codec> codecs) {
    Set<String> names = new HashSet<>();
    for (Codec codec : codecs) {
      CodecTraits traits = codec.traits();
      if (codec.encoding().isInBlocks() && (traits.verbatim() || traits.elementwise())) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "a codec in blocks is neither verbatim nor elementwise; correct its traits",
                "codec",
                codec.name(),
                "verbatim",
                traits.verbatim(),
                "elementwise",
                traits.elementwise()));
      }
      if (!names.add(codec.name())) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "two codecs have the same name; list each once", "codec", codec.name()));
      }
    }
  }
}
