package io.arraywire.codec;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.util.List;

/** Brings {@link StandardCodecs#list()} to the {@link java.util.ServiceLoader}. Any thread. */
public final class StandardCodecProvider implements CodecProvider {

  /** For the service loader. */
  public StandardCodecProvider() {}

  @Override
  public List<Codec> codecs() {
    return StandardCodecs.list();
  }
}
