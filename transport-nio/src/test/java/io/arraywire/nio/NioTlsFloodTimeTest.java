package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TlsFloodTimeContract;
import org.junit.jupiter.api.Tag;

/** How soon floods end over TLS. */
@Tag("alone")
@Tag("variant")
class NioTlsFloodTimeTest extends TlsFloodTimeContract {
  @Override
  protected Transport overTls(TransportOptions options) {
    return NioTransport.create(options);
  }
}
