package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TlsFloodTimeContract;
import org.junit.jupiter.api.Tag;

/** How soon floods end over TLS. */
@Tag("alone")
@Tag("variant")
class StreamTlsFloodTimeTest extends TlsFloodTimeContract {
  @Override
  protected Transport overTls(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
