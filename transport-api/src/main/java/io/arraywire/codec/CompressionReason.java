package io.arraywire.codec;

/**
 * Why an array was compressed or not, as its {@linkplain io.arraywire.Receipt#compression()
 * receipt} tells. A connection that {@linkplain AdaptiveCompression chooses by itself} decides
 * block by block. The reason is {@link #PAYS} if it chose so for at least one, else that of the
 * last. Of a message it is about the parts that no codec is named for.
 */
public enum CompressionReason {
  /** The send, or each part in blocks, named its codec, which may be a compression or not. */
  NAMED,
  /** Compressed elements arrive sooner. Single blocks that do not get smaller travel raw. */
  PAYS,
  /** No codec makes the elements small enough, fast enough, to arrive sooner. */
  GAINS_TOO_LITTLE,
  /** The link had not held up the sender yet, so that nothing was known of its rate. */
  LINK_UNKNOWN,
  /** The link no longer holds up the sender: the program, or the peer's credit, is slower. */
  LINK_NOT_FULL,
  /** The link is faster than any codec. */
  LINK_FAST,
  /** The array is smaller than 64 KiB. */
  ARRAY_SMALL,
  /** Compressed elements arrived later than raw ones a while ago; the peer may be busy. */
  ARRIVED_LATER,
  /** Raw blocks measure the link anew for a moment. */
  MEASURING
}
