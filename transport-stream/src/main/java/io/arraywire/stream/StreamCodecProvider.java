package io.arraywire.stream;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.util.List;

/** Brings {@link StreamCodecs#list()} to the {@link java.util.ServiceLoader}. Any thread. */
public final class StreamCodecProvider implements CodecProvider {

  /** For the service loader. */
  public StreamCodecProvider() {}

  @Override
  public List<Codec> codecs() {
    return StreamCodecs.list();
  }
}
