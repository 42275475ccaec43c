package io.arraywire.compression;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.util.List;

/** Has {@link Compression#list()} found. For the service loader; programs have no use for it. */
public final class CompressionCodecProvider implements CodecProvider {
  /** For the service loader. */
  public CompressionCodecProvider() {}

  @Override
  public List<Codec> codecs() {
    return Compression.list();
  }
}
