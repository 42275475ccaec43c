package io.arraywire.codec;

/**
 * Where a connection compresses by itself what it sends, block by block, if that arrives sooner. It
 * does so with lossless compressions of the module {@code arraywire-compression} that both sides
 * have. What its sender names a codec for, an array or a part of a message, it leaves alone.
 */
public enum AdaptiveCompression {
  /**
   * Where bytes leave the host and are not encrypted. On one host the kernel copies from memory to
   * memory, faster than anything compresses. Of what is encrypted, the length of a compressed block
   * would tell an eavesdropper something of its elements.
   */
  ACROSS_HOSTS,
  /**
   * Everywhere: also to this host, where a tunnel or a proxy to a slow link stands, and over TLS.
   */
  WANTED,
  /** Nowhere. */
  UNWANTED
}
