package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.HostileCertificateContract;
import org.junit.jupiter.api.Tag;

/** Certificates that are right for something else. */
@Tag("ciphers")
class NioHostileCertificateTest extends HostileCertificateContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
