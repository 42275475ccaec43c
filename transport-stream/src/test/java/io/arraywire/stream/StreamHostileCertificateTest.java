package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.HostileCertificateContract;
import org.junit.jupiter.api.Tag;

/** Certificates that are right for something else. */
@Tag("ciphers")
class StreamHostileCertificateTest extends HostileCertificateContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
