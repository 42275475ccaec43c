package io.arraywire.compression;

import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.util.List;

/**
 * Brings {@link Compression#list()} to the service loader, without {@code shuffle-zstd} where
 * zstd's native part does not load. Programs have no use for it.
 */
public final class CompressionCodecProvider implements CodecProvider {
  /** For the service loader. */
  public CompressionCodecProvider() {}

  @Override
  public List<Codec> codecs() {
    if (zstdLoads()) {
      return Compression.list();
    }
    return Compression.list().stream()
        .filter(codec -> !codec.encoding().equals(Encoding.SHUFFLE_ZSTD))
        .toList();
  }

  /** False on a system that zstd-jni has no library for, or whose directory may not be executed. */
  private static boolean zstdLoads() {
    try {
      new ZstdCompressor().close();
      return true;
    } catch (LinkageError e) {
      return false;
    }
  }
}
