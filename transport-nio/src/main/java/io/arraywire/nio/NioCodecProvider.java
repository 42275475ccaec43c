package io.arraywire.nio;

import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.util.List;

/** Brings {@link NioCodecs#list()} to the {@link java.util.ServiceLoader}. Any thread. */
public final class NioCodecProvider implements CodecProvider {

  /** For the service loader. */
  public NioCodecProvider() {}

  @Override
  public List<Codec> codecs() {
    return NioCodecs.list();
  }
}
