package io.arraywire.spi;

import io.arraywire.Receipt;
import java.util.Objects;

/**
 * What kind of memory a codec needs from the transport, and how often it copies a byte. Immutable.
 *
 * @param staging the memory that it encodes to and decodes from; a transport that has no direct
 *     memory gives heap memory all the same
 * @param elementwise whether each element is to be moved by a channel operation of its own, as an
 *     unbuffered {@code DataOutputStream} on a socket does. For comparison only: some thousand
 *     times slower
 * @param copiesToEncode how often {@link Codec#encode} copies a byte between the array and the
 *     staging memory, or {@link Receipt#UNKNOWN}
 * @param copiesToDecode the same for {@link Codec#decode}
 * @param verbatim whether the encoded elements are byte for byte what lies in the array's memory on
 *     this host. A transport that can move arrays without staging then does so, past the codec
 */
public record CodecTraits(
    MemoryKind staging,
    boolean elementwise,
    int copiesToEncode,
    int copiesToDecode,
    boolean verbatim) {
  /** Bulk through direct memory, one copy each way. */
  public static final CodecTraits DIRECT = new CodecTraits(MemoryKind.DIRECT, false, 1, 1);

  /** The same, or past the codec without a copy where the transport can. */
  public static final CodecTraits VERBATIM = new CodecTraits(MemoryKind.DIRECT, false, 1, 1, true);

  /** Bulk through a bounded {@code byte[]}, one copy each way. */
  public static final CodecTraits HEAP = new CodecTraits(MemoryKind.HEAP, false, 1, 1);

  /**
   * Traits of a codec that all elements go through: not {@code verbatim}.
   *
   * @param staging as the record's
   * @param elementwise as the record's
   * @param copiesToEncode as the record's
   * @param copiesToDecode as the record's
   */
  public CodecTraits(
      MemoryKind staging, boolean elementwise, int copiesToEncode, int copiesToDecode) {
    this(staging, elementwise, copiesToEncode, copiesToDecode, false);
  }

  /** Checks its parts. */
  public CodecTraits {
    Objects.requireNonNull(staging, "staging");
    if (verbatim && elementwise) {
      throw new IllegalArgumentException("traits are either verbatim or elementwise, not both");
    }
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
