package io.arraywire.compression;

/** One compression of bytes. Used by one thread at a time; closed when nobody uses it any more. */
interface BlockCompressor extends AutoCloseable {
  /** The most that so many bytes become. */
  int mostCompressed(int bytes);

  /** Compresses bytes; there is room for the most that they become. Returns how many it wrote. */
  int compress(byte[] from, int at, int bytes, byte[] to, int toAt);

  /**
   * Decompresses bytes that somebody sent; writes no more than there is room for, and nowhere else.
   *
   * @return how many it wrote; negative if the bytes are malformed or become more
   */
  int decompress(byte[] from, int at, int bytes, byte[] to, int toAt, int room);

  @Override
  void close();
}
