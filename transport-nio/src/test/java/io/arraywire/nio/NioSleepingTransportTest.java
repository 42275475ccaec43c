package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import org.junit.jupiter.api.Tag;

/** Several event loops that sleep at once when there is nothing to do. */
@Tag("newest")
@Tag("variant")
class NioSleepingTransportTest extends NioTransportTest {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(
        options, NioOptions.builder().eventLoops(3).waitStrategy(WaitStrategy::sleeping).build());
  }
}
