package io.arraywire.examples.pipe;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TlsContract;
import java.net.SocketAddress;
import org.junit.jupiter.api.Tag;

@Tag("newest")
@Tag("variant")
class PipeTlsTest extends TlsContract {
  @Override
  protected Transport create(TransportOptions options) {
    return PipeTransport.create(options);
  }

  @Override
  protected SocketAddress address() {
    return PipeTransportTest.free();
  }
}
