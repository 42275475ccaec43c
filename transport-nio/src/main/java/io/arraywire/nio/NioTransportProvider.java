package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TransportProvider;

/** Brings the transport {@code nio} to {@link io.arraywire.spi.Transports}. */
public final class NioTransportProvider implements TransportProvider {
  /** For the service loader. */
  public NioTransportProvider() {}

  @Override
  public String name() {
    return SelectorTransport.NAME;
  }

  @Override
  public Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
