package io.arraywire.spi;

import java.util.List;

/**
 * A service that brings codecs, found by {@link java.util.ServiceLoader}: name the implementing
 * class in {@code META-INF/services/io.arraywire.spi.CodecProvider} or in a {@code provides}
 * clause.
 */
@FunctionalInterface
public interface CodecProvider {

  /**
   * The codecs of this provider.
   *
   * @return the codecs, the same at every call
   */
  List<Codec> codecs();
}
