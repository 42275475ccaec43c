package io.arraywire.spi;

import io.arraywire.Receipt;
import java.util.Objects;

/**
 * What a codec's strategy wants of the transport beneath, and how often it copies a byte.
 *
 * @param staging the memory that it encodes to and decodes from; a transport that has no direct
 *     memory gives heap memory all the same
 * @param elementwise whether each element is to be moved by a channel operation of its own, as an
 *     unbuffered {@code DataOutputStream} on a socket does. For comparison only: some thousand
 *     times slower
 * @param copiesToEncode how often {@link Codec#encode} copies a byte between the array and the
 *     staging memory, or {@link Receipt#UNKNOWN}
 * @param copiesToDecode the same for {@link Codec#decode}
 */
public record CodecTraits(
    MemoryKind staging, boolean elementwise, int copiesToEncode, int copiesToDecode) {
  /** Bulk through direct memory, one copy each way. */
  public static final CodecTraits DIRECT = new CodecTraits(MemoryKind.DIRECT, false, 1, 1);

  /** Bulk through a bounded {@code byte[]}, one copy each way. */
  public static final CodecTraits HEAP = new CodecTraits(MemoryKind.HEAP, false, 1, 1);

  /** Checks its parts. */
  public CodecTraits {
    Objects.requireNonNull(staging, "staging");
    if (copiesToEncode < Receipt.UNKNOWN || copiesToDecode < Receipt.UNKNOWN) {
      throw new IllegalArgumentException(
          "negative number of copies (copiesToEncode="
              + copiesToEncode
              + ", copiesToDecode="
              + copiesToDecode
              + ")");
    }
  }
}
