package io.arraywire.spi;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;

/**
 * A service that brings a transport, found by {@link java.util.ServiceLoader}: name the
 * implementing class in {@code META-INF/services/io.arraywire.spi.TransportProvider} or in a {@code
 * provides} clause.
 */
public interface TransportProvider {

  /**
   * The name of the transport.
   *
   * @return lower case, unique among the transports of a process, for example {@code nio}
   */
  String name();

  /**
   * Makes a transport.
   *
   * @param options its options
   * @return the transport, to be closed by the caller
   */
  Transport create(TransportOptions options);
}
