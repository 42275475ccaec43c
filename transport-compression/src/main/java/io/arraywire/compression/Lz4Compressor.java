package io.arraywire.compression;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** A block of LZ4, without a frame, for each sequence of bytes. */
final class Lz4Compressor implements BlockCompressor {
  private static final LZ4Factory FACTORY = factory();

  private final LZ4Compressor compressing = FACTORY.fastCompressor();
  private final LZ4SafeDecompressor decompressing = FACTORY.safeDecompressor();

  Lz4Compressor() {}

  /** Native code, or Java without {@code Unsafe} where there is none for the platform. */
  private static LZ4Factory factory() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (LinkageError | RuntimeException e) {
      return LZ4Factory.safeInstance();
    }
  }

  @Override
  public int mostCompressed(int bytes) {
    return compressing.maxCompressedLength(bytes);
  }

  @Override
  public int compress(byte[] from, int at, int bytes, byte[] to, int toAt) {
    return compressing.compress(from, at, bytes, to, toAt, mostCompressed(bytes));
  }

  @Override
  public int decompress(byte[] from, int at, int bytes, byte[] to, int toAt, int room) {
    try {
      return decompressing.decompress(from, at, bytes, to, toAt, room);
    } catch (LZ4Exception e) {
      return -1;
    }
  }

  @Override
  public void close() {
    // It has nothing that the collector does not see.
  }
}
