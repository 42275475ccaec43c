package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TlsContract;
import org.junit.jupiter.api.Tag;

/** Which peers are let in over TLS. */
@Tag("ciphers")
class NioTlsTest extends TlsContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
