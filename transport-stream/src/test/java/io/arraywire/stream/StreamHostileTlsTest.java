package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.HostileTlsContract;
import org.junit.jupiter.api.Tag;

/** Peers over TLS that mean no good. */
@Tag("ci")
@Tag("ciphers")
@Tag("newest")
class StreamHostileTlsTest extends HostileTlsContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
