package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.SmallHeapContract;
import org.junit.jupiter.api.Tag;

@Tag("ci")
@Tag("newest")
class NioSmallHeapTest extends SmallHeapContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
