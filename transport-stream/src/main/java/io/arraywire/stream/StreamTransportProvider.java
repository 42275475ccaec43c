package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TransportProvider;

/** Brings {@link StreamTransport} to the {@link java.util.ServiceLoader}. Any thread. */
public final class StreamTransportProvider implements TransportProvider {

  /** For the service loader. */
  public StreamTransportProvider() {}

  @Override
  public String name() {
    return BlockingTransport.NAME;
  }

  @Override
  public Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
