package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.HostileTlsContract;
import org.junit.jupiter.api.Tag;

/** Peers over TLS that mean no good. */
@Tag("ci")
@Tag("ciphers")
class NioHostileTlsTest extends HostileTlsContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
