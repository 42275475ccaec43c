package io.arraywire.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;

/** A frame of zstd (RFC 8878) for each sequence of bytes, level 1, without a checksum. */
final class ZstdCompressor implements BlockCompressor {
  /** Higher ones are slower than a link of 1 Gbit/s, and gain some percent. */
  private static final int LEVEL = 1;

  private final ZstdCompressCtx compressing = new ZstdCompressCtx().setLevel(LEVEL);
  private final ZstdDecompressCtx decompressing = new ZstdDecompressCtx();

  ZstdCompressor() {}

  @Override
  public int mostCompressed(int bytes) {
    return (int) Zstd.compressBound(bytes);
  }

  @Override
  public int compress(byte[] from, int at, int bytes, byte[] to, int toAt) {
    return compressing.compressByteArray(to, toAt, mostCompressed(bytes), from, at, bytes);
  }

  @Override
  public int decompress(byte[] from, int at, int bytes, byte[] to, int toAt, int room) {
    try {
      return decompressing.decompressByteArray(to, toAt, room, from, at, bytes);
    } catch (ZstdException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    compressing.close();
    decompressing.close();
  }
}
